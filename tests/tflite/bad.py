#!/usr/bin/env python3
"""Damaged models of TensorFlow Lite: one kind of damage each. The files are written without a library, which would refuse most of them.

    .venv/bin/python tests/tflite/bad.py FOLDER      writes them, each under the name of its damage
"""
import os
import struct
import sys

from flatbuffers import flexbuffers

import flat


def model(**changes):
    """x + c = y, as tables of fields by id. A change replaces what it names: a field of a table, or a table."""
    of = lambda name, given: {key: value for key, value in (given | changes.get(name, {})).items() if value is not None}
    quantised = changes.get("quantization")
    x = of("x", {0: flat.ints(2, 3), 1: flat.byte(0), 2: flat.word(0), 3: flat.text("x"), **({4: quantised} if quantised else {})})
    c = of("c", {0: flat.ints(3), 1: flat.byte(0), 2: flat.word(1), 3: flat.text("c")})
    y = of("y", {0: flat.ints(2, 3), 1: flat.byte(0), 2: flat.word(0), 3: flat.text("y")})
    operator = of("operator", {0: flat.word(0), 1: flat.ints(0, 1), 2: flat.ints(2), 3: flat.byte(11), 4: flat.table({})})
    graph = of("graph", {0: flat.vector(*(flat.table(tensor) for tensor in (x, c, y))), 1: flat.ints(0), 2: flat.ints(2), 3: flat.vector(flat.table(operator)), 4: flat.text("main")})
    code = of("code", {0: flat.byte(0), 2: flat.word(1)})
    buffer = of("buffer", {0: flat.data(struct.pack("<3f", 1, 2, 3))})
    whole = of("model", {0: flat.word(3), 1: flat.vector(flat.table(code)), 2: flat.vector(flat.table(graph)), 4: flat.vector(flat.table({}), flat.table(buffer))})
    return flat.written(flat.table(whole), changes.get("identifier", b"TFL3"))


def patched(content, at, word):
    return content[:at] + struct.pack("<I", word & 0xFFFFFFFF) + content[at + 4:]


def root(content):
    return struct.unpack_from("<I", content)[0]


def field_place(content, number):
    """Where the root table's field stands."""
    table = root(content)
    vtable = table - struct.unpack_from("<i", content, table)[0]
    return table + struct.unpack_from("<H", content, vtable + 4 + 2 * number)[0]


GOOD = model()


def scales(*scale, zero=None, axis=0):
    return flat.table({2: flat.floats(*scale), 3: flat.longs(*(zero if zero is not None else [0] * len(scale))), 6: flat.word(axis)})


def in_itself():
    """A graph whose IF has the graph itself as a branch."""
    return model(operator={0: flat.word(0), 3: flat.byte(92), 4: flat.table({0: flat.word(0), 1: flat.word(0)})}, code={0: flat.byte(118)}, x={1: flat.byte(6)})


def loop(takes, gives):
    """A WHILE over `takes` values that gives `gives` results."""
    return model(operator={0: flat.word(0), 1: flat.ints(*[0] * takes), 2: flat.ints(*[2, 1][:gives]), 3: flat.byte(93), 4: flat.table({0: flat.word(0), 1: flat.word(0)})}, code={0: flat.byte(119)}, c={2: flat.word(0)})


def beyond_64_bits():
    """A sparse tensor whose indices and blocks lead to element 2**64 - 1."""
    compressed = lambda index: flat.table({0: flat.byte(1), 2: flat.byte(1), 3: flat.table({0: flat.ints(0, 1)}), 4: flat.byte(1), 5: flat.table({0: flat.ints(index)})})
    walk = flat.vector(compressed((1 << 22) - 1), compressed((1 << 20) - 1), flat.table({0: flat.byte(0), 1: flat.word((1 << 22) + 1)}))
    return model(c={0: flat.ints(1, 1 << 20), 6: flat.table({0: flat.ints(0, 1, 2), 1: flat.ints(0), 2: walk})})


def detections(**changes):
    """TFLite_Detection_PostProcess with these options changed."""
    options = flexbuffers.Builder()
    given = dict(max_detections=6, num_classes=4, nms_score_threshold=0.3, nms_iou_threshold=0.4, y_scale=10.0, x_scale=10.0, h_scale=5.0, w_scale=5.0) | changes
    with options.Map():
        for name, value in given.items():
            (options.Int if isinstance(value, int) else options.Float)(name, value)
    return model(operator={1: flat.ints(0, 0, 1), 3: None, 4: None, 5: flat.data(bytes(options.Finish()))},
                 code={0: flat.byte(32), 1: flat.text("TFLite_Detection_PostProcess")})


