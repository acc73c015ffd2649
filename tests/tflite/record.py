#!/usr/bin/env python3
"""Records what LiteRT computes: small models of each operator, and networks.

    npm run record -- tflite [NAME ...]

Makes .venv-tf with scripts/requirements-tf.txt, builds the models of operations/ and networks.py there, runs them, and writes them with
their results to recorded/. NAME: a family ("unary", "networks") or a case ("unary/ABS", "networks/MobileNetV2_int8"); only those are then
recorded again. Numbers depend on names only, so that recording a case again changes nothing.
"""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402


def main(names):
    import cases
    import lite
    import models
    import networks
    import recording
    for file in sorted(os.listdir(os.path.join(HERE, "operations"))):
        if file.endswith(".py"):
            importlib.import_module("operations." + file[:-3])
    outcome = recording.Outcome()
    recording.files(outcome, "networks", networks.recorders(), names, os.path.getsize)
    for family, builders in models.FAMILIES.items():
        recording.family(outcome, os.path.join(lite.RECORDED, family + ".npz"), builders, names, lite.load, cases.record)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment()
    main(set(sys.argv[1:]))
