"""Small programs of PaddlePaddle, and what it makes of them.

A module of operations/ lists them. `case("relu", X=fed(2, 3))` is the operator relu whose slot X is an input; `@graph("name")` is for several
operators, or for functions and layers of paddle in a static program; `@traced("name", x=fed(2, 3))` is a layer that paddle.jit saves.
The numbers of a case come from the crc32 of its name.
"""
import os
import zlib

import numpy as np

from values import Fed, Values

FAMILIES = {}
LARGE = 1024  # bytes of an array that is drawn and not recorded


def name_of(dtype):
    return np.dtype(dtype).name


class Building:
    """A program while it is built. `unknown` has the dimensions that its inputs do not say; by name, or of the first one."""

    def __init__(self, name, unknown=()):
        import paddle
        self.name, self.unknown = name, unknown
        self.paddle = paddle
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.inputs, self.feeds, self.lods, self.parameters, self.recipes = [], {}, {}, {}, {}

    @property
    def block(self):
        return self.paddle.static.default_main_program().current_block()

    def open_dimensions(self, name):
        return self.unknown.get(name, ()) if isinstance(self.unknown, dict) else () if self.feeds else self.unknown

    def fed(self, name, spec):
        """An input; one with `lod` is a sequence, whose length is not said."""
        lod = getattr(spec, "lod", None)
        open_ones = (0, *self.open_dimensions(name)) if lod else self.open_dimensions(name)
        array = spec.draw(self.rng)
        if array.nbytes > LARGE and spec.values is None and array.dtype == np.float32:
            self.recipes[name] = {"seed": f"{self.name}/{name}", "shape": list(array.shape), "low": float(np.float32(spec.low)), "high": float(np.float32(spec.high))}
        shape = [-1 if at in open_ones else size for at, size in enumerate(array.shape)]
        made = self.paddle.static.data(name, shape, name_of(array.dtype), lod_level=len(lod or ()))
        self.feeds[name] = array
        if lod:
            self.lods[name] = lod
        self.inputs.append(made)
        return made

    def fixed(self, spec, name="fixed"):
        """A parameter."""
        array = spec.draw(self.rng) if isinstance(spec, Values) else np.asarray(spec)
        name = self.paddle.utils.unique_name.generate(name)
        made = self.paddle.static.default_main_program().global_block().create_var(name=name, shape=list(array.shape), dtype=name_of(array.dtype), persistable=True, stop_gradient=True)
        self.parameters[name] = array
        return made

    def constant(self, values):
        """A constant that an operator of the program makes."""
        array = np.asarray(values)
        return self.paddle.assign(array)

    def take(self, name, argument):
        if isinstance(argument, (list, tuple)):
            return [self.take(f"{name}{at}", one) for at, one in enumerate(argument)]
        return self.fed(name, argument) if isinstance(argument, Fed) else self.fixed(argument, name) if isinstance(argument, (Values, np.ndarray, np.generic)) else argument

    def op(self, kind, attrs=None, outs=None, same=None, shape=None, **slots):
        """An operator and its results. `outs`: {slot: type, or how many, or list of types, or the variable} besides those that must be there; `same`: {slot: the slot
        of the input that it writes}; `shape`: of the result of an operator without a kernel, which cannot say it. Gives the results that are not intermediate; one alone."""
        from paddle.base.framework import Operator, OpProtoHolder
        if shape is not None:
            Operator.OP_WITHOUT_KERNEL_SET = Operator.OP_WITHOUT_KERNEL_SET | {kind}
        proto = OpProtoHolder.instance().get_op_proto(kind)
        inputs = {slot: list(value) if isinstance(value, (list, tuple)) else [value] for slot, value in slots.items() if value is not None}
        first = next((value[0] for value in inputs.values() if value), None)
        dtype = first.dtype if first is not None else "float32"
        outputs, found, outs, same = {}, [], outs or {}, same or {}
        for slot in proto.outputs:
            if slot.dispensable and slot.name not in outs and slot.name not in same:
                continue
            if slot.name in same:
                outputs[slot.name] = inputs[same[slot.name]]
                continue
            wanted = outs.get(slot.name, dtype)
            if hasattr(wanted, "block"):
                outputs[slot.name] = [wanted]
                continue
            kinds = [dtype] * wanted if isinstance(wanted, int) and not isinstance(wanted, type(dtype)) else wanted if isinstance(wanted, list) else [wanted]
            outputs[slot.name] = [self.block.create_var(name=self.paddle.utils.unique_name.generate(f"{kind}_{slot.name}"), dtype=one,
                    **({} if shape is None else {"shape": shape})) for one in kinds]
            if not slot.intermediate or slot.name in outs:
                found += outputs[slot.name]
        self.block.append_op(type=kind, inputs=inputs, outputs=outputs, attrs=attrs or {})
        return found[0] if len(found) == 1 else found


