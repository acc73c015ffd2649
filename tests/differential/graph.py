"""A random ONNX graph that is computed while it grows.

Each new node is run by ONNX Runtime alone, so its results are known before it is kept: shapes need no rules here, and what would give NaN, infinity or
another error is not added. The graph's expected results are these values.
"""
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

FLOATS, INTEGERS = ("float32",), ("int64", "int32")
LARGEST = 4096  # elements of a value
#: Values of other types than these go no further.
TYPES = {"float32", "int64", "int32", "bool", "uint8", "int8"}


class Value:
    """`data`: a NumPy array, or a list of them for a sequence. `fixed`: a constant of the model. `open`: its sizes may be unknown to the converter."""

    def __init__(self, name, data, fixed=False, open=False):
        self.name, self.data, self.fixed, self.open = name, data, fixed, open

    @property
    def is_sequence(self):
        return isinstance(self.data, list)

    @property
    def shape(self):
        return self.data.shape

    @property
    def rank(self):
        return self.data.ndim

    @property
    def type(self):
        return self.data.dtype.name


class Impossible(Exception):
    """This step cannot be made of the values that there are."""


def type_info(name, data, shape=None):
    if isinstance(data, list):
        kind = helper.np_dtype_to_tensor_dtype(data[0].dtype) if data else TensorProto.FLOAT
        return helper.make_tensor_sequence_value_info(name, kind, None)
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(data.dtype), list(data.shape) if shape is None else shape)


