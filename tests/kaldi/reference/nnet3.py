"""A network of nnet3 over an utterance: which node can be computed at which time, and what it is, as nnet-computation-graph.cc has it.

What an optional term adds does not decide whether a node can be computed, so recurrences end where the input does.
"""
import math
import re
import sys

from kaldi.reference import descriptor, dims, frames, simple

MARGIN = 64  # beyond the frames of the input nothing can be computed, but for constants, which nobody asks for so far away
sys.setrecursionlimit(200000)


def fields_of(line):
    kind, rest = line.split(None, 1)
    keys = [*re.finditer(r"(?:^|\s)([\w-]+)=", rest)]
    ends = [key.start() for key in keys[1:]] + [len(rest)]
    return kind, {key[1]: rest[key.end():end].strip() for key, end in zip(keys, ends)}


class Nodes:
    """The nodes of a network by name, with their descriptors."""

    def __init__(self, network):
        self.components = dict(network.components)
        self.nodes, self.outputs, self.inputs = {}, [], {}
        for kind, facts in map(fields_of, network.lines):
            facts["kind"] = kind
            name = facts["name"]
            if kind in ("component-node", "output-node"):
                facts["term"] = descriptor.parse(facts["input"])
            if kind == "component-node":
                facts["component"] = self.components[facts["component"]]
            if kind == "input-node":
                self.inputs[name] = int(facts["dim"])
            if kind == "output-node":
                self.outputs.append(name)
            self.nodes[name] = facts

    def dim(self, name):
        facts = self.nodes[name]
        if "dim" in facts:
            return int(facts["dim"])
        return dims.of_component(facts["component"]) if facts["kind"] == "component-node" else descriptor.dim(facts["term"], self.dim)

    def ahead(self, name, at_one_time=False, seen=()):
        """How many frames after its own a node reads, all optional ones included: by so many frames an output is late."""
        facts = self.nodes[name]
        if facts["kind"] == "input-node":
            return descriptor.NEVER if at_one_time else 0
        if name in seen:
            return descriptor.NEVER
        if facts["kind"] == "dim-range-node":
            return self.ahead(facts["input-node"], at_one_time, seen)
        reach = (0, 0)
        if facts["kind"] == "component-node" and facts["component"].type in frames.KINDS:
            reach = frames.KINDS[facts["component"].type].reach(facts["component"])
            if reach is None:
                return descriptor.NEVER
            if reach[1] >= frames.StatisticsPooling.FAR:
                reach = (0, 0)  # a window without practical bound: it is what has come so far
        return reach[1] + descriptor.ahead(facts["term"], lambda part, at_one_time=False: self.ahead(part, at_one_time, (*seen, name)))

    def delay(self, outputs=None):
        return max(0, *(self.ahead(name) for name in outputs or self.outputs))

    def below(self, outputs):
        """Those nodes, and all that they read."""
        found, names = {}, [*outputs]
        while names:
            name = names.pop()
            if name not in found:
                facts = found[name] = self.nodes[name]
                names += descriptor.names_of(facts["term"]) if "term" in facts else [facts["input-node"]] if "input-node" in facts else []
        return found

    def modulus(self):
        """nnet3 may compute other things at times that are no multiples of this apart."""
        numbers = [1]
        for facts in self.nodes.values():
            if "term" in facts:
                terms = [facts["term"]]
                while terms:
                    term = terms.pop()
                    terms += term.parts
                    numbers.append(term.modulus if term.kind == "Round" else len(term.parts) if term.kind == "Switch" else 1)
            if facts["kind"] == "component-node":
                numbers += [facts["component"].get(period, 1) for period in ("OutputPeriod", "InputPeriod")]
        return math.lcm(*numbers)

    def contexts(self, outputs=None):
        """As ComputeSimpleNnetContext() finds them: by asking which outputs can be computed from a window."""
        lefts, rights = [0], [0]
        for output in outputs or self.outputs:
            for start in range(self.modulus()):
                window = 40
                while window <= 800:
                    asked = Times(self, start, start + window)
                    can = [asked.computable(output, t) for t in range(start, start + window)]
                    first = can.index(True) if True in can else window
                    end = can.index(False, first) if False in can[first:] else window
                    if first < window:
                        lefts.append(first)
                        rights.append(window - end)
                        break
                    window *= 2
        return max(lefts), max(rights)


class Times:
    """Which node can be computed when, if the input has the frames from `begin` to before `end`."""

    def __init__(self, nodes, begin, end):
        self.nodes, self.begin, self.end, self.known = nodes, begin, end, {}

    def computable(self, name, t):
        if (name, t) not in self.known:
            self.known[name, t] = False  # a term that needs itself cannot be computed
            self.known[name, t] = self.ask(name, t)
        return self.known[name, t]

    def ask(self, name, t):
        facts = self.nodes.nodes[name]
        if facts["kind"] == "input-node":
            return name == "ivector" or self.begin <= t < self.end
        if not self.begin - MARGIN <= t < self.end + MARGIN:
            return False
        if facts["kind"] == "dim-range-node":
            return self.computable(facts["input-node"], t)
        term = facts["term"]
        if facts["kind"] == "component-node" and facts["component"].type in frames.KINDS:
            return frames.KINDS[facts["component"].type].computable(facts["component"], t, lambda at: descriptor.computable(term, at, self.computable))
        return descriptor.computable(term, t, self.computable)


class Utterance(Times):
    """`inputs`: (the time of its first frame, the frames) by name; of the i-vector any one row."""

    def __init__(self, nodes, inputs):
        begin, rows = inputs["input"]
        super().__init__(nodes, begin, begin + len(rows))
        self.inputs, self.values = inputs, {}

    def run(self):
        """Computes everything in the order of time, so that what a recurrence reads is known already. Without it, what is asked for is computed alone."""
        for t in range(self.begin - MARGIN, self.end + MARGIN):
            for name in self.nodes.nodes:
                self.computable(name, t)
        for t in range(self.begin - MARGIN, self.end + MARGIN):
            for name in self.nodes.nodes:
                if self.computable(name, t):
                    self.value(name, t)
        return self

    def dim(self, name):
        return self.nodes.dim(name)

    def value(self, name, t):
        if (name, t) not in self.values:
            self.values[name, t] = self.make(name, t)
        return self.values[name, t]

    def make(self, name, t):
        facts = self.nodes.nodes[name]
        if facts["kind"] == "input-node":
            begin, rows = self.inputs[name]
            return rows[0 if name == "ivector" else t - begin]
        if facts["kind"] == "dim-range-node":
            first = int(facts["dim-offset"])
            return self.value(facts["input-node"], t)[first:first + int(facts["dim"])]
        term = facts["term"]
        if facts["kind"] == "output-node":
            return descriptor.value(term, t, self)
        component = facts["component"]
        if component.type in frames.KINDS:
            return frames.KINDS[component.type].value(
                component, t, lambda at: descriptor.computable(term, at, self.computable), lambda at: descriptor.value(term, at, self))
        return simple.run(component, descriptor.value(term, t, self))
