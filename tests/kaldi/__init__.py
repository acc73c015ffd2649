"""Networks of Kaldi for the tests: writers of its files, networks by seed, and what Kaldi computes of them, in NumPy."""
