"""Graphs of one operation, and what TensorFlow makes of them.

A module of operations/ lists them: `case("Relu", x=fed(2, 3))` is the operation Relu with a Placeholder `x`; arguments that are
neither `fed` nor `fixed` become an attribute or a Const, as the operation has it. `@graph("name")` is for several nodes.
The numbers of a case come from the crc32 of its name.
Variables get such numbers, too, and are frozen.
"""
import inspect
import re
import zlib

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import store
from values import Fed, Fixed, Values, fed, fixed  # noqa: F401  the operations take them from here

FAMILIES = {}


class Building:
    """A graph while it is built. `unknown` has the dimensions that its Placeholders do not say; by name, or of the first one.

    With `runs`, operations with channels first, for which TensorFlow's CPU has no kernel, are replaced by those with channels last between
    transposes. `renamed`: nodes whose operation gets another name in the GraphDef, one of older graphs. `written`: the node "result" of the
    GraphDef, in place of all that computes it.
    """

    def __init__(self, name, unknown, runs):
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.unknown, self.runs = unknown, runs
        self.feeds, self.inputs = {}, {}
        self.renamed, self.written = {}, None

    def fed(self, name, spec):
        array = spec.draw(self.rng)
        dimensions = self.unknown.get(name, ()) if isinstance(self.unknown, dict) else () if self.feeds else self.unknown
        shape = [None if at in dimensions else size for at, size in enumerate(array.shape)]
        self.feeds[name] = array
        self.inputs[name] = tf.compat.v1.placeholder(tf.as_dtype(array.dtype), shape, name=name)
        return self.inputs[name]

    def fixed(self, spec, name=None):
        return tf.constant(spec.draw(self.rng), name=name)

    def take(self, name, argument):
        if isinstance(argument, Fed):
            return self.fed(name, argument)
        if isinstance(argument, Fixed):
            return self.fixed(argument, name)
        if isinstance(argument, list) and any(isinstance(entry, Values) for entry in argument):
            return [self.take(f"{name}{at}", entry) for at, entry in enumerate(argument)]
        return argument


LAST = {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}
FIRST = {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}


def channels_last(name, argument, fed_names):
    """An argument of an operation with channels first, for the operation with channels last."""
    if name in fed_names:
        return tf.transpose(argument, LAST[len(argument.shape)]) if len(argument.shape) in LAST else argument
    if name == "data_format":
        return {"NCHW": "NHWC", "NCDHW": "NDHWC"}[argument]
    if name in ("strides", "ksize", "dilations", "input_sizes"):
        return [argument[at] for at in LAST[len(argument)]]
    if name == "explicit_paddings" and argument:
        return [side for at in LAST[len(argument) // 2] for side in argument[2 * at:2 * at + 2]]
    return argument


class Family:
    def __init__(self, module):
        self.builders = FAMILIES.setdefault(module.rsplit(".", 1)[-1], {})

    def add(self, name, build, unknown):
        assert name not in self.builders, name
        self.builders[name] = (build, ())
        if unknown:
            assert name + "_unknown" not in self.builders, name
            self.builders[name + "_unknown"] = (build, unknown)

    def graph(self, name, unknown=()):
        def take(build):
            self.add(name, build, unknown)
            return build
        return take

    def case(self, kind, variant="", unknown=(), take=None, **arguments):
        """One operation; `take`: which of its several results are outputs. Each of several has an Identity."""
        def build(building):
            taken = {name: building.take(name, argument) for name, argument in arguments.items()}
            first = building.runs and arguments.get("data_format", "").startswith("NC")
            if first:
                taken = {name: channels_last(name, argument, building.inputs) for name, argument in taken.items()}
            result = getattr(tf.raw_ops, kind)(**taken, name="result")
            if first:
                tensor = result if isinstance(result, tf.Tensor) else result[take[0]]
                result = tf.transpose(tensor, FIRST[len(tensor.shape)])
                return [result] if take is None else [tf.identity(result, name=f"out{take[0]}")]
            if isinstance(result, (list, tuple)):
                return [tf.identity(result[at], name=f"out{at}") for at in (range(len(result)) if take is None else take)]
            return [result]

        self.add(kind + ("_" + variant if variant else ""), build, unknown)

    def old(self, kind, variant, now, attributes=None, **arguments):
        """An operation of older graphs, or one without a kernel for CPUs. `now`: a function that computes the same."""
        def build(building):
            taken = {name: building.take(name, argument) for name, argument in arguments.items()}
            taken = {name: tensor if isinstance(tensor, tf.Tensor) else tf.constant(tensor, name=name) for name, tensor in taken.items()}
            building.written = tf.compat.v1.NodeDef(name="result", op=kind, input=[tensor.op.name for tensor in taken.values()])
            for name, value in (attributes or {"T": {"type": 1}}).items():
                building.written.attr[name].CopyFrom(tf.compat.v1.AttrValue(**value))
            return [tf.identity(now(**taken), name="result")]

        self.add(kind + ("_" + variant if variant else ""), build, ())


class FamilyOfVersion1(Family):
    """Its loops and conditions are frames of Enter, Switch, Merge, as in TensorFlow 1."""

    def add(self, name, build, unknown):
        def in_version_1(building):
            tf.compat.v1.disable_control_flow_v2()
            try:
                return build(building)
            finally:
                tf.compat.v1.enable_control_flow_v2()
        super().add(name, in_version_1, unknown)


class FamilyOfFunctions(Family):
    """Functions of TensorFlow 2 in the two ways of freezing: lowered, which is the default, to frames of Enter, Switch, Merge; and with the
    suffix "_functional" with While and If."""

    def function(self, name, unknown=(), **feeds):
        """`make`: gives the function, so that a network is built only when it is recorded. `unknown`: the dimensions that its arguments do not
        say, by name."""
        def take(make):
            for suffix, lowered in (("", True), ("_functional", False)):
                self.builders[name + suffix] = (FrozenFunction(make, feeds, lowered, name), unknown)
            return make
        return take


def with_two_fillers(nodes):
    """Which Placeholders lift_to_graph() leaves behind, and some marks, depend on the order of a set of Python."""
    kept = [node for node in nodes if not node.name.startswith("unused_control_flow_input")]
    for node in kept:
        node.attr.pop("_has_manual_control_dependencies", None)
        node.ClearField("experimental_type")
    if len(kept) < len(nodes):
        for name, dtype in (("unused_control_flow_input", tf.bool), ("unused_control_flow_input_1", tf.variant)):
            filler = tf.compat.v1.NodeDef(name=name, op="Placeholder")
            filler.attr["dtype"].type = dtype.as_datatype_enum
            filler.attr["shape"].shape.unknown_rank = True
            kept.append(filler)
    return kept


class FrozenFunction:
    def __init__(self, make, feeds, lowered, seed):
        self.make, self.feeds, self.lowered, self.seed = make, feeds, lowered, seed

    def record(self, name, unknown):
        tf.keras.backend.clear_session()
        tf.keras.utils.set_random_seed(zlib.crc32(self.seed.encode()))
        rng = np.random.default_rng(zlib.crc32(self.seed.encode()))
        arrays = {key: spec.draw(rng) for key, spec in self.feeds.items()}
        specs = [tf.TensorSpec([None if at in unknown.get(key, ()) else size for at, size in enumerate(array.shape)], array.dtype, name=key) for key, array in arrays.items()]
        function = tf.function(self.make()).get_concrete_function(*specs)
        wanted = [np.asarray(tensor) for tensor in tf.nest.flatten(function(*map(tf.constant, arrays.values())))]
        graph = convert_variables_to_constants_v2(function, lower_control_flow=self.lowered).graph.as_graph_def()
        model = type(graph)()
        model.node.extend(sorted(with_two_fillers(graph.node), key=lambda node: node.name))  # its own order is not the same in every run
        model.library.CopyFrom(graph.library)
        names = [f"Identity_{at}:0" if at else "Identity:0" for at in range(len(function.outputs))]
        shapes = {f"{spec.name}:0": shape_of(spec) for spec in specs} | {key: shape_of(tensor) for key, tensor in zip(names, function.outputs)}
        return store.Case(name, with_plain_function_names(model).SerializeToString(deterministic=True), {f"{key}:0": array for key, array in arrays.items()}, dict(zip(names, wanted)), shapes)


def shape_of(tensor):
    return None if tensor.shape.rank is None else [-1 if size is None else size for size in tensor.shape.as_list()]


def built(name, build, unknown, runs):
    with tf.Graph().as_default() as graph:
        building = Building(name, unknown, runs)
        takes_building = len(inspect.signature(build).parameters)
        outputs = build(building) if takes_building else build()
    return graph, building, outputs


def load_numbers(name, session):
    for variable in tf.compat.v1.global_variables():
        variable.load(np.random.default_rng(zlib.crc32(f"{name}/{variable.name}".encode())).uniform(-1, 1, variable.shape).astype(np.float32), session)


def frozen(name, graph, outputs):
    """The GraphDef; if it has variables, of what the outputs need, with a Const in place of each."""
    with graph.as_default(), tf.compat.v1.Session() as session:
        if not tf.compat.v1.global_variables():
            return graph.as_graph_def()
        load_numbers(name, session)
        return tf.compat.v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), [tensor.op.name for tensor in outputs])


