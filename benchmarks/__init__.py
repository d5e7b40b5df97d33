"""What is measured and how; each module runs by itself: python -m benchmarks.NAME."""
