#!/usr/bin/env python3
"""Random graphs of TensorFlow, written as frozen graphs with what TensorFlow computes of them. A program of .venv-tf, which run.py asks.

It takes a line of JSON for each graph, {"seed", "folder", "output"}: "output" is the number of the only output, or null for all that nobody reads. It writes
m.pb and data.npz (feeds "x/NAME", results "y/NAME", and results of inputs that differ in the last digits, "z/NAME"), and answers with
{"operations", "values"}: types of nodes, and how many values may be asked for alone. There are none where it makes no graph.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402

if __name__ == "__main__":
    environment.in_environment()

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

import tf_steps  # noqa: E402
from values import Impossible, Value, Values, is_usable  # noqa: E402


NOTHING = {"operations": [], "values": 0}


def called(function, tensors, names):
    result = function(**dict(zip(names, tensors))) if names else function(*tensors)
    return list(result) if isinstance(result, (list, tuple)) else [result]


class Graph(Values):
    def __init__(self, rng):
        super().__init__(rng)
        self.steps = []  # (function, names of its arguments, what it reads, what it gives)

    def add(self, function, reads, names=()):
        try:
            results = [np.asarray(result) for result in called(function, [tf.constant(v.data) for v in reads], names)]
        except (tf.errors.OpError, ValueError, TypeError) as error:
            raise Impossible(str(error)) from None
        if not all(map(is_usable, results)):
            raise Impossible
        gives = [Value(self.name("v"), result) for result in results]
        self.steps.append((function, names, reads, gives))
        self.values += gives

    def made(self):
        return [value for _, _, _, gives in self.steps for value in gives]

    def outputs(self):
        read = {v.name for _, _, reads, _ in self.steps for v in reads}
        return [v for v in self.made() if v.name not in read or self.chance(0.1)]

    def written(self, outputs):
        """The graph with all that the outputs need, and its inputs."""
        needed, steps = {v.name for v in outputs}, []
        for step in reversed(self.steps):
            if needed & {v.name for v in step[3]}:
                steps.insert(0, step)
                needed |= {v.name for v in step[2]}
        sizes = np.random.default_rng(len(self.steps))
        inputs = [v for v in self.inputs if v.name in needed]
        graph = tf.Graph()
        with graph.as_default():
            tensors = {v.name: tf.compat.v1.placeholder(v.type, [None if v.open and sizes.random() < 0.6 else n for n in v.shape], v.name) for v in inputs}
            tensors.update({v.name: tf.constant(v.data, name=v.name) for v in self.constants if v.name in needed})
            for function, names, reads, gives in steps:
                for value, tensor in zip(gives, called(function, [tensors[v.name] for v in reads], names)):
                    tensors[value.name] = tensor
            for value in outputs:
                tf.identity(tensors[value.name], name=value.name)
        return graph, inputs


def grown(seed):
    rng = np.random.default_rng(seed)
    g = Graph(rng)
    for _ in range(int(rng.integers(1, 4))):
        g.input([int(n) for n in rng.integers(1, 5, int(rng.integers(0, 5)))], "float32" if rng.random() < 0.8 else "int32")
    for _ in range(int(rng.integers(1, 13))):
        try:
            g.add(*g.choice(tf_steps.STEPS)(g))
        except Impossible:
            pass
    return g


def results(graph, feeds, outputs):
    with tf.compat.v1.Session(graph=graph) as session:
        return session.run({v.name: f"{v.name}:0" for v in outputs}, {f"{name}:0": array for name, array in feeds.items()})


def write(seed, folder, output):
    g = grown(seed)
    outputs = g.outputs() if output is None else [g.made()[output]]
    if not outputs:
        return NOTHING
    try:
        graph, inputs = g.written(outputs)
    except (ValueError, TypeError):  # with sizes that are not known TensorFlow makes no such graph
        return NOTHING
    feeds = {v.name: v.data for v in inputs}
    rng = np.random.default_rng(1)
    moved = {name: data if data.dtype != np.float32 else np.asarray(data * (1 + rng.uniform(-1e-6, 1e-6, data.shape)), np.float32) for name, data in feeds.items()}
    arrays = {f"x/{name}": data for name, data in feeds.items()}
    arrays.update({f"y/{name}": np.asarray(data) for name, data in results(graph, feeds, outputs).items()})
    arrays.update({f"z/{name}": np.asarray(data) for name, data in results(graph, moved, outputs).items()})
    np.savez(os.path.join(folder, "data.npz"), **arrays)
    definition = graph.as_graph_def()
    with open(os.path.join(folder, "m.pb"), "wb") as file:
        file.write(definition.SerializeToString())
    nodes = [*definition.node, *(node for function in definition.library.function for node in function.node_def)]
    return {"operations": [node.op for node in nodes], "values": len(g.made())}


def main():
    answers = os.fdopen(os.dup(1), "w")  # what libraries print is no answer
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(write(request["seed"], request["folder"], request["output"])), file=answers, flush=True)


if __name__ == "__main__":
    main()