def with_plain_function_names(model):
    """Functions are numbered in their order: TensorFlow's own numbers count what this process has built before. Arguments have such names, too."""
    functions = sorted(model.library.function, key=lambda function: int(re.search(r"\d*$", function.signature.name)[0] or 0))
    if not functions:
        return model
    del model.library.function[:]
    model.library.function.extend(functions)
    names = {function.signature.name: re.sub(r"_?\d*$", f"_{at}", function.signature.name) for at, function in enumerate(functions)}
    any_name = f"({'|'.join(sorted(names, key=len, reverse=True))})(?!\\d)"
    return text_format.Parse(re.sub(any_name, lambda found: names[found[0]], text_format.MessageToString(model)), type(model)())


def with_old_operations(model, building):
    for node in model.node:
        node.op = building.renamed.get(node.name, node.op)
    if building.written:
        kept = [node for node in model.node if node.name in building.written.input]
        del model.node[:]
        model.node.extend([*kept, building.written])
    return model


def record(name):
    """The case `family/name`."""
    family, key = name.split("/", 1)
    build, unknown = FAMILIES[family][key]
    if isinstance(build, FrozenFunction):
        return build.record(name, unknown or {})
    graph, building, outputs = built(name, build, unknown, False)
    run_graph, run_building, run_outputs = built(name, build, unknown, True)
    feeds = {run_building.inputs[key]: array for key, array in building.feeds.items()}
    with run_graph.as_default(), tf.compat.v1.Session() as session:
        load_numbers(name, session)
        results = session.run(run_outputs, feeds)
    wanted = {tensor.name: np.asarray(result) for tensor, result in zip(outputs, results)}
    for tensor in outputs:
        assert tensor.shape.is_compatible_with(wanted[tensor.name].shape), (name, tensor)
        assert tensor.op.type != "Placeholder"
    shapes = {tensor.name: shape_of(tensor) for tensor in [*building.inputs.values(), *outputs]}
    model = with_old_operations(with_plain_function_names(frozen(name, graph, outputs)), building).SerializeToString(deterministic=True)
    return store.Case(name, model, {building.inputs[key].name: array for key, array in building.feeds.items()}, wanted, shapes)
