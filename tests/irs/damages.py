"""Kinds of damage that any IR may suffer. Each is a function that damages an Ir and gives the name of the layer at which it is to be found ("" where no
layer is), or None if this IR has no place for it; and a part of the message. Of several places the one in the middle is taken."""
import copy
import xml.etree.ElementTree as ET

from ir import dims_of, set_port, set_tensor

KINDS = {}  # name: (function, text)


def kind(text):
    def add(function):
        assert function.__name__ not in KINDS
        KINDS[function.__name__] = function, text
        return function
    return add


def named(name, text, function):
    assert name not in KINDS
    KINDS[name] = function, text


def middle(found):
    found = list(found)
    return found[len(found) // 2] if found else None


def operations(ir):
    """Layers that read and give tensors and have no bodies."""
    return [l for l in ir.layers() if l.find("input") is not None and l.find("output") is not None and l.find("port_map") is None and l.find("then_port_map") is None]


def at(choose, change):
    """Damages the chosen layer."""
    def damage(ir):
        layer = choose(ir)
        if layer is None:
            return None
        name = layer.get("name")
        return name if change(ir, layer) is not False else None
    return damage


def an_operation(ir):
    return middle(operations(ir))


def of_type(*types):
    return lambda ir: middle(l for l in ir.layers() if l.get("type") in types)


def edges_to(ir, layer):
    return [e for e in ir.edges() if e.get("to-layer") == layer.get("id")]


def first_edge(ir, layer):
    return edges_to(ir, layer)[0]


# Structure

def take_id(ir, layer):
    layer.set("id", ir.layers()[0].get("id"))


def take_name(ir, layer):
    layer.set("name", ir.layers()[0].get("name"))


named("two_layers_of_an_id", "another layer has the id", at(an_operation, take_id))
named("no_id", "has no id", at(an_operation, lambda ir, l: l.attrib.pop("id") and None))
named("id_is_no_number", "has no id", at(an_operation, lambda ir, l: l.set("id", "seven")))
named("no_type", "has no type", at(an_operation, lambda ir, l: l.set("type", "")))
named("port_without_id", "a port has no id", at(an_operation, lambda ir, l: l.find("input")[0].attrib.pop("id") and None))
named("precision_unknown", "has the precision FP99", at(an_operation, lambda ir, l: l.find("output")[0].set("precision", "FP99")))
named("dimension_below", "has the dimension -7", at(an_operation, lambda ir, l: set_port(l.find("output")[0], dims=[-7])))
named("dimension_is_no_number", 'has the dimension "x"', at(an_operation, lambda ir, l: set_port(l.find("output")[0], dims=["x"])))
named("edge_from_nowhere", "the graph has no layer 999999", at(an_operation, lambda ir, l: first_edge(ir, l).set("from-layer", "999999")))
named("edge_from_no_port", "which has no such output", at(an_operation, lambda ir, l: first_edge(ir, l).set("from-port", "99")))
named("edge_to_no_port", "an edge goes to its input 99", at(an_operation, lambda ir, l: first_edge(ir, l).set("to-port", "99")))
named("edge_missing", "no edge goes to input", at(an_operation, lambda ir, l: ir.edges().remove(first_edge(ir, l))))
named("edge_twice", "two edges go to input", at(an_operation, lambda ir, l: ir.edges().append(copy.deepcopy(first_edge(ir, l)))))
named("types_of_an_edge_differ", "and what it reads is", at(an_operation, lambda ir, l: set_port(l.find("input")[0], precision="U16")))
named("shapes_of_an_edge_differ", "and what it reads has", at(an_operation, lambda ir, l: set_port(l.find("input")[0], dims=[77, 3, 5])))


@kind("another layer has the name")
def two_layers_of_a_name(ir):
    layer = an_operation(ir)
    if layer is None or layer is ir.layers()[0]:
        return None
    layer.set("name", ir.layers()[0].get("name"))
    return layer.get("name")


@kind("has no name")
def no_name(ir):
    layer = an_operation(ir)
    return layer if layer is None else layer.set("name", "") or ""


@kind("two ports have the id")
def two_ports_of_an_id(ir):
    layer = an_operation(ir)
    if layer is None:
        return None
    layer.find("output")[0].set("id", layer.find("input")[0].get("id"))
    return layer.get("name")


@kind("the graph has no layer 999999")
def edge_to_nowhere(ir):
    layer = an_operation(ir)
    if layer is None:
        return None
    edge = first_edge(ir, layer)
    edge.set("to-layer", "999999")
    return next(l for l in ir.layers() if l.get("id") == edge.get("from-layer")).get("name")


@kind("lacks a number")
def edge_lacks_a_number(ir):
    layer = an_operation(ir)
    return layer if layer is None else first_edge(ir, layer).attrib.pop("from-port") and ""


@kind("the edges form a cycle")
def cycle(ir):
    for layer in operations(ir):
        out = layer.find("output")[0]
        for edge in ir.edges():
            reader = next((l for l in operations(ir) if l.get("id") == edge.get("to-layer")), None)
            if edge.get("from-layer") == layer.get("id") and edge.get("from-port") == out.get("id") and reader is not None and reader is not layer:
                back = first_edge(ir, layer)
                back.set("from-layer", reader.get("id"))
                back.set("from-port", reader.find("output")[0].get("id"))
                return "*"  # one of the layers of the cycle
    return None


@kind("the graph has no Result")
def no_result(ir):
    ids = set()
    for layer in list(ir.layers()):
        if layer.get("type") in ("Result", "Assign"):
            ids.add(layer.get("id"))
            ir.layers().remove(layer)
    for edge in list(ir.edges()):
        if edge.get("to-layer") in ids:
            ir.edges().remove(edge)
    return ""


# Operation sets and attributes

named("operation_set_before_the_operation", "opset3 has no Mish", at(an_operation, lambda ir, l: (l.set("type", "Mish"), l.set("version", "opset3")) and None))
named("operation_set_behind_the_operation", "opset17 has no", at(of_type("Convolution", "GroupConvolution", "MatMul", "Add", "Multiply"), lambda ir, l: l.set("version", "opset17")))
named("attribute_unknown", "which the operation does not have", at(of_type("Convolution", "GroupConvolution", "MatMul", "Concat", "Transpose", "Reshape"), lambda ir, l: (l.find("data") if l.find("data") is not None else ET.SubElement(l, "data")).set("padding", "1")))


def drop(name):
    return lambda ir, layer: layer.find("data").attrib.pop(name) and None


def put(name, value):
    return lambda ir, layer: layer.find("data").set(name, value)


CONVOLUTIONS = of_type("Convolution", "GroupConvolution")
POOLS = of_type("MaxPool", "AvgPool")
for what, choose, name in (("strides", CONVOLUTIONS, "strides"), ("dilations", CONVOLUTIONS, "dilations"), ("pads", CONVOLUTIONS, "pads_begin"), ("kernel", POOLS, "kernel"),
                           ("axis_of_concat", of_type("Concat"), "axis"), ("transposition", of_type("MatMul"), "transpose_a"), ("special_zero", of_type("Reshape"), "special_zero"),
                           ("keep_dims", of_type("ReduceMean", "ReduceMax", "ReduceSum"), "keep_dims"), ("axis_of_softmax", of_type("SoftMax"), "axis"),
                           ("shape_of_input", of_type("Parameter"), "shape"), ("type_of_convert", of_type("Convert"), "destination_type")):
    if name not in ("transpose_a", "keep_dims"):  # these have defaults
        named(f"{what}_missing", f"it lacks the attribute {name}", at(choose, drop(name)))
for what, choose, name, value, text in (
        ("list_is_no_list", CONVOLUTIONS, "strides", "1; 1", 'attribute strides is "1; 1"'), ("integer_is_none", of_type("Concat"), "axis", "1.5", "want a whole number"),
        ("flag_is_none", of_type("MatMul"), "transpose_a", "maybe", "want true or false"), ("value_not_allowed", CONVOLUTIONS, "auto_pad", "sideways", "want one of"),
        ("rounding_not_allowed", POOLS, "rounding_type", "up", "want one of"), ("type_not_allowed", of_type("Convert"), "destination_type", "i33", "want an element type"),
        ("shape_is_none", of_type("Parameter"), "shape", "1,three", "want dimensions"), ("number_is_none", of_type("Clamp"), "min", "low", "want a number"),
        ("broadcast_not_allowed", of_type("Add", "Multiply"), "auto_broadcast", "sometimes", "want one of")):
    named(what, text, at(choose, put(name, value)))


# Ports

def drop_input(ir, layer):
    port = layer.find("input")[-1]
    ir.edges().remove(next(e for e in edges_to(ir, layer) if e.get("to-port") == port.get("id")))
    layer.find("input").remove(port)


def add_input(ir, layer):
    extra = copy.deepcopy(layer.find("input")[0])
    extra.set("id", "77")
    layer.find("input").append(extra)
    edge = copy.deepcopy(first_edge(ir, layer))
    edge.set("to-port", "77")
    ir.edges().append(edge)


BINARY = of_type("Add", "Multiply", "Subtract", "Divide", "MatMul", "Convolution", "GroupConvolution")
named("input_too_few", "it has 1 inputs, want 2", at(BINARY, drop_input))
named("input_too_many", "it has 3 inputs, want 2", at(BINARY, add_input))
named("output_too_many", "it has 2 outputs, want 1", at(BINARY, lambda ir, l: l.find("output").append(ET.fromstring('<port id="95" precision="FP32" />'))))
named("output_missing", "it has 0 outputs, want 1", at(BINARY, lambda ir, l: l.remove(l.find("output"))))
named("types_of_inputs_differ", "input 1 is FP64, and input 0", at(of_type("Add", "Multiply", "MatMul", "Convolution"), lambda ir, l: set_port(l.find("input")[1], precision="FP64")))
named("types_of_parts_differ", "input 1 is FP64, and input 0", at(of_type("Concat"), lambda ir, l: len(l.find("input")) > 1 and set_port(l.find("input")[1], precision="FP64")))
named("rank_of_convolution", "want 3 to 5 dimensions", at(CONVOLUTIONS, lambda ir, l: set_port(l.find("input")[0], dims=[3, 8])))
named("shape_in_floats", "input 1 is FP32, want one of", at(of_type("Reshape"), lambda ir, l: set_port(l.find("input")[1], precision="FP32")))


# Constants

def constant(ir):
    return max((l for l in ir.layers() if l.get("type") == "Const" and l.find("data").get("element_type") != "string"), key=lambda l: int(l.find("data").get("size")), default=None)


named("const_behind_the_end", "of a .bin of", at(constant, lambda ir, c: c.find("data").set("offset", str(len(ir.bin) - 1))))
named("const_far_behind", "of a .bin of", at(constant, lambda ir, c: c.find("data").set("offset", str(2**63 - 1))))
named("const_of_other_size", "asks for", at(constant, lambda ir, c: c.find("data").set("size", "3")))
named("const_of_other_type", "its element_type f64", at(constant, put("element_type", "f64")))
named("const_of_other_shape", "and its attribute is [5,7]", at(constant, put("shape", "5,7")))
named("const_of_unknown_shape", "its shape is [", at(constant, put("shape", "?,2")))
named("const_without_place", "it lacks the attribute offset", at(constant, drop("offset")))
named("const_at_negative_place", "want a whole number from 0 on", at(constant, put("offset", "-4")))


@kind("of a .bin of")
def shorter_bin(ir):
    last = max((l for l in ir.layers() if l.get("type") == "Const"), key=lambda l: int(l.find("data").get("offset")) + int(l.find("data").get("size")), default=None)
    if last is None:
        return None
    ir.bin = ir.bin[:-1]
    return "*" if last.find("data").get("size") == "0" else last.get("name")


@kind("which is not there")
def no_bin(ir):
    if constant(ir) is None:
        return None
    ir.bin = None
    return ""


# What inputs make of outputs

def change_dim(ir, layer):
    """A larger first dimension, in the output and wherever it is read."""
    dims = dims_of(layer.find("output")[0])
    if not dims or -1 in dims:
        return False
    set_tensor(ir, layer, dims=[dims[0] + 1, *dims[1:]])


def change_rank(ir, layer):
    dims = dims_of(layer.find("output")[0])
    if not dims:
        return False
    set_tensor(ir, layer, dims=[*dims, 1])


def change_type(ir, layer):
    set_tensor(ir, layer, precision="FP64")


for types in (("Convolution",), ("GroupConvolution",), ("ConvolutionBackpropData",), ("MaxPool",), ("AvgPool",), ("MatMul",), ("Add",), ("Multiply",), ("ReLU", "Sigmoid", "Clamp", "PReLU", "Tanh"),
              ("Concat",), ("Transpose",), ("Reshape",), ("SoftMax",), ("Pad",), ("Interpolate",), ("Split", "VariadicSplit"), ("Gather",), ("StridedSlice", "Slice"),
              ("ReduceMean", "ReduceMax", "ReduceSum"), ("Squeeze",), ("Unsqueeze",), ("LRN",), ("TopK",)):
    for what, change, text in (("size", change_dim, "and its inputs make it ["), ("rank", change_rank, "and its inputs make it ["), ("type", change_type, "is FP64, and its inputs make it")):
        named(f"{what}_of_{types[0]}", text, at(of_type(*types), change))
named("size_of_input", "and its attribute is [", at(of_type("Parameter"), change_dim))
named("type_of_input", "and its element_type", at(of_type("Parameter"), change_type))
