#!/usr/bin/env python3
"""Records what TensorFlow computes: graphs of one operation, networks, SavedModels, models with states, checkpoints, detection models.

    npm run record -- tf [NAME ...]

Makes .venv-tf with scripts/requirements-tf.txt, builds the graphs of operations/, networks.py, saved.py, states.py and detection/ there, runs them, and writes
them with their results to recorded/. NAME: a family ("unary", "networks", "saved") or a case ("unary/Relu", "networks/keras2_VGG16"); only
those are then recorded again. Numbers depend on names only, so that recording a case again changes nothing.
"""
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402


def size(path):
    return sum(map(size, (os.path.join(path, name) for name in os.listdir(path)))) if os.path.isdir(path) else os.path.getsize(path)


def main(names):
    import detection
    import graphs
    import networks
    import recording
    import saved
    import states
    import store
    for file in sorted(os.listdir(os.path.join(HERE, "operations"))):
        if file.endswith(".py"):
            importlib.import_module("operations." + file[:-3])
    outcome = recording.Outcome()
    for group, recorders in (("networks", networks.recorders()), ("saved", saved.recorders()), ("states", states.recorders()), ("detection", detection.recorders())):
        recording.files(outcome, group, recorders, names, size)
    for family, builders in graphs.FAMILIES.items():
        recording.family(outcome, os.path.join(store.RECORDED, family + ".npz"), builders, names, store.load, graphs.record)
    outcome.finish(names)


if __name__ == "__main__":
    environment.in_environment()
    main(set(sys.argv[1:]))
