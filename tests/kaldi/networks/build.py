"""Puts a network of nnet3 together, line by line, with weights from a seed."""
import zlib

import numpy as np

from kaldi import files
from kaldi.files import Component


class Weights:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed if isinstance(seed, int) else zlib.crc32(seed.encode()))

    def matrix(self, rows, columns, scale=None):
        """Of a size that keeps sums about as large as what is summed."""
        return (self.random.standard_normal((rows, columns)) * (columns ** -0.5 if scale is None else scale)).astype(np.float32)

    def vector(self, size, scale=0.3, middle=0.0):
        return (middle + self.random.standard_normal(size) * scale).astype(np.float32)

    def positive(self, size, low=0.5, high=1.5):
        return self.random.uniform(low, high, size).astype(np.float32)

    def affine(self, outputs, inputs, type="NaturalGradientAffineComponent", **more):
        return Component(type, LinearParams=self.matrix(outputs, inputs), BiasParams=self.vector(outputs), **more)

    def linear(self, outputs, inputs, **more):
        return Component("LinearComponent", Params=self.matrix(outputs, inputs), **more)

    def batch_norm(self, dim, block=None, rms=1.0):
        block = block or dim
        return Component("BatchNormComponent", Dim=dim, BlockDim=block, TargetRms=rms, StatsMean=self.vector(block), StatsVar=self.positive(block))

    def nonlinear(self, type, dim, **more):
        """With statistics as training leaves them."""
        return Component(type, Dim=dim, ValueAvg=self.positive(dim), DerivAvg=self.positive(dim), Count=512.0, **more)

    def relu(self, dim):
        return self.nonlinear("RectifiedLinearComponent", dim, SelfRepairScale=1e-5)

    def tdnn(self, outputs, inputs, offsets, bias=True, **more):
        return Component("TdnnComponent", TimeOffsets=offsets, LinearParams=self.matrix(outputs, inputs * len(offsets)),
                         BiasParams=self.vector(outputs if bias else 0), **more)


class Network3(Weights):
    """Names of nodes are given; a component has the name of the node that it was made for."""

    def __init__(self, seed, dim=6, ivector=0):
        super().__init__(seed)
        self.lines, self.components = [], []
        if ivector:
            self.lines.append(f"input-node name=ivector dim={ivector}")
        self.lines.append(f"input-node name=input dim={dim}")

    def node(self, name, descriptor, component):
        """`component`: one of its own, or the name of another node's."""
        if not isinstance(component, str):
            self.components.append((name, component))
            component = name
        self.lines.append(f"component-node name={name} component={component} input={descriptor}")
        return name

    def part(self, name, node, first, dim):
        self.lines.append(f"dim-range-node name={name} input-node={node} dim-offset={first} dim={dim}")
        return name

    def output(self, descriptor, name="output", objective="linear"):
        self.lines.append(f"output-node name={name} input={descriptor} objective={objective}")
        return self

    def made(self, **more):
        return files.Network("nnet3", self.components, self.lines, **more)


def chain1(seed, inputs, *layers):
    """nnet1: each layer is a component without its number of inputs."""
    for layer in layers:
        layer.inputs, inputs = inputs, layer.outputs
    return files.Network("nnet1", [*layers])


def chain2(*layers, **more):
    return files.Network("nnet2", [*layers], **more)
