"""Small symbols of MXNet, and networks.

A module of operations/ lists them. `case("Reshape", attrs={"shape": (0, -1)}, data=fed(2, 3))` is that operator with an input; inputs that
are not given, as weights, MXNet makes as parameters, which are drawn. `@graph("name")` is for several operators; `@gluon("name", data=fed(…))`
is a block of Gluon, whose inputs have no shapes in the symbol. The numbers of a case come from the crc32 of its name.
"""
import os
import zlib

import numpy as np

from values import Fed, Values

FAMILIES = {}
LARGE = 1024  # bytes of an array that is drawn and not recorded


def operator(kind):
    """What makes a node of any operator, also of those that Python's modules do not show."""
    import ctypes

    from mxnet.base import _LIB, OpHandle, c_str, check_call
    from mxnet._ctypes.symbol import _symbol_creator
    handle = OpHandle()
    check_call(_LIB.NNGetOpHandle(c_str(kind), ctypes.byref(handle)))
    return lambda args, kwargs, keys, values, name: _symbol_creator(handle.value, args, kwargs, keys, values, name, False)


class Building:
    """A symbol while it is built. `unknown` has the dimensions that its inputs do not say; by name, or of the first one. Not `said`: inputs have no
    shapes in the symbol."""

    def __init__(self, name, unknown=(), said=True, numpy=False):
        import mxnet
        self.mx, self.name, self.unknown, self.said, self.numpy = mxnet, name, unknown, said, numpy
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.feeds, self.parameters, self.recipes, self.names = {}, {}, {}, {}

    def open_dimensions(self, name):
        return self.unknown.get(name, ()) if isinstance(self.unknown, dict) else () if self.feeds else self.unknown

    def fed(self, name, spec):
        """An input."""
        open_ones, array = self.open_dimensions(name), spec.draw(self.rng)
        if array.nbytes > LARGE and spec.values is None and array.dtype == np.float32:
            self.recipes[name] = {"seed": f"{self.name}/{name}", "shape": list(array.shape), "low": float(np.float32(spec.low)), "high": float(np.float32(spec.high))}
        self.feeds[name] = array
        shape = tuple((-1 if self.numpy else 0) if at in open_ones else size for at, size in enumerate(array.shape))
        return self.mx.sym.var(name, shape=shape if self.said else None, dtype=None if array.dtype == np.float32 else array.dtype)

    def fixed(self, spec, name="fixed"):
        """A parameter."""
        if name in self.parameters:
            name += str(len(self.parameters))
        self.parameters[name] = spec.draw(self.rng) if isinstance(spec, Values) else np.asarray(spec)
        return self.mx.sym.var(name)

    def take(self, name, argument):
        if isinstance(argument, (list, tuple)):
            return [self.take(f"{name}{at}", one) for at, one in enumerate(argument)]
        return self.fed(name, argument) if isinstance(argument, Fed) else self.fixed(argument, name) if isinstance(argument, (Values, np.ndarray, np.generic)) else argument

    def op(self, kind, *args, name=None, attrs=None, **inputs):
        """A node; inputs by their names, or in order. `attrs` are written as Python writes them."""
        if name is None:
            hint = kind.lower().lstrip("_")
            self.names[hint] = self.names.get(hint, -1) + 1
            name = f"{hint}{self.names[hint]}"
        attrs = {key: np.dtype(value).name if isinstance(value, type) else str(value) for key, value in (attrs or {}).items()}
        listed = inputs.pop("args", [])
        return operator(kind)([*args, *listed], inputs, list(attrs), list(attrs.values()), name)


class Case:
    """How a case is built.

    `block`: what Gluon exports, in place of `build`. `specs`: of its inputs. `change`: of the parsed symbol. `arrays`: of its parameters by name, before they are written.
    `refused`: why it is refused. `random`: its numbers are only to be of the right shape and type. `limits`: of drawn
    parameters, {part of their name: (low, high)}. `picture`: its first input is drawn as a picture. `more`: feeds of a second run.
    `version`: of the file of arrays. `prefix`: whether names there have arg: and aux:. `storages`: of arrays that are sparse.
    `options`: of the command line. `numpy`: whether it was made under NumPy's shapes. `types`: of drawn parameters, {part of their name: type}; MXNet computes
    with single precision, because it has no other on a processor.
    `expected`: the outputs of the feeds, where MXNet cannot compute them on a processor. `plain`: MXNet computes without oneDNN. `by_data`: numbers decide the shapes of its results.
    """

    def __init__(self, build=None, unknown=(), block=None, specs=None, change=None, refused=None, random=False, limits=None, picture=False, more=None,
            version="v2", prefix=True, storages=None, options=(), numpy=False, said=True, types=None, expected=None, plain=False, by_data=False):
        self.build, self.unknown, self.block, self.specs, self.change, self.refused = build, unknown, block, specs, change, refused
        self.random, self.limits, self.picture, self.more, self.version, self.prefix = random, limits or {}, picture, more, version, prefix
        self.storages, self.options, self.numpy, self.said, self.types = storages or {}, list(options), numpy, said, types or {}
        self.expected, self.plain, self.by_data = expected, plain, by_data


class Family:
    """The symbols of one module of operations/, which become one file of recorded/."""

    def __init__(self, module, **usual):
        self.builders, self.usual = FAMILIES.setdefault(module.rpartition(".")[2], {}), usual

    def add(self, name, case):
        assert name not in self.builders, name
        self.builders[name] = case

    def graph(self, name, unknown=(), **more):
        """`build` is called with the Building, and gives the outputs."""
        def take(build):
            self.add(name, Case(build, **{**self.usual, **more}))
            if unknown:
                self.add(name + "_unknown", Case(build, unknown, **{**self.usual, **more}))
            return build
        return take

    def gluon(self, name, more=None, **specs):
        """`block` gives a block of Gluon, which is called with variables of these names."""
        def take(block):
            self.add(name, Case(None, block=block, specs=specs, said=False, **{**self.usual, **(more or {})}))
            return block
        return take

    def case(self, kind, variant="", unknown=(), attrs=None, take=None, more=None, **slots):
        """One operator; `take`: which of its results are outputs."""
        def build(b):
            found = b.op(kind, attrs=attrs, **{slot: b.take(slot, argument) for slot, argument in slots.items()})
            return [found] if take is None else [found[at] for at in take]
        self.graph(kind.lstrip("_") + ("_" + variant if variant else ""), unknown, **(more or {}))(build)


def families(folder):
    """Imports the modules of operations/."""
    import importlib
    for file in sorted(os.listdir(os.path.join(folder, "operations"))):
        if file.endswith(".py"):
            importlib.import_module("operations." + file[:-3])
    return FAMILIES
