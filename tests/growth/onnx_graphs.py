"""An ONNX model, repeated: chains, copies, diamonds, and nodes with many inputs.

A `Seed` is a small valid model. `write(seed, kind, n)` is the bytes of one with about n nodes, or None where the kind does not fit.
"""
import copy

import onnx
from onnx import helper

from protobuf import field

NODES, NAME, INITIALIZERS, INPUTS, OUTPUTS = 1, 2, 5, 11, 12  # fields of GraphProto
GRAPH = 7  # of ModelProto


class Seed:
    """`carried`: which output feeds which input of the next repetition in a chain."""

    def __init__(self, name, model):
        self.name, self.model = name, model
        graph = model.graph
        held = {t.name for t in graph.initializer} | {t.values.name for t in graph.sparse_initializer}
        self.inputs = [i for i in graph.input if i.name not in held]
        self.made = {o for node in graph.node for o in node.output if o}
        self.has_bodies = any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS) for node in graph.node for a in node.attribute)

    def links(self):
        """Pairs (output, input) that a chain may use, the most alike first."""
        pairs = []
        for out in self.model.graph.output:
            for into in self.inputs:
                unlike = likeness(out.type, into.type)
                if unlike is not None:
                    pairs.append((unlike, len(pairs), out.name, into.name))
        return [(out, into) for _, _, out, into in sorted(pairs)]


def likeness(a, b):
    """0: equal types; more: types whose shapes differ; None: other types."""
    if a.WhichOneof("value") != b.WhichOneof("value"):
        return None
    if a.WhichOneof("value") != "tensor_type":
        return 0 if a == b else 1
    if a.tensor_type.elem_type != b.tensor_type.elem_type:
        return None
    dims = [[(d.dim_value, d.dim_param) for d in t.tensor_type.shape.dim] for t in (a, b)]
    return 0 if dims[0] == dims[1] else 1 if len(dims[0]) == len(dims[1]) else 2


class Template:
    """The nodes of a seed as bytes in which names can be replaced."""

    def __init__(self, seed):
        self.seed, self.parts = seed, []
        if not seed.has_bodies:
            for node in seed.model.graph.node:
                rest = copy.deepcopy(node)
                del rest.input[:]
                del rest.output[:]
                rest.ClearField("name")
                self.parts.append((list(node.input), list(node.output), node.name, rest.SerializeToString()))

    def fields(self, suffix, renamed):
        """Fields of a GraphProto with the nodes once more; `renamed` are other names than the suffix makes."""
        made = self.seed.made
        name = lambda n: renamed.get(n) or (n + suffix if n in made else n)
        if self.seed.has_bodies:
            out = []
            for node in self.seed.model.graph.node:
                again = copy.deepcopy(node)
                rename(again, name)
                if again.name:
                    again.name += suffix
                out.append(field(NODES, again.SerializeToString()))
            return b"".join(out)
        return b"".join(
            field(NODES, b"".join(field(1, name(i)) for i in inputs) + b"".join(field(2, name(o)) for o in outputs) + (field(3, own + suffix) if own else b"") + rest)
            for inputs, outputs, own, rest in self.parts)


def rename(node, name):
    """Renames tensors of the outer graph in a node and in its bodies."""
    for names in (node.input, node.output):
        names[:] = [name(n) if n else n for n in names]
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            own = {i.name for i in graph.input} | {t.name for t in graph.initializer} | {o for inner in graph.node for o in inner.output}
            inside = lambda n, own=own: n if n in own else name(n)
            for inner in graph.node:
                rename(inner, inside)
            for output in graph.output:
                output.name = inside(output.name)


def model(seed, parts, inputs, outputs):
    """The seed's model with these fields of nodes, inputs and outputs."""
    head = onnx.ModelProto()
    head.CopyFrom(seed.model)
    head.ClearField("graph")
    graph = onnx.GraphProto()
    graph.CopyFrom(seed.model.graph)
    for cleared in ("node", "input", "output", "value_info"):
        graph.ClearField(cleared)
    tail = b"".join(field(INPUTS, i.SerializeToString()) for i in inputs) + b"".join(field(OUTPUTS, o if isinstance(o, bytes) else o.SerializeToString()) for o in outputs)
    return head.SerializeToString() + field(GRAPH, b"".join(parts) + graph.SerializeToString() + tail)


def untyped(name):
    return onnx.ValueInfoProto(name=name)


def output(seed, name, new):
    """The graph's output `name` under another name, with its type but without its shape."""
    value = onnx.ValueInfoProto()
    value.CopyFrom(next(o for o in seed.model.graph.output if o.name == name))
    value.name = new
    if value.type.WhichOneof("value") == "tensor_type":
        value.type.tensor_type.ClearField("shape")
    return value


