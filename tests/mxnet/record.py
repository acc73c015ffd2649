#!/usr/bin/env python3
"""Records what MXNet computes: small symbols of each operator, and networks.

    npm run record -- mxnet [NAME ...]

Makes .venv-mxnet with scripts/requirements-mxnet.txt, builds the symbols of operations/ there, runs them, and writes them with their
results to recorded/. NAME: a family ("shapes") or a case ("shapes/Reshape_rest"); only those are then recorded again. Numbers depend on
names only, so that recording a case again changes nothing.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402


def main(names):
    import cases
    import models
    import programs
    import recording
    import stored_mxnet
    outcome = recording.Outcome()
    for family, builders in models.families(HERE).items():
        recording.family(outcome, os.path.join(stored_mxnet.RECORDED, family + ".npz"), builders, names, stored_mxnet.load, cases.record, programs.pack)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment("mxnet")
    main(set(sys.argv[1:]))