class Graph:
    """`rng` decides everything, so one number gives one graph."""

    def __init__(self, rng, opset):
        self.rng, self.opset = rng, opset
        self.inputs, self.constants, self.nodes, self.values, self.count = [], [], [], [], 0
        self.open = rng.random() < 0.4

    def chance(self, of):
        return self.rng.random() < of

    def choice(self, items):
        return items[int(self.rng.integers(len(items)))]

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    # Values

    def draw(self, shape, type="float32", low=-2, high=2):
        if type == "bool":
            return self.rng.random(shape) < 0.5
        if type == "float32":
            return self.rng.uniform(low, high, shape).astype(np.float32)
        return self.rng.integers(int(low), int(high) + 1, shape).astype(type)

    def input(self, shape, type="float32", low=-2, high=2):
        value = Value(self.name("x"), self.draw(shape, type, low, high), open=self.open)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def constant(self, data):
        value = Value(self.name("c"), np.asarray(data), True)
        self.constants.append(value)
        return value

    def given(self, data):
        """A constant, or sometimes an input: its values are unknown to the converter then, its sizes are not."""
        if self.chance(0.8):
            return self.constant(data)
        value = Value(self.name("x"), np.asarray(data))
        self.inputs.append(value)
        return value

    def pick(self, types=FLOATS, ranks=None, when=lambda value: True):
        """A value that is there. Later ones are likelier, so graphs grow deep."""
        found = [v for v in self.values if not v.is_sequence and v.type in types and (ranks is None or v.rank in ranks) and when(v)]
        if not found:
            raise Impossible
        weights = np.arange(1, len(found) + 1, dtype=float)
        return found[int(self.rng.choice(len(found), p=weights / weights.sum()))]

    def sequence(self):
        found = [v for v in self.values if v.is_sequence]
        if not found:
            raise Impossible
        return self.choice(found)

    def axis(self, value, negative=True):
        if value.rank == 0:
            raise Impossible
        axis = int(self.rng.integers(value.rank))
        return axis - value.rank if negative and self.chance(0.3) else axis

    def like(self, value, low=-2, high=2):
        """Another value that broadcasts with this one: of this graph, or new."""
        if self.chance(0.4):
            fits = [v for v in self.values if not v.is_sequence and v.type == value.type and broadcasts(v.shape, value.shape)]
            if fits:
                return self.choice(fits)
        shape = [1 if self.chance(0.3) else size for size in value.shape]
        return self.given(self.draw(shape[int(self.rng.integers(len(shape) + 1)):], value.type, low, high))

    # Nodes

    def node(self, op, inputs, outputs=1, domain="", keep=True, **attributes):
        """Runs the operation and adds it. Its first results are returned; () in `outputs` leaves one out."""
        wanted = [True] * outputs if isinstance(outputs, int) else outputs
        names = [self.name("v") if one else "" for one in wanted]
        made = helper.make_node(op, [v.name if v else "" for v in inputs], names, name=self.name(f"{op}_"), domain=domain, **attributes)
        results = run(made, [v for v in inputs if v], self.opset, self.captured(made))
        values = [Value(name, data) for name, data in zip([n for n in names if n], results)]
        for value in values:
            for data in value.data if value.is_sequence else [value.data]:
                if data.dtype.name not in TYPES or not 0 < data.size <= LARGEST or (data.dtype.kind == "f" and not np.all(np.abs(data) < 1e4)) or (data.dtype.kind in "iu" and np.any(np.abs(data.astype(float)) > 1e6)):
                    raise Impossible
        self.nodes.append(made)
        if keep:
            self.values += values
        return values[0] if len(values) == 1 else values

    def captured(self, node):
        """The values of this graph that bodies of the node read."""
        known = {v.name: v for v in [*self.values, *self.constants, *self.inputs]}
        read, own = set(), set()
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                for inner in attribute.g.node:
                    read |= set(inner.input)
                    own |= set(inner.output)
                read |= {one.name for one in attribute.g.output}
                own |= {one.name for one in attribute.g.input}
        return [known[name] for name in sorted(read - own) if name in known]

    # The model

    def outputs(self):
        """What nobody reads, and some others."""
        read = {name for node in self.nodes for name in node.input}
        made = [v for v in self.values if not any(v is one for one in self.inputs)]
        return [v for v in made if not v.is_sequence and (v.name not in read or self.chance(0.1))]

    def model(self, outputs):
        """With all nodes that the outputs need. Where sizes are open, dimensions of inputs have names, or nothing."""
        needed, nodes = {v.name for v in outputs}, []
        for node in reversed(self.nodes):
            if needed & set(node.output):
                nodes.insert(0, node)
                needed |= set(node.input) | {v.name for v in self.captured(node)}
        inputs = [v for v in self.inputs if v.name in needed]
        shapes = np.random.default_rng(len(self.nodes))

        def shape_of(value):
            return [None if value.open and shapes.random() < 0.6 else size for size in value.shape]
        graph = helper.make_graph(nodes, "g", [type_info(v.name, v.data, shape_of(v)) for v in inputs],
                                  [type_info(v.name, v.data, [None] * v.rank) for v in outputs],
                                  [numpy_helper.from_array(v.data, v.name) for v in self.constants if v.name in needed])
        return model_of(graph, self.opset), {v.name: v.data for v in inputs}


def broadcasts(a, b):
    return len(a) <= len(b) and all(x in (1, y) for x, y in zip(a[::-1], b[::-1]))


def model_of(graph, opset):
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)])


def run(node, inputs, opset, captured=()):
    unique = {v.name: v for v in [*inputs, *captured]}
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
    graph = helper.make_graph([node], "one", [type_info(v.name, v.data, [None] * v.rank if not v.is_sequence else None) for v in unique.values() if not v.fixed], outputs,
                              [numpy_helper.from_array(v.data, v.name) for v in unique.values() if v.fixed])
    try:
        session = ort.InferenceSession(model_of(graph, opset).SerializeToString(), OPTIONS, providers=["CPUExecutionProvider"])
        return session.run(None, {v.name: v.data for v in unique.values() if not v.fixed})
    except Exception as error:  # ONNX Runtime has no common class for what it throws
        raise Impossible(str(error)) from None


OPTIONS = ort.SessionOptions()
OPTIONS.log_severity_level = 4
OPTIONS.intra_op_num_threads = 1
OPTIONS.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
