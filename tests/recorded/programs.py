"""Recorded models of one format: each a text or message, its parameters, what it is fed and what its framework answered. Needs numpy only."""
import os
import sys

import numpy as np

import archive
from drawing import draw, draw_image


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
    """A model, its parameters, what it is fed one run after the other, and what the framework answered.

    `recorded`: parameters by name that are not drawn. `runs`: feeds by name. `wanted`: for each run the outputs in their order. `about`: names
    of inputs, outputs and parameters in their order, their shapes with -1 where the model does not say a size, recipes of arrays that are
    drawn, why it is refused, if it is, whether its numbers are random, whether the second run is the first one with larger inputs; and what
    the format adds.
    """

    def __init__(self, name, model, about, recorded, runs, wanted):
        self.name, self.model, self.about, self.recorded, self.runs, self.wanted = name, model, about, recorded, runs, wanted

    @property
    def parameters(self):
        """Arrays by name; those of networks are large, and are drawn each time."""
        recipes = self.about["recipes"]
        return {name: drawn(recipes[name]) if name in recipes else self.recorded[name] for name in self.about["parameters"]}

    def arrays(self):
        """Those that are not drawn, in a fixed order."""
        found = [*self.recorded.values()]
        for at, feeds in enumerate(self.runs[:1] if self.about["larger"] else self.runs):
            found += [array for name, array in feeds.items() if at or name not in self.about["recipes"]]
        return found + [array for results in self.wanted for array in results]


def pack(cases):
    """The members of a family's file: what is said about the cases, and their models and arrays one behind the other, which makes it small."""
    said = [{"name": case.name, "model": len(case.model), "arrays": [[array.dtype.name, array.shape] for array in case.arrays()], **case.about} for case in cases]
    models = b"".join(case.model for case in cases)
    return {"about": archive.from_json(said), "models": archive.as_bytes(models), "arrays": archive.as_bytes(b"".join(array.tobytes() for case in cases for array in case.arrays()))}


def cut(content, sizes):
    """Pieces of these sizes."""
    ends = np.cumsum([0, *sizes])
    return [content[start:end] for start, end in zip(ends, ends[1:])]


def load(path, make):
    """The cases of a file by name, in their order, each made by `make`, a class that is a Case."""
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
        found[name] = make(name, model, about, recorded, runs, wanted)
    return found


def everything(folder, make, families=None):
    """Every recorded case of the folder by name; those of some families only."""
    found = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.endswith(".npz") and (families is None or name[:-4] in families):
            found.update(load(os.path.join(folder, name), make))
    return found


def command(names, recorded, make, folder, ending):
    """Writes the cases that the command line names, or all, to `folder`."""
    cases = everything(recorded, make, {name.split("/")[0] for name in names} or None)
    unknown = [name for name in names if "/" in name and name not in cases]
    if unknown:
        sys.exit(f"stored: no such case: {', '.join(unknown)}")
    os.makedirs(folder, exist_ok=True)
    for name, case in cases.items():
        if not names or name in names or name.split("/")[0] in names:
            path = os.path.join(folder, name.replace("/", ".") + ending)
            case.write(path)
            print(path)
