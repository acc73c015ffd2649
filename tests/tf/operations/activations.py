"""Activations."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

for kind in ("Relu", "Relu6", "Elu", "Selu", "Softplus", "Softsign"):
    case(kind, features=fed(2, 3, 4, low=-8, high=8))
case("Relu", "image", unknown=(0, 1, 2), features=fed(1, 3, 3, 4))
case("Relu", "int32", features=fed(6, dtype=np.int32, low=-9, high=9))
case("LeakyRelu", unknown=(0,), features=fed(2, 3, 4, low=-3, high=3))
case("LeakyRelu", "alpha", features=fed(2, 3, 4, low=-3, high=3), alpha=0.05)
for kind in ("Softmax", "LogSoftmax"):
    case(kind, unknown=(0,), logits=fed(3, 5, low=-3, high=3))
case("Softmax", "three", unknown=(0, 1), logits=fed(2, 3, 4, low=-3, high=3))
case("Softmax", "vector", logits=fed(5, low=-3, high=3))


def raw():
    import tensorflow as tf
    return tf.raw_ops


@family.graph("swish", unknown=(0,))
def swish(building):
    x = building.fed("x", fed(2, 5, low=-4, high=4))
    return [raw().Mul(x=x, y=raw().Sigmoid(x=x), name="result")]


@family.graph("gelu", unknown=(0,))
def gelu(building):
    x = building.fed("x", fed(2, 5, low=-4, high=4))
    return [raw().Mul(x=raw().Mul(x=x, y=0.5), y=raw().AddV2(x=raw().Erf(x=raw().RealDiv(x=x, y=1.4142135)), y=1.0), name="result")]


@family.graph("gelu_tanh")
def gelu_tanh(building):
    x = building.fed("x", fed(2, 5, low=-4, high=4))
    inner = raw().Mul(x=raw().AddV2(x=x, y=raw().Mul(x=raw().Pow(x=x, y=3.0), y=0.044715)), y=0.7978846)
    return [raw().Mul(x=raw().Mul(x=x, y=0.5), y=raw().AddV2(x=raw().Tanh(x=inner), y=1.0), name="result")]


@family.graph("hard_swish")
def hard_swish(building):
    x = building.fed("x", fed(1, 3, 3, 4, low=-5, high=5))
    return [raw().Mul(x=x, y=raw().Mul(x=raw().Relu6(features=raw().AddV2(x=x, y=3.0)), y=1 / 6), name="result")]


@family.graph("mish")
def mish(building):
    x = building.fed("x", fed(2, 5, low=-4, high=4))
    return [raw().Mul(x=x, y=raw().Tanh(x=raw().Softplus(features=x)), name="result")]


@family.graph("prelu")
def prelu(building):
    x = building.fed("x", fed(1, 3, 3, 4))
    negative = raw().Neg(x=raw().Relu(features=raw().Neg(x=x)))
    return [raw().AddV2(x=raw().Relu(features=x), y=raw().Mul(x=building.fixed(fixed(4), "alpha"), y=negative), name="result")]
