"""Little models that could cost much. Each file is a kind: its CASES are (function, size of the default run, size of the full run), and the
function writes a model of that size into a folder and gives a Bomb."""
import importlib
import os
import pkgutil
from dataclasses import dataclass


@dataclass
class Bomb:
    model: str  # the path of its file
    structure: int  # bytes of its files without weights
    nodes: int = 0  # after expansion
    code: str = ""  # with which it is refused; "any": may convert; converts without
    says: str = ""  # a part of the message
    options: tuple = ()
    largest_bin: int = None

    @property
    def budget(self):
        """Bytes that a conversion may need natively. What is refused has been looked at, which may take more."""
        return ((64 if self.code else 32) << 20) + 8 * self.structure + 2048 * self.nodes


def save(folder, content, weights=0, name="m.onnx", **facts):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return Bomb(path, len(content) - weights, **facts)


def cases(full):
    """(name, function, size) of all kinds."""
    for kind in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for function, small, large in getattr(importlib.import_module(f"{__name__}.{kind}"), "CASES", ()):
            for size in dict.fromkeys([small, large] if full else [small]):
                if size is not None:
                    yield f"{kind}-{function.__name__}-{size}", function, size
