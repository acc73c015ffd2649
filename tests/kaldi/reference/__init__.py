"""What Kaldi computes, frame by frame over a whole utterance, after its own source: in doubles, as plainly as can be."""
