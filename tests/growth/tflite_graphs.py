"""TensorFlow Lite's recorded models of one operation, repeated as onnx_graphs.py repeats ONNX's.

References in a FlatBuffer lead forward. So the repeated model is written as new tables, followed by the whole recorded file, to which they refer for
options, buffers, quantisation and other graphs.
"""
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tflite"))
import lite  # noqa: E402

# Fields by number: those that are references, and the sizes of the others.
MODEL = {0: 4, 1: "ref", 2: "ref", 3: "ref", 4: "ref"}
SUBGRAPHS = 2
GRAPH = {0: "ref", 1: "ref", 2: "ref", 3: "ref", 4: "ref"}
TENSORS, INPUTS, OUTPUTS, OPERATORS = 0, 1, 2, 3
OPERATOR = {0: 4, 1: "ref", 2: "ref", 3: 1, 4: "ref", 5: "ref", 6: 1, 7: "ref", 8: "ref", 11: 1, 12: "ref"}
TENSOR = {0: "ref", 1: 1, 2: 4, 3: "ref", 4: "ref", 5: 1, 6: "ref", 7: "ref", 8: 1, 9: "ref"}
READS, MAKES, MUTATES, BETWEEN, NAME = 1, 2, 7, 8, 3


class Original:
    """The recorded file. A place in it stands for what lies there."""

    def __init__(self, content):
        self.content = content

    def number(self, place, layout="I"):
        return struct.unpack_from("<" + layout, self.content, place)[0]

    def target(self, place):
        return place + self.number(place)

    def fields(self, table, kinds):
        """{number: a place for references, else the bytes}"""
        vtable = table - self.number(table, "i")
        found = {}
        for field in range((self.number(vtable, "H") - 4) // 2):
            at = self.number(vtable + 4 + 2 * field, "H")
            if at and field in kinds:
                size = kinds[field]
                found[field] = self.target(table + at) if size == "ref" else self.content[table + at:table + at + size]
        return found

    def tables(self, vector):
        return [self.target(vector + 4 + 4 * at) for at in range(self.number(vector))]

    def ints(self, vector):
        return list(struct.unpack_from(f"<{self.number(vector)}i", self.content, vector + 4))

    def text(self, place):
        return self.content[place + 4:place + 4 + self.number(place)]


class Old(int):
    """A reference to a place in the original file."""


class Written:
    """New tables and vectors; what they refer to comes behind them."""

    def __init__(self):
        self.content, self.waiting = bytearray(), []

    def put(self, value):
        """Writes bytes, a list of numbers, a tuple of references or a dict of fields; gives its place."""
        self.content += bytes(-len(self.content) % 4)
        begin = len(self.content)
        if isinstance(value, bytes):
            self.content += struct.pack("<I", len(value)) + value + b"\0"
        elif isinstance(value, list):
            self.content += struct.pack(f"<I{len(value)}i", len(value), *value)
        elif isinstance(value, tuple):
            self.content += struct.pack("<I", len(value)) + bytes(4 * len(value))
            self.waiting += [(begin + 4 + 4 * at, one) for at, one in enumerate(value)]
        else:
            count = max(value) + 1
            vtable = bytearray(struct.pack("<HH", 4 + 2 * count, 4 + 4 * len(value)) + bytes(2 * count))
            for at, field in enumerate(value):
                struct.pack_into("<H", vtable, 4 + 2 * field, 4 + 4 * at)
            vtable += bytes(-len(vtable) % 4)
            begin += len(vtable)
            self.content += vtable + struct.pack("<i", len(vtable))
            for one in value.values():
                if isinstance(one, (bytes, bytearray)) and not isinstance(one, Text):
                    self.content += one.ljust(4, b"\0")
                else:
                    self.waiting.append((len(self.content), one))
                    self.content += bytes(4)
        return begin

    def finish(self, root, identifier, original):
        self.content = bytearray(4) + identifier
        self.waiting = [(0, root)]
        old = []
        for place, value in self.waiting:  # grows
            if isinstance(value, Old):
                old.append((place, value))
            else:
                struct.pack_into("<I", self.content, place, self.put(bytes(value) if isinstance(value, Text) else value) - place)
        self.content += bytes(-len(self.content) % 16)
        for place, value in old:
            struct.pack_into("<I", self.content, place, len(self.content) + value - place)
        return bytes(self.content) + original


class Text(bytes):
    """Written elsewhere, unlike the bytes of a number."""


def with_old(fields):
    return {field: Old(value) if isinstance(value, int) else value for field, value in fields.items()}


class Seed:
    """A recorded model. What its operators make is made again by each repetition; all else is shared."""

    suffix, options = ".tflite", []

    def __init__(self, case):
        self.name, self.original = case.name, Original(case.model)
        file = self.original
        self.model = file.fields(file.target(0), MODEL)
        self.graphs = file.tables(self.model[SUBGRAPHS])
        self.graph = file.fields(self.graphs[0], GRAPH)
        self.tensors = [file.fields(at, TENSOR) for at in file.tables(self.graph[TENSORS])]
        self.operators = []
        for at in file.tables(self.graph.get(OPERATORS, 0)) if OPERATORS in self.graph else []:
            fields = file.fields(at, OPERATOR)
            lists = {field: file.ints(fields.pop(field)) for field in (READS, MAKES, BETWEEN) if field in fields}
            self.operators.append((with_old(fields), lists))
        codes = [file.fields(at, {0: 1, 1: "ref", 2: 4, 3: 4}) for at in file.tables(self.model[1])]
        self.ops = {str({number: file.text(value) if number == 1 else value for number, value in codes[int.from_bytes(fields.get(0, b""), "little")].items()})
                    for fields, _ in self.operators}
        self.made = sorted({at for _, lists in self.operators for field in (MAKES, BETWEEN) for at in lists.get(field, []) if at >= 0})
        self.inputs, self.outputs = (file.ints(self.graph[field]) for field in (INPUTS, OUTPUTS))
        self.size = max(len(self.operators), 1)

    def kind(self, tensor):
        file, fields = self.original, self.tensors[tensor]
        scale = fields.get(4)
        return fields.get(1), file.ints(fields[0]) if 0 in fields else None, file.ints(fields[7]) if 7 in fields else None, scale and file.fields(scale, {2: "ref"}).keys()

    def links(self):
        """Pairs (output, input) that a chain may use: equal types and shapes."""
        return [(out, into) for out in self.outputs for into in self.inputs if out in self.made and self.kind(out) == self.kind(into)]

    def repeated(self, n, link=None):
        count, own = len(self.tensors), {tensor: at for at, tensor in enumerate(self.made)}
        place = lambda tensor, k: count + k * len(own) + own[tensor] if tensor in own else tensor
        olds = self.original.tables(self.graph[TENSORS])
        tensors, operators, outputs = [Old(at) for at in olds], [], []
        for k in range(n):
            for tensor in self.made:
                fields = with_old(self.tensors[tensor])
                fields[NAME] = Text((self.original.text(self.tensors[tensor][NAME]) if NAME in self.tensors[tensor] else b"t") + b"_%d" % k)
                tensors.append(fields)
            def named(tensor, k=k):
                return place(link[0], k - 1) if link and k and tensor == link[1] else place(tensor, k)
            for fields, lists in self.operators:
                operators.append({**fields, **{field: [named(at) for at in tensors_] for field, tensors_ in lists.items()}})
            if link is None or k == n - 1:
                outputs += [place(at, k) for at in self.outputs if at in own]
        graph = with_old({field: value for field, value in self.graph.items() if field not in (TENSORS, INPUTS, OUTPUTS, OPERATORS)})
        graph |= {TENSORS: tuple(tensors), INPUTS: list(self.inputs), OUTPUTS: outputs, OPERATORS: tuple(operators)}
        model = with_old(self.model) | {SUBGRAPHS: (graph, *(Old(at) for at in self.graphs[1:]))}
        return Written().finish(model, b"TFL3", self.original.content)

    def chain(self, n, link):
        return self.repeated(n, link)

    def copies(self, n):
        return self.repeated(n)


def seeds():
    for case in lite.operations().values():
        seed = Seed(case)
        if seed.operators and seed.made:
            yield seed
