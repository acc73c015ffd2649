#!/usr/bin/env python3
"""Records what PaddlePaddle 3 computes: programs of PIR, built as those of tests/paddle are, and those of operations/ here.

    npm run record -- paddle3 [NAME ...]

Makes .venv-paddle3 with scripts/requirements-paddle3.txt. A network is built there, and run. A program of single operators is what
PaddlePaddle 3 makes of the ProgramDesc that tests/paddle has recorded; if its results are the same, only the program is kept. NAME: a family
("conv") or a case ("conv/conv2d_same"); only those are then recorded again.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BEFORE = os.path.join(os.path.dirname(HERE), "paddle")
sys.path[:0] = [HERE, BEFORE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402


def main(names):
    import kept
    import models
    import recorder
    import recording
    outcome = recording.Outcome()
    models.families(BEFORE)
    for family, builders in models.families(HERE).items():
        keys = [key for key, case in builders.items() if recorder.is_recorded(family, case)]
        if keys:
            recording.family(outcome, os.path.join(kept.RECORDED, family + ".npz"), keys, names, kept.load, recorder.record, kept.pack)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment("paddle3")
    main(set(sys.argv[1:]))
