"""Writes a chain model of the size that people have, 100 MB, with random weights: build/models/kaldi_chain.mdl.

    .venv/bin/python tests/kaldi/chain_model.py
"""
import os
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[0] = TESTS
from kaldi import files  # noqa: E402
from kaldi.networks import layers  # noqa: E402
from kaldi.networks.build import Network3  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TESTS), "build", "models")
DIM, BOTTLENECK, LAYERS, PDFS = 1536, 160, 20, 6016


def chain():
    """As mini_librispeech and its like have it: spliced cepstra and the i-vector, factored layers, and two heads."""
    net = Network3(100, 40, 100)
    below, size = layers.lda(net, [-1, 0, 1], 40, 100)
    below = layers.relu_batchnorm(net, "tdnn1", below, size, DIM)
    for number in range(2, 2 + LAYERS):
        below = layers.tdnnf(net, f"tdnnf{number}", below, DIM, BOTTLENECK, 1 if number < 5 else 0 if number == 5 else 3)
    net.node("prefinal-l", below, net.linear(256, DIM))
    for name, head, log_softmax in (("output", "chain", False), ("output-xent", "xent", True)):
        layers.output(net, name, layers.prefinal(net, f"prefinal-{head}", "prefinal-l", 256, DIM, 256), 256, PDFS, log_softmax)
    return net.made(transition="tuples", contexts=(52, 52))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, "kaldi_chain.mdl"), "wb") as file:
        file.write(files.to_bytes(chain()))
