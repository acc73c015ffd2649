"""The recorded models of TensorFlow Lite. Needs numpy only."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "recorded"))
import archive  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")


class Lite:
    """A model, what it is fed one run after the other, and what LiteRT answered.

    `runs`: feeds by name. `wanted`, `floats`: for each run the outputs in their order; `floats` are those of the model before quantisation.
    `about`: names of inputs and outputs in their order, their shapes with -1 where the model does not say a size, (scale, zero point) where
    integers mean real numbers; why it is refused, if it is; what computed the results.
    """

    def __init__(self, name, model, about, runs, wanted, floats):
        self.name, self.model, self.about, self.runs, self.wanted, self.floats = name, model, about, runs, wanted, floats

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.model)

    def members(self):
        key = self.name.split("/", 1)[1]
        yield f"{key}/model", archive.as_bytes(self.model)
        yield f"{key}/about", archive.from_json(self.about)
        for at, feeds in enumerate(self.runs):
            for place, array in enumerate(feeds.values()):
                yield f"{key}/feed/{at}/{place}", array
        for part, runs in (("want", self.wanted), ("float", self.floats)):
            for at, results in enumerate(runs):
                for place, array in enumerate(results):
                    yield f"{key}/{part}/{at}/{place}", array


def numbered(parts, part):
    """The arrays of part/run/place as a list of lists."""
    runs = {}
    for name, array in parts.items():
        if name.startswith(part + "/"):
            runs.setdefault(int(name.split("/")[1]), []).append(array)
    return [runs[at] for at in sorted(runs)]


def from_parts(name, parts):
    about = archive.as_json(parts["about"])
    runs = [dict(zip(about["fed"], feeds)) for feeds in numbered(parts, "feed")]
    return Lite(name, parts["model"].tobytes(), about, runs, numbered(parts, "want"), numbered(parts, "float"))


def load(path):
    """The cases of a file by name, in their order."""
    family = os.path.splitext(os.path.basename(path))[0]
    return {f"{family}/{key}": from_parts(f"{family}/{key}", parts) for key, parts in archive.cases(path).items()}


def operations():
    """Every small model, by name."""
    found = {}
    for name in sorted(os.listdir(RECORDED)) if os.path.isdir(RECORDED) else []:
        if name.endswith(".npz"):
            found.update(load(os.path.join(RECORDED, name)))
    return found
