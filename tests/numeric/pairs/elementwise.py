"""Element-wise operations: of one tensor, and with constants of every shape that broadcasts."""
import math

import numpy as np
import openvino.opset13 as ops

from pairs.traced import STEPS, NotHere, Traced, step

erf = np.vectorize(math.erf, otypes=[np.float32])


def constant_shape(c, shape):
    """Scalar, one axis with and without the ones around it, some axes, all, one axis more."""
    rank = len(shape)
    form = c.pick(["scalar", "one", "axis", "axis", "axis", "some", "full", "more", "ones"])
    if form == "scalar":
        return ()
    if form == "one":
        return (1,)
    if form == "ones":
        return (1,) * rank
    if form == "more":
        return (1,) + tuple(s if c.chance(0.5) else 1 for s in shape)
    kept = {"axis": [c.pick(range(rank))] if rank else [], "full": range(rank), "some": [a for a in range(rank) if c.chance(0.5)]}[form]
    found = [shape[a] if a in kept else 1 for a in range(rank)]
    if c.chance(0.5):
        while len(found) > 1 and found[0] == 1:
            del found[0]
    # A constant may widen a dimension of 1.
    return tuple(3 if s == 1 and f == 1 and c.chance(0.05) else f for s, f in zip(shape[rank - len(found):], found))


def other(c, x, form="constant"):
    shape = constant_shape(c, x.shape)
    if form == "input":
        return c.input(list(shape), {np.dtype(np.float32): "f32", np.dtype(np.float16): "f16", np.dtype(np.int32): "i32", np.dtype(np.uint8): "u8"}[x.value.dtype])
    value = c.random.standard_normal(shape).astype(np.float32)
    value = np.where(abs(value) < 0.2, np.float32(0.5), value)
    if x.value.dtype != np.float32:
        value = np.round(value * 2).astype(x.value.dtype) if x.value.dtype != np.float16 else value.astype(np.float16)
    return c.const(value.astype(x.value.dtype))


def binary(name, make, compute, integers=True, swaps=True, rounds=False, given=True):
    def apply(c, x, form="constant"):
        if x.value.dtype == np.uint8 or x.value.dtype == bool or (not integers and x.value.dtype.kind != "f"):
            x = c.real(x)
        y = other(c, x, form)
        a, b = (y, x) if swaps and c.chance(0.3) else (x, y)
        with np.errstate(all="ignore"):
            return c.op(name + (" (swapped)" if a is y else ""), make(a.port, b.port), compute(a.value, b.value), x.rounds or rounds)

    STEPS[name] = apply
    if given:
        STEPS[name + "_input"] = lambda c, x: apply(c, x, "input")
    return apply


def floor_mod(a, b):
    return a - np.floor(a / b) * b


CHAIN = [
    binary("Add", ops.add, np.add),
    binary("Sub", ops.subtract, np.subtract),
    binary("Mul", ops.multiply, np.multiply),
    binary("Div", ops.divide, np.divide, integers=False, swaps=False, given=False),
    binary("Max", ops.maximum, np.maximum),
    binary("Min", ops.minimum, np.minimum),
]
binary("SquaredDifference", ops.squared_difference, lambda a, b: (a - b) ** 2, integers=False)
binary("FloorMod", ops.floor_mod, floor_mod, integers=False, swaps=False, rounds=True, given=False)
binary("Mod", ops.mod, np.fmod, integers=False, swaps=False, rounds=True, given=False)
for text, make_, compute_ in (("Greater", ops.greater, np.greater), ("LessEqual", ops.less_equal, np.less_equal), ("Equal", ops.equal, np.equal)):
    binary(text, make_, compute_, rounds=True, given=False)


@step
def Pow(c, x):
    x = c.real(x)
    shape = constant_shape(c, x.shape)
    y = c.const(np.full(shape, c.pick([2.0, 0.5, 3.0]), np.float32) if c.chance(0.5) else abs(c.values(shape, "f32")))
    base = c.op("Abs", ops.abs(x.port), abs(x.value), x.rounds)
    return c.op("Pow", ops.power(base.port, y.port), base.value ** y.value, x.rounds)


@step
def PRelu(c, x):
    """The slope has one number, one for each channel, or broadcasts without widening."""
    x = c.real(x)
    if x.rank < 2:
        raise NotHere
    if c.chance(0.5):
        shape = (x.shape[1],)
        slope = c.const(c.values(shape, "f32"))
        seen = slope.value.reshape([-1] + [1] * (x.rank - 2))
    else:
        shape = tuple(s if c.chance(0.5) else 1 for s in x.shape)
        slope = c.const(c.values(shape, "f32"))
        seen = slope.value
    return c.op("PRelu", ops.prelu(x.port, slope.port), np.where(x.value < 0, x.value * seen, x.value).astype(np.float32), x.rounds)