def branch_of_other_inputs():
    """Two IFs with the same branch, which has an input that they do not give."""
    tensor = lambda name, kind=0: flat.table({0: flat.ints(1), 1: flat.byte(kind), 2: flat.word(0), 3: flat.text(name)})
    one = lambda result: flat.table({0: flat.word(0), 1: flat.ints(0), 2: flat.ints(result), 3: flat.byte(92), 4: flat.table({0: flat.word(1), 1: flat.word(1)})})
    main = flat.table({0: flat.vector(tensor("x", 6), tensor("y"), tensor("z")), 1: flat.ints(0), 2: flat.ints(1, 2), 3: flat.vector(one(1), one(2)), 4: flat.text("main")})
    branch = flat.table({0: flat.vector(tensor("t")), 1: flat.ints(0), 2: flat.ints(0), 3: flat.vector(), 4: flat.text("branch")})
    return model(model={2: flat.vector(main, branch)}, code={0: flat.byte(118)})


BAD = {
    "nothing but the identifier": lambda: GOOD[:8],
    "another identifier": lambda: model(identifier=b"TFL9"),
    "the root beyond the end": lambda: patched(GOOD, 0, len(GOOD) + 16),
    "the root at 4 GB": lambda: patched(GOOD, 0, 0xFFFFFFFC),
    "a vtable before the file": lambda: patched(GOOD, root(GOOD), root(GOOD) + 64),
    "a vtable beyond the end": lambda: patched(GOOD, root(GOOD), -len(GOOD)),
    "a vtable longer than the file": lambda: model(model={"vtable": 0xFFFE}),
    "a vtable with an odd size": lambda: model(model={"vtable": 7}),
    "a vtable shorter than its head": lambda: model(model={"vtable": 2}),
    "a field outside its table": lambda: model(model={"field": (1, 0xFFF0)}),
    "an offset beyond the end": lambda: patched(GOOD, field_place(GOOD, 2), len(GOOD)),
    "an offset of 4 GB": lambda: patched(GOOD, field_place(GOOD, 4), 0xFFFFFFF0),
    "a table that is its own graph": lambda: patched(GOOD, field_place(GOOD, 2), 0),
    "a vector longer than the file": lambda: model(graph={0: flat.claiming(0x20000000)}),
    "a shape of 2 to the 31 sizes": lambda: model(x={0: flat.claiming(0x7FFFFFFF)}),
    "a name longer than the file": lambda: model(x={3: flat.claiming(0xFFFFFFFF)}),
    "buffers that are not there": lambda: model(model={4: None}),
    "no graph": lambda: model(model={2: flat.vector()}),
    "no operator codes": lambda: model(model={1: flat.vector()}),
    "an operator code that is not there": lambda: model(operator={0: flat.word(7)}),
    "a code of no operator": lambda: model(code={0: flat.byte(127), 3: flat.word(9999)}),
    "a negative code": lambda: model(code={0: flat.byte(-5), 3: flat.word(-7)}),
    "an input that is not there": lambda: model(operator={1: flat.ints(0, 99)}),
    "an input of minus two": lambda: model(operator={1: flat.ints(0, -2)}),
    "a result that is not there": lambda: model(operator={2: flat.ints(99)}),
    "a result of minus one": lambda: model(operator={2: flat.ints(-1)}),
    "an input of the graph that is not there": lambda: model(graph={1: flat.ints(99)}),
    "an output of the graph that is not there": lambda: model(graph={2: flat.ints(-1)}),
    "a buffer that is not there": lambda: model(c={2: flat.word(99)}),
    "an operator that makes a constant": lambda: model(operator={2: flat.ints(1)}, graph={2: flat.ints(1)}),
    "an operator that makes its input": lambda: model(operator={2: flat.ints(0)}, graph={2: flat.ints(0)}),
    "a cycle": lambda: model(operator={1: flat.ints(0, 2)}),
    "nobody writes what is read": lambda: model(c={2: flat.word(0)}),
    "a type of no tensor": lambda: model(x={1: flat.byte(99)}),
    "contents shorter than the shape": lambda: model(buffer={0: flat.data(bytes(8))}),
    "contents longer than the shape": lambda: model(buffer={0: flat.data(bytes(16))}),
    "a shape of 2 to the 62 numbers": lambda: model(c={0: flat.ints(0x7FFFFFFF, 0x7FFFFFFF)}),
    "a negative size": lambda: model(c={0: flat.ints(-3)}),
    "options without a type": lambda: model(operator={3: None}, code={0: flat.byte(3)}),
    "an activation that is none": lambda: model(operator={4: flat.table({0: flat.byte(77)})}),
    "contents behind the end": lambda: model(buffer={0: None, 1: flat.long(1 << 40), 2: flat.long(12)}),
    "contents at 2 to the 64": lambda: model(buffer={0: None, 1: flat.long((1 << 64) - 4), 2: flat.long(12)}),
    "contents in a file that is not there": lambda: model(c={2: flat.word(0), 10: flat.word(1)}, model={8: flat.vector(flat.table({0: flat.text("weights.bin")})),
                                                          9: flat.vector(flat.table({0: flat.word(1), 1: flat.word(0), 2: flat.long(0), 3: flat.long(12)}))}),
    "contents in another folder": lambda: model(c={2: flat.word(0), 10: flat.word(1)}, model={8: flat.vector(flat.table({0: flat.text("../../etc/passwd")})),
                                                9: flat.vector(flat.table({0: flat.word(1), 1: flat.word(0), 2: flat.long(0), 3: flat.long(12)}))}),
    "an external buffer that is not there": lambda: model(c={2: flat.word(0), 10: flat.word(9)}),
    "more scales than channels": lambda: model(x={1: flat.byte(9)}, quantization=scales(0.1, 0.2, 0.3, 0.4, 0.5)),
    "scales along an axis that is not there": lambda: model(x={1: flat.byte(9)}, quantization=scales(0.1, 0.2, axis=9)),
    "fewer zero points than scales": lambda: model(x={1: flat.byte(9)}, quantization=scales(0.1, 0.2, 0.3, zero=[0, 0], axis=1)),
    "a scale that is no number": lambda: model(x={1: flat.byte(9)}, quantization=scales(float("nan"))),
    "a zero point that is no step": lambda: model(x={1: flat.byte(9)}, quantization=scales(0.1, zero=[1 << 40])),
    "a signature of a graph that is not there": lambda: model(model={7: flat.vector(flat.table({2: flat.text("s"), 4: flat.word(9)}))}),
    "a signature of a tensor that is not there": lambda: model(model={7: flat.vector(flat.table({0: flat.vector(flat.table({0: flat.text("i"), 1: flat.word(99)})), 2: flat.text("s")}))}),
    "a graph in itself": in_itself,
    "a loop that gives more than it takes": lambda: loop(1, 2),
    "a loop that gives less than it takes": lambda: loop(2, 1),
    "a branch that is not there": lambda: model(operator={0: flat.word(0), 3: flat.byte(92), 4: flat.table({0: flat.word(7), 1: flat.word(8)})}, code={0: flat.byte(118)}, x={1: flat.byte(6)}),
    "a sparse tensor without its walk": lambda: model(c={6: flat.table({})}),
    "a sparse tensor with lying rows": lambda: model(c={0: flat.ints(3, 1), 6: flat.table({0: flat.ints(0, 1), 2: flat.vector(flat.table({0: flat.byte(0), 1: flat.word(3)}), flat.table({
        0: flat.byte(1), 2: flat.byte(1), 3: flat.table({0: flat.ints(0, 99, -5, 3)}), 4: flat.byte(1), 5: flat.table({0: flat.ints(7, 7, 7)})}))})}),
    "a sparse tensor with elements at 2 to the 64": beyond_64_bits,
    "detections without end": lambda: detections(max_detections=1 << 40),
    "detections for no class": lambda: detections(max_classes_per_detection=0),
    "detections for too many results": lambda: detections(max_detections=32768, max_classes_per_detection=32768, num_classes=32768),
    "a branch of other inputs, twice": branch_of_other_inputs,
    "a sparse tensor with indices of no type": lambda: model(c={0: flat.ints(3, 1), 6: flat.table({0: flat.ints(0, 1), 2: flat.vector(flat.table({0: flat.byte(0), 1: flat.word(3)}), flat.table({
        0: flat.byte(1), 2: flat.byte(9), 3: flat.table({0: flat.ints(0, 1)}), 4: flat.byte(9), 5: flat.table({0: flat.ints(0)})}))})}),
}


# Files that LiteRT runs: it ignores options of another operator, and a scale of zero makes zeros.
STRANGE = {
    "options of another operator": lambda: model(operator={3: flat.byte(1)}),
    "options of no operator": lambda: model(operator={3: flat.byte(-1)}),
    "a scale of zero": lambda: model(x={1: flat.byte(9)}, quantization=scales(0.0)),
}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for kind, make in [*BAD.items(), *STRANGE.items()]:
        with open(os.path.join(folder, kind + ".tflite"), "wb") as file:
            file.write(make())


if __name__ == "__main__":
    main(sys.argv[1])
