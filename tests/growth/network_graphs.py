"""Layers of Caffe and networks of Kaldi, repeated as onnx_graphs.py repeats ONNX's operations."""
import dataclasses
import os
import re
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "caffe")]
import every  # noqa: E402
import wire  # noqa: E402
from kaldi import files  # noqa: E402
from kaldi.networks import CASES, ENDINGS, refused  # noqa: E402
from kaldi.networks.build import Weights  # noqa: E402
from kaldi.networks.chains import affine1, affine2  # noqa: E402


class Layers:
    """A network of Caffe. Its inputs are shared; each layer of a repetition has weights of its own."""

    suffix, options = ".prototxt", []
    NAMES = re.compile(r'\b(name|bottom|top): "([^"]*)"')

    def __init__(self, name):
        self.name, self.net = name, every.build(name)
        self.shared = [line for line in self.net.lines if not self.is_layer(line)]
        self.body = [line for line in self.net.lines if self.is_layer(line)]
        self.own = {found[1] for line in self.body for found in self.NAMES.findall(line) if found[0] == "top"} - self.net.feeds.keys()
        self.ops, self.size = {kind for _, kind, _ in self.net.layers}, max(len(self.body), 1)
        self.weights = {}

    def is_layer(self, line):
        return line.startswith("layer") and any(f'name: "{name}"' in line for name, _, _ in self.net.layers)

    @property
    def beside(self):
        return self.weights

    def links(self):
        shapes = {name: value.shape for name, value in self.net.values.items()}
        return [(out, into) for out in self.net.results() if out in self.own for into in self.net.feeds if shapes[out] == shapes[into]]

    def repeated(self, n, link=None):
        lines = list(self.shared)
        for k in range(n):
            def name(found, k=k):
                field, one = found.groups()
                if link and k and field == "bottom" and one == link[1]:
                    one = f"{link[0]}_{k - 1}"
                elif field == "name" or one in self.own:
                    one = f"{one}_{k}"
                return f'{field}: "{one}"'
            lines += [self.NAMES.sub(name, line) for line in self.body]
        layers = [(f"{name}_{k}", kind, blobs) for k in range(n) for name, kind, blobs in self.net.layers]
        self.weights = {".caffemodel": wire.network(layers, "net", 2, "shape")} if any(blobs for _, _, blobs in layers) else {}
        return ("\n".join(lines) + "\n").encode()

    def chain(self, n, link):
        return self.repeated(n, link)

    def copies(self, n):
        return self.repeated(n)


class Nodes:
    """A network of nnet3. Components and inputs are shared; each output of each repetition is a result."""

    options, beside = [], {}
    WORD = re.compile(r"[A-Za-z_][\w.\-]*")
    LINE = re.compile(r"(component-node|dim-range-node|output-node) name=(\S+)(.*)")

    def __init__(self, case, network):
        self.name, self.case, self.network = case.name, case, network
        self.suffix = ".mdl" if network.transition else ENDINGS[network.generation]
        self.shared = [line for line in network.lines if not self.LINE.match(line)]
        self.body = [self.LINE.match(line).groups() for line in network.lines if self.LINE.match(line)]
        self.own = {name for kind, name, _ in self.body if kind != "output-node"}
        self.ops, self.size = {component.type for _, component in network.components}, max(len(self.body), 1)

    def links(self):
        """The first output, where it is a node as it is."""
        for kind, _, rest in self.body:
            found = re.search(r"input=(\S+)", rest)
            if kind == "output-node" and found and found[1] in self.own:
                return [(found[1], "input")]
        return []

    def repeated(self, n, link=None):
        lines = list(self.shared)
        for k in range(n):
            def name(found, k=k):
                one = found[0]
                if link and k and one == link[1]:
                    return f"{link[0]}_{k - 1}"
                return f"{one}_{k}" if one in self.own else one
            for kind, own, rest in self.body:
                if link and k < n - 1 and kind == "output-node":
                    continue
                rest = re.sub(r"\b(input|input-node)=(.*?)(?= dim-offset=| objective=|$)", lambda found: f"{found[1]}={self.WORD.sub(name, found[2])}", rest)
                lines.append(f"{kind} name={own if kind == 'output-node' and (link or not k) else f'{own}_{k}'}{rest}")
        return files.to_bytes(dataclasses.replace(self.network, lines=lines), self.case.binary)

    def chain(self, n, link):
        return self.repeated(n, link)

    def copies(self, n):
        return self.repeated(n)


def size_of(component, name, axis):
    """Of the inputs or outputs of a component of nnet2; None where only what is before it says that."""
    matrix = component.get("LinearParams", component.get("Params"))
    return component.get(name, component.get("Dim", None if matrix is None else matrix.shape[axis]))


class Components:
    """A network of nnet1 or nnet2: its components one after the other, n times. Between two of them an affine component makes the numbers of
    inputs that the next one takes."""

    options, beside = [], {}

    def __init__(self, case, network):
        self.name, self.case, self.network = case.name, case, network
        self.suffix = ".mdl" if network.transition else ENDINGS[network.generation]
        self.ops, self.size = {component.type for component in network.components}, max(len(network.components), 1)

    def links(self):
        return [("output", "input")]

    def between(self):
        first, last = self.network.components[0], self.network.components[-1]
        weights = Weights(self.name)
        if self.network.generation == "nnet1":
            made = affine1(weights, first.inputs, last.outputs)
            made.inputs = last.outputs
            return [] if first.inputs == last.outputs else [made]
        inputs, outputs = size_of(first, "InputDim", 1), size_of(last, "OutputDim", 0)
        return [] if None in (inputs, outputs) or inputs == outputs else [affine2(weights, inputs, outputs)]

    def chain(self, n, link):
        components = n * [*self.network.components, *self.between()]
        return files.to_bytes(dataclasses.replace(self.network, components=components), self.case.binary)

    def copies(self, n):
        return None


def caffe():
    for name in every.LAYERS:
        seed = Layers(name)
        if seed.own:
            yield seed


def kaldi():
    for name, case in CASES.items():
        if name not in refused.NETWORKS:
            network = case.network()
            yield Nodes(case, network) if network.generation == "nnet3" else Components(case, network)