@step
def FakeQuantize(c, x):
    """Limits of all, or for each index of an axis; the step keeps away from where a tiny error decides."""
    x = c.real(x)
    shape = [1] * x.rank
    if x.rank and c.chance(0.6):
        axis = c.pick([min(1, x.rank - 1), c.axis(x)])
        shape[axis] = x.shape[axis]
    elif c.chance(0.5):
        shape = []
    scale = np.abs(c.random.standard_normal(shape)).astype(np.float32) + np.float32(0.5)
    low, high, levels = -scale, scale * np.float32(127 / 128), 256
    ports = [c.const(v, show=v is low).port for v in (low, high, low, high)]
    with np.errstate(all="ignore"):
        value = np.round((np.clip(x.value, low, high) - low) / (high - low) * (levels - 1)) / (levels - 1) * (high - low) + low
    return c.op("FakeQuantize", ops.fake_quantize(x.port, *ports, levels), value.astype(np.float32), True)


@step
def Select(c, x):
    condition = c.random.integers(0, 2, constant_shape(c, x.shape)).astype(bool)
    if x.value.dtype == bool:
        x = c.real(x)
    y = other(c, x)
    mask = c.const(condition)
    return c.op("Select", ops.select(mask.port, x.port, y.port), np.where(condition, x.value, y.value), x.rounds)


@step
def Dequantize(c, x):
    """(x - zero point) * scale, as quantised models have it."""
    x = c.real(x)
    shape = [1] * x.rank
    if x.rank and c.chance(0.7):
        axis = c.axis(x)
        shape[axis] = x.shape[axis]
    scale = c.const(np.abs(c.values(shape, "f32")) + np.float32(0.1))
    zero = c.const(np.round(c.values(shape, "f32")))
    difference = c.op("Sub", ops.subtract(x.port, zero.port), x.value - zero.value)
    return c.op("Mul", ops.multiply(difference.port, scale.port), difference.value * scale.value, x.rounds)


@step
def ScaleShift(c, x):
    """Two constants, which the runtime joins with what is before."""
    x = c.real(x)
    scale = c.const(c.values(constant_shape(c, x.shape), "f32"))
    scaled = c.op("Mul", ops.multiply(x.port, scale.port), x.value * scale.value)
    shift = c.const(c.values(constant_shape(c, scaled.shape), "f32"))
    return c.op("Add", ops.add(scaled.port, shift.port), scaled.value + shift.value, x.rounds)


@step
def Gated(c, x):
    """x * sigmoid(x + constant): a branch."""
    x = c.real(x)
    y = c.const(c.values(constant_shape(c, x.shape), "f32"))
    gate = 1 / (1 + np.exp(-(x.value + y.value)))
    return c.op("x*Sigmoid(x+const)", ops.multiply(x.port, ops.sigmoid(ops.add(x.port, y.port))), x.value * gate, x.rounds)


def unary(name, make, compute, rounds=False):
    def apply(c, x):
        x = c.real(x)
        with np.errstate(all="ignore"):
            return c.op(name, make(x.port), compute(x.value).astype(np.float32), x.rounds or rounds)

    STEPS[name] = apply


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


unary("Relu", ops.relu, lambda v: np.maximum(v, 0))
unary("Clamp", lambda p: ops.clamp(p, -0.5, 0.7), lambda v: np.clip(v, -0.5, 0.7))
unary("Sigmoid", ops.sigmoid, sigmoid)
unary("Tanh", ops.tanh, np.tanh)
unary("Swish", lambda p: ops.swish(p), lambda v: v * sigmoid(v))
unary("Gelu", lambda p: ops.gelu(p, "erf"), lambda v: v * 0.5 * (1 + erf(v / math.sqrt(2))))
unary("HSwish", ops.hswish, lambda v: v * np.clip(v + 3, 0, 6) / 6)
unary("Elu", lambda p: ops.elu(p, 0.5), lambda v: np.where(v < 0, 0.5 * (np.exp(np.minimum(v, 0)) - 1), v))
unary("SoftPlus", ops.softplus, lambda v: np.logaddexp(0, v))
unary("Abs", ops.abs, np.abs)
unary("Negative", ops.negative, np.negative)
unary("Exp", lambda p: ops.exp(ops.clamp(p, -3.0, 2.0)), lambda v: np.exp(np.clip(v, -3, 2)))
unary("Sqrt", lambda p: ops.sqrt(ops.abs(p)), lambda v: np.sqrt(np.abs(v)))
unary("Floor", ops.floor, np.floor, rounds=True)
unary("Erf", ops.erf, erf)


def conversion(name, kind, there):
    def apply(c, x):
        if x.value.dtype == there:
            raise NotHere
        scaled = x
        if x.value.dtype.kind == "f" and np.dtype(there).kind in "iu":
            x = c.real(x)
            four = c.const(np.float32(4), show=False)
            scaled = c.op("Mul 4", ops.multiply(ops.abs(x.port), four.port), abs(x.value) * 4, x.rounds)
            if kind == "u8":
                scaled = Traced(ops.minimum(scaled.port, ops.constant(np.float32(200))).output(0), np.minimum(scaled.value, 200), x.rounds)
        return c.op("Convert " + kind, ops.convert(scaled.port, kind), scaled.value.astype(there), True if np.dtype(there).kind in "iu" else x.rounds)

    STEPS[name] = apply


conversion("ToI32", "i32", np.int32)
conversion("ToU8", "u8", np.uint8)
conversion("ToF16", "f16", np.float16)