def all_inputs(seed):
    return list(seed.model.graph.input)


def chain(seed, n, link):
    """Each repetition reads what the one before made."""
    out, into = link
    template, parts, last = Template(seed), [], None
    for k in range(n):
        parts.append(template.fields(f"_{k}", {into: last} if last else {}))
        last = f"{out}_{k}" if out in seed.made else out
    return model(seed, parts, all_inputs(seed), [output(seed, out, last)])


def copies(seed, n):
    """Each repetition reads the same tensors, and all results are outputs of the model."""
    template = Template(seed)
    parts = [template.fields(f"_{k}", {}) for k in range(n)]
    outputs = [output(seed, o.name, f"{o.name}_{k}").SerializeToString() for k in range(n) for o in seed.model.graph.output if o.name in seed.made]
    return model(seed, parts, all_inputs(seed), outputs) if outputs else None


JOINING = {"float": "Sum", "concat": "Concat"}


def joined(seed, n, axis=0):
    """Each repetition reads the same tensors, and one node reads all results."""
    out = next((o for o in seed.model.graph.output if o.name in seed.made and o.type.WhichOneof("value") == "tensor_type"), None)
    if out is None:
        return None
    template = Template(seed)
    parts = [template.fields(f"_{k}", {}) for k in range(n)]
    names = [f"{out.name}_{k}" for k in range(n)]
    if len(out.type.tensor_type.shape.dim) == 0:
        parts += [field(NODES, helper.make_node("Unsqueeze", [name, "axis_of_joined"], [name + "_u"]).SerializeToString()) for name in names]
        parts.append(field(INITIALIZERS, helper.make_tensor("axis_of_joined", 7, [1], [0]).SerializeToString()))
        names = [name + "_u" for name in names]
    parts.append(field(NODES, helper.make_node("Concat", names, ["joined"], axis=axis).SerializeToString()))
    return model(seed, parts, all_inputs(seed), [output(seed, out.name, "joined")])


def collected(seed, n):
    """Each repetition reads the same tensors, and all results become one sequence, of which one element is read."""
    out = next((o for o in seed.model.graph.output if o.name in seed.made and o.type.WhichOneof("value") == "tensor_type"), None)
    if out is None:
        return None
    template = Template(seed)
    parts = [template.fields(f"_{k}", {}) for k in range(n)]
    parts.append(field(NODES, helper.make_node("SequenceConstruct", [f"{out.name}_{k}" for k in range(n)], ["all"]).SerializeToString()))
    parts.append(field(INITIALIZERS, helper.make_tensor("place", 7, [], [n // 2]).SerializeToString()))
    parts.append(field(NODES, helper.make_node("SequenceAt", ["all", "place"], ["one"]).SerializeToString()))
    return model(seed, parts, all_inputs(seed), [output(seed, out.name, "one")])


MEETING = {1: "Add", 11: "Add", 10: "Add", 9: "And", 6: "Add", 7: "Add"}


def diamonds(seed, n, link):
    """A chain in which two repetitions read the same tensor, and the next pair reads both results joined to one."""
    out, into = link
    kind = next(o for o in seed.model.graph.output if o.name == out).type.tensor_type.elem_type
    if kind not in MEETING or out not in seed.made:
        return None
    template, parts, last = Template(seed), [], None
    for k in range(max(1, n // 2)):
        for side in "ab":
            parts.append(template.fields(f"_{side}{k}", {into: last} if last else {}))
        last = f"met_{k}"
        parts.append(field(NODES, field(1, f"{out}_a{k}") + field(1, f"{out}_b{k}") + field(2, last) + field(4, MEETING[kind])))
    return model(seed, parts, all_inputs(seed), [output(seed, out, last)])


def spread(seed, n):
    """One node of n inputs: the last input of the seed's only node, again and again."""
    if len(seed.model.graph.node) != 1:
        return None
    node = seed.model.graph.node[0]
    try:
        schema = onnx.defs.get_schema(node.op_type, seed.model.opset_import[0].version, node.domain)
    except onnx.defs.SchemaError:
        return None
    if not schema.inputs or schema.inputs[-1].option != onnx.defs.OpSchema.FormalParameterOption.Variadic or not node.input:
        return None
    again = copy.deepcopy(node)
    again.input.extend([node.input[-1]] * n)
    return model(seed, [field(NODES, again.SerializeToString())], all_inputs(seed), [output(seed, o.name, o.name) for o in seed.model.graph.output])
