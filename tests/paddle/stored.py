#!/usr/bin/env python3
"""The recorded programs of PaddlePaddle. Needs numpy only.

    .venv/bin/python tests/paddle/stored.py [NAME ...]      build/paddle/conv.conv2d_same.pdmodel and so on; all without names
"""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import archive  # noqa: E402
import program  # noqa: E402
from drawing import draw, draw_image  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "paddle"))


def drawn(recipe):
    """An array by its recipe; a picture is drawn with the channels last, and has them second."""
    if recipe.get("picture"):
        batch, channels, *sizes = recipe["shape"]
        return draw_image({**recipe, "shape": [batch, *sizes, channels]}).transpose(0, -1, *range(1, len(sizes) + 1)).copy()
    return draw(recipe)


def larger(feeds, signatures):
    """Feeds with one more element along each dimension that the inputs leave open."""
    return {name: np.pad(array, [(0, int(size == -1)) for size in signatures[name]], mode="edge") if array.ndim else array for name, array in feeds.items()}


class Case:
    """A program, its parameters, what it is fed one run after the other, and what PaddlePaddle answered.

    `recorded`: parameters by name that are not drawn. `runs`: feeds by name. `wanted`: for each run the outputs in their order. `about`: names
    of inputs, outputs and parameters in their order, their shapes with -1 where the program does not say a size, recipes of arrays that are
    drawn, the LoD of inputs that are sequences, why it is refused, if it is, whether its numbers are random, whether the second run is the
    first one with larger inputs.
    """

    def __init__(self, name, model, about, recorded, runs, wanted):
        self.name, self.model, self.about, self.recorded, self.runs, self.wanted = name, model, about, recorded, runs, wanted

    @property
    def parameters(self):
        """Arrays by name; those of networks are large, and are drawn each time."""
        recipes = self.about["recipes"]
        return {name: drawn(recipes[name]) if name in recipes else self.recorded[name] for name in self.about["parameters"]}

    def write(self, path):
        """`path`: of the .pdmodel; parameters are beside it, if there are any."""
        with open(path, "wb") as file:
            file.write(self.model)
        if self.about["parameters"]:
            with open(os.path.splitext(path)[0] + ".pdiparams", "wb") as file:
                file.write(program.combined(self.parameters))

    def arrays(self):
        """Those that are not drawn, in a fixed order."""
        found = [*self.recorded.values()]
        for at, feeds in enumerate(self.runs[:1] if self.about["larger"] else self.runs):
            found += [array for name, array in feeds.items() if at or name not in self.about["recipes"]]
        return found + [array for results in self.wanted for array in results]


def pack(cases):
    """The members of a family's file: what is said about the cases, and their programs and arrays one behind the other, which makes it small."""
    said = [{"name": case.name, "model": len(case.model), "arrays": [[array.dtype.name, array.shape] for array in case.arrays()], **case.about} for case in cases]
    models = b"".join(case.model for case in cases)
    return {"about": archive.from_json(said), "models": archive.as_bytes(models), "arrays": archive.as_bytes(b"".join(array.tobytes() for case in cases for array in case.arrays()))}


def cut(content, sizes):
    """Pieces of these sizes."""
    ends = np.cumsum([0, *sizes])
    return [content[start:end] for start, end in zip(ends, ends[1:])]


def load(path):
    """The cases of a file by name, in their order."""
    with np.load(path, allow_pickle=False) as file:
        said, models, content = archive.as_json(file["about"]), file["models"].tobytes(), file["arrays"].tobytes()
    shapes = [(np.dtype(dtype), shape) for about in said for dtype, shape in about["arrays"]]
    arrays = iter([np.frombuffer(piece, dtype).reshape(shape) for piece, (dtype, shape) in zip(cut(content, [dtype.itemsize * int(np.prod(shape)) for dtype, shape in shapes]), shapes)])
    found = {}
    for about, model in zip(said, cut(models, [about["model"] for about in said])):
        about = {key: value for key, value in about.items() if key not in ("model", "arrays")}
        name, recipes = about.pop("name"), about["recipes"]
        recorded = {key: next(arrays) for key in about["parameters"] if key not in recipes}
        runs = [{key: drawn(recipes[key]) if not at and key in recipes else next(arrays) for key in about["inputs"]} for at in range(1 if about["larger"] else about["runs"])]
        if about["larger"]:
            runs.append(larger(runs[0], dict(zip(about["inputs"], about["in_shapes"]))))
        wanted = [] if about["refused"] else [[next(arrays) for _ in about["outputs"]] for _ in runs]
        found[name] = Case(name, model, about, recorded, runs, wanted)
    return found


def everything(families=None):
    """Every recorded case by name; those of some families only."""
    found = {}
    for name in sorted(os.listdir(RECORDED)) if os.path.isdir(RECORDED) else []:
        if name.endswith(".npz") and (families is None or name[:-4] in families):
            found.update(load(os.path.join(RECORDED, name)))
    return found


def main(names):
    cases = everything({name.split("/")[0] for name in names} or None)
    unknown = [name for name in names if "/" in name and name not in cases]
    if unknown:
        sys.exit(f"stored: no such case: {', '.join(unknown)}")
    os.makedirs(FOLDER, exist_ok=True)
    for name, case in cases.items():
        if not names or name in names or name.split("/")[0] in names:
            path = os.path.join(FOLDER, name.replace("/", ".") + ".pdmodel")
            case.write(path)
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
