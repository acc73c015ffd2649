#!/usr/bin/env python3
"""Records what PaddlePaddle computes: small programs of each operator, and networks.

    npm run record -- paddle [NAME ...]

Makes .venv-paddle with scripts/requirements-paddle.txt, builds the programs of operations/ there, runs them, and writes them with their
results to recorded/. NAME: a family ("conv") or a case ("conv/conv2d_same"); only those are then recorded again. Numbers depend on names
only, so that recording a case again changes nothing.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402


def main(names):
    import cases
    import models
    import recording
    import stored
    outcome = recording.Outcome()
    for family, builders in models.families(HERE).items():
        recording.family(outcome, os.path.join(stored.RECORDED, family + ".npz"), builders, names, stored.load, cases.record, stored.pack)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment("paddle")
    main(set(sys.argv[1:]))