class Case:
    """How a case is built.

    `layer`: what paddle.jit saves, in place of `build`, and `specs` of its inputs. `change`: of the parsed program. `refused`: why it is
    refused. `random`: its numbers are only to be of the right shape and type. `limits`: of drawn parameters, {part of their name: (low, high)}.
    `picture`: its first input is drawn as a picture. `extra`: attributes and results that inference does not need stay; `unpruned`: operators, too. `more`: feeds of a second run.
    `expected`: the outputs of the feeds, where PaddlePaddle cannot compute them; `twin`: builds a program
    that means the same of operators that it can compute; `renamed`: operators that have another name in the file.
    """

    def __init__(self, build=None, unknown=(), layer=None, specs=None, change=None, refused=None, random=False, limits=None, picture=False, extra=False, unpruned=False, more=None,
                 expected=None, twin=None, renamed=None):
        self.build, self.unknown, self.layer, self.specs, self.change = build, unknown, layer, specs, change
        self.refused, self.random, self.limits, self.picture, self.extra, self.unpruned, self.more, self.expected, self.twin, self.renamed = (
            refused, random, limits or {}, picture, extra, unpruned, more, expected, twin, renamed or {})


class Family:
    """The programs of one module of operations/, which become one file of recorded/."""

    def __init__(self, module):
        self.builders = FAMILIES.setdefault(module.rpartition(".")[2], {})

    def add(self, name, case):
        assert name not in self.builders, name
        self.builders[name] = case

    def graph(self, name, unknown=(), **more):
        """`build` is called with the Building, and gives the outputs."""
        def take(build):
            self.add(name, Case(build, **more))
            if unknown:
                self.add(name + "_unknown", Case(build, unknown, **more))
            return build
        return take

    def traced(self, name, unknown=(), more=None, **specs):
        """`layer` gives a paddle.nn.Layer that paddle.jit.save writes."""
        def take(layer):
            self.add(name, Case(None, unknown, layer, specs, **(more or {})))
            return layer
        return take

    def case(self, kind, variant="", unknown=(), attrs=None, outs=None, same=None, take=None, shape=None, more=None, **slots):
        """One operator; `take`: which of its results are outputs."""
        def build(b):
            found = b.op(kind, attrs, outs, same, shape, **{slot: b.take(slot, argument) for slot, argument in slots.items()})
            found = found if isinstance(found, list) else [found]
            return found if take is None else [found[at] for at in take]
        self.graph(kind + ("_" + variant if variant else ""), unknown, **(more or {}))(build)


def sequence(*shape, lod=None, **more):
    """An input whose rows are a sequence, or several of the lengths `lod`."""
    spec = Fed(shape, more.pop("dtype", np.float32), more.pop("low", -1.0), more.pop("high", 1.0), more.pop("values", None))
    spec.lod = [list(lod or [spec.shape[0]])]
    return spec


def families(folder):
    """Imports the modules of operations/."""
    import importlib
    for file in sorted(os.listdir(os.path.join(folder, "operations"))):
        if file.endswith(".py"):
            importlib.import_module("operations." + file[:-3])
    return FAMILIES
