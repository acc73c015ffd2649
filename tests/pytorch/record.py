#!/usr/bin/env python3
"""Records what PyTorch computes: small programs of each operator, and networks.

    npm run record -- pytorch [NAME ...]

Makes .venv-torch with scripts/requirements-torch.txt, exports the cases of operations/ there, runs them, and writes them with their results
to recorded/. NAME: a family ("shapes") or a case ("shapes/view"); only those are then recorded again.
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
    import stored_torch
    cases.warm()  # what an export imports takes longer than an export
    outcome = recording.Outcome()
    for family, builders in models.families(HERE).items():
        recording.family(outcome, os.path.join(stored_torch.RECORDED, family + ".npz"), builders, names, stored_torch.load, cases.record, programs.pack)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment("torch")
    main(set(sys.argv[1:]))
