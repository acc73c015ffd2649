"""How files differ: names, signatures, ends of the graph, where contents stand."""
import io
import zipfile

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from models import Family, parsed, quantization, serialised
from values import fed, fixed

family = Family(__name__)
graph = family.graph


def two_layers(b):
    x = b.fed("x", fed(2, 3))
    first = b.op("ADD", [x, b.fixed(fixed(3), "bias")], names=["first"])
    return [first, b.op("MUL", [first, b.fixed(fixed(3), "factor")], names=["second"])]


def signature(key, inputs, outputs, subgraph=0):
    table = schema.SignatureDefT()
    table.signatureKey, table.subgraphIndex = key.encode(), subgraph
    for side, given in (("inputs", inputs), ("outputs", outputs)):
        entries = []
        for name, tensor in given.items():
            entry = schema.TensorMapT()
            entry.name, entry.tensorIndex = name.encode(), tensor
            entries.append(entry)
        setattr(table, side, entries)
    return table


@graph("signature", unknown=(0,))
def signed(b):
    """The public names differ from those of the tensors, and the outputs are in another order."""
    outputs = two_layers(b)
    b.model.signatureDefs = [signature("serving_default", {"note": 0}, {"onset": outputs[1], "contour": outputs[0]})]
    return outputs


@graph("signature_same_names")
def same_names(b):
    outputs = two_layers(b)
    b.model.signatureDefs = [signature("serving_default", {"x": 0}, {"first": outputs[0], "second": outputs[1]})]
    return outputs


@graph("signature_crossed_names")
def crossed(b):
    """A public name is the name of another tensor."""
    outputs = two_layers(b)
    b.model.signatureDefs = [signature("serving_default", {"x": 0}, {"first": outputs[1], "second": outputs[0]})]
    return outputs


@graph("signatures_of_two_graphs")
def two_graphs(b):
    outputs = two_layers(b)
    with b.subgraph("other") as number:
        a = b.argument("a", [2], np.float32)
        b.graph.outputs = [b.op("NEG", [a], names=["negative"])]
    b.model.signatureDefs = [signature("serving_default", {"x": 0}, {"y": outputs[1]}), signature("negate", {"a": 0}, {"b": 1}, number)]
    return outputs


@graph("output_twice")
def twice(b):
    outputs = two_layers(b)
    return [outputs[1], outputs[0], outputs[1]]


@graph("output_is_input")
def passed(b):
    x, y = b.fed("x", fed(2, 3)), b.fed("y", fed(2, 3))
    return [x, b.op("ADD", [x, y])]


@graph("output_is_constant")
def constant(b):
    return [b.op("NEG", [b.fed("x", fed(2, 3))]), b.fixed(fixed(4), "constant")]


@graph("output_in_the_middle")
def middle(b):
    """An output is also read by another operator."""
    outputs = two_layers(b)
    return [b.op("EXP", [outputs[0]], names=["power"]), outputs[0]]


@graph("input_that_nobody_reads")
def unread(b):
    x, _ = b.fed("x", fed(2, 3)), b.fed("unread", fed(4))
    return [b.op("NEG", [x])]


@graph("operator_that_nobody_reads")
def dead(b):
    outputs = two_layers(b)
    b.op("EXP", [outputs[0]], names=["dead"])
    return [outputs[1]]


@graph("names_twice")
def same_name(b):
    """Names of tensors are not unique by rule."""
    outputs = two_layers(b)
    b.graph.tensors[outputs[0]].name = b"second"
    return [outputs[1]]


@graph("names_empty")
def nameless(b):
    """Tensors in the middle and constants have no names."""
    outputs = two_layers(b)
    for at, tensor in enumerate(b.graph.tensors):
        if at not in (0, outputs[1]):
            tensor.name = b"" if at % 2 else None
    return [outputs[1]]


@graph("names_of_saved_models")
def numbered(b):
    x = b.fed("serving_default_input_1:0", fed(1, 4, 4, 3))
    return [b.op("RELU", [x], names=["StatefulPartitionedCall:0"]), b.op("NEG", [x], names=["StatefulPartitionedCall:1"])]


