"""Models: the embedded one and the tools that train it."""
