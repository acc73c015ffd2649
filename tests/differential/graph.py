"""A random ONNX graph that is computed while it grows.

Each new node is run by ONNX Runtime alone, so its results are known before it is kept: shapes need no rules here, and what would give NaN, infinity or
another error is not added. The graph's expected results are these values.
"""
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

from values import Impossible, Value, Values, is_usable


def type_info(name, data, shape=None):
    if isinstance(data, list):
        kind = helper.np_dtype_to_tensor_dtype(data[0].dtype) if data else TensorProto.FLOAT
        return helper.make_tensor_sequence_value_info(name, kind, None)
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(data.dtype), list(data.shape) if shape is None else shape)


class Graph(Values):
    """`rng` decides everything, so one number gives one graph."""

    def __init__(self, rng, opset):
        super().__init__(rng)
        self.opset, self.nodes = opset, []

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
                if not is_usable(data):
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
