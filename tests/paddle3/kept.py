#!/usr/bin/env python3
"""The recorded programs of PaddlePaddle 3. Needs numpy only.

    .venv/bin/python tests/paddle3/kept.py [NAME ...]      build/paddle3/conv.conv2d_same.json and so on; all without names
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "paddle"), os.path.join(os.path.dirname(HERE), "recorded")]
import archive  # noqa: E402
import pir  # noqa: E402
import stored  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "paddle3"))


class Case(stored.Case):
    """A program of PIR. `original`: the case of tests/paddle with the same parameters, feeds and results, if there is one."""
    ending = ".json"
    original = None


def built(case):
    """A case as stored.load() gives it."""
    return Case(case.name, case.model, case.about, case.recorded, case.runs, case.wanted)


def translated(model, original):
    """The case that has its numbers from that of the ProgramDesc."""
    said = pir.Program(model)
    about = {**original.about, "inputs": list(said.inputs), "outputs": list(said.outputs), "in_shapes": list(said.inputs.values()), "out_shapes": list(said.outputs.values())}
    case = Case(original.name, model, about, original.recorded, original.runs, original.wanted)
    case.original = original
    return case


def pack(cases):
    """Of programs that are translations one of each form: what attributes and shapes mean is tested with the ProgramDesc."""
    own = [case for case in cases if case.original is None]
    others = [*{pir.Program(case.model).form: case for case in reversed([case for case in cases if case.original is not None])}.values()][::-1]
    said = [{"name": case.name, "model": len(case.model)} for case in others]
    return {**stored.pack(own), "translated": archive.from_json(said), "translations": archive.as_bytes(b"".join(case.model for case in others))}


def load(path):
    """The cases of a file by name."""
    found = {name: built(case) for name, case in stored.load(path).items()}
    with np.load(path, allow_pickle=False) as file:
        said, content = archive.as_json(file["translated"]), file["translations"].tobytes()
    before = stored.load(os.path.join(stored.RECORDED, os.path.basename(path))) if said else {}
    for about, model in zip(said, stored.cut(content, [about["model"] for about in said])):
        found[about["name"]] = translated(model, before[about["name"]])
    return dict(sorted(found.items()))


def everything():
    """Every recorded case by name."""
    found = {}
    for name in sorted(os.listdir(RECORDED)) if os.path.isdir(RECORDED) else []:
        found.update(load(os.path.join(RECORDED, name)))
    return found


def main(names):
    os.makedirs(FOLDER, exist_ok=True)
    for name, case in everything().items():
        if not names or name in names or name.split("/")[0] in names:
            path = os.path.join(FOLDER, name.replace("/", ".") + case.ending)
            case.write(path)
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