@graph("names_with_other_letters")
def letters(b):
    x = b.fed("entrée/画像;x", fed(2, 3))
    return [b.op("RELU", [x], names=["a<b>&\"c\" d"])]


@graph("order_of_inputs")
def order(b):
    """Inputs and outputs stand in another order than their tensors."""
    x, y, z = (b.fed(name, fed(2, 3)) for name in "xyz")
    b.graph.inputs = [z, x, y]
    b.feeds = {name: b.feeds[name] for name in "zxy"}
    first = b.op("SUB", [x, y], names=["difference"])
    return [b.op("DIV", [z, b.op("ADD", [first, b.fixed(np.float32(4), "four")], names=["raised"])], names=["ratio"]), first]


@graph("old_file")
def old(b):
    """As it was before codes above 127, known ranks and signatures of shapes."""
    outputs = two_layers(b)
    for code in b.model.operatorCodes:
        code.builtinCode = 0
    for tensor in b.graph.tensors:
        tensor.hasRank = False
    return [outputs[1]]


@graph("scalars")
def scalars(b):
    """Shapes of length zero that are scalars."""
    x = b.fed("x", fed(values=1.25))
    return [b.op("MUL", [x, b.fixed(np.float32(3), "three")])]


@graph("integers_without_scale")
def plain(b):
    x = b.fed("x", fed(2, 3, dtype=np.int8, low=-9, high=9))
    return [b.op("RESHAPE", [x, b.fixed(np.int32([3, 2]), "shape")])]


@graph("min_and_max_only")
def only_ranges(b):
    """Ranges without a scale are no quantisation."""
    outputs = two_layers(b)
    for tensor in b.graph.tensors:
        table = schema.QuantizationParametersT()
        table.min, table.max = np.float32([-1]), np.float32([1])
        tensor.quantization = table
    return [outputs[1]]


def with_files(content):
    """Labels of the classes, in a ZIP archive behind the FlatBuffer."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("labels.txt", (1980, 1, 1, 0, 0, 0)), "one\ntwo\nthree\n")
    return content + out.getvalue()


def behind(content):
    """As files over 2 GB have it: the contents of the constants stand behind the FlatBuffer."""
    model = parsed(content)
    moved = [(at, bytes(buffer.data)) for at, buffer in enumerate(model.buffers) if buffer.data is not None and len(buffer.data)]
    for at, data in moved:  # any numbers, so that the places have room
        model.buffers[at].data, model.buffers[at].offset, model.buffers[at].size = None, 1 << 20, len(data)
    end = -(-len(serialised(model)) // 16) * 16
    parts = b""
    for at, data in moved:
        model.buffers[at].offset = end + len(parts)
        parts += data + bytes(-len(data) % 16)
    return serialised(model).ljust(end, b"\0") + parts


def metadata(content):
    model = parsed(content)
    table, buffer = schema.MetadataT(), schema.BufferT()
    buffer.data = np.frombuffer(b"1.14.0".ljust(16, b"\0"), np.uint8)
    model.buffers.append(buffer)
    table.name, table.buffer = b"min_runtime_version", len(model.buffers) - 1
    model.metadata, model.metadataBuffer = [table], np.int32([len(model.buffers) - 1])
    return serialised(model)


for _name, _change in {"files_behind": with_files, "buffers_behind": behind, "metadata": metadata}.items():
    graph(_name, change=_change)(two_layers)


def external(content):
    """The contents are in a file of their own."""
    model = parsed(content)
    model.externalBufferGroups, model.externalBuffers = [schema.ExternalBufferGroupT()], []
    model.externalBufferGroups[0].name = b"weights.bin"
    offset = 0
    for tensor in model.subgraphs[0].tensors:
        if not tensor.buffer:
            continue
        size = len(model.buffers[tensor.buffer].data)
        entry = schema.ExternalBufferT()
        entry.id, entry.group, entry.offset, entry.length = len(model.externalBuffers) + 1, 0, offset, size
        model.externalBuffers.append(entry)
        tensor.externalBuffer, tensor.buffer = entry.id, 0
        offset += size
    return serialised(model)


graph("external_buffers", change=external, refused="its weights are in another file, which is not there")(two_layers)
