"""Trains Hector's acoustic model from nothing: lexicon, synthetic speech, network, Kaldi files, check.

The command is `python -m models.training --out DIR`; README.md beside this file describes it.
"""

CHECKPOINT = "checkpoint.pt"
"""Name of the checkpoint in the work folder."""
