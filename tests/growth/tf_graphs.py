"""TensorFlow's graphs of one operation, repeated as onnx_graphs.py repeats ONNX's."""
import os
import sys

from protobuf import field, fields

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tf"))
import store  # noqa: E402

NODE = 1  # of GraphDef
NAME, OP, INPUT = 1, 2, 3  # of NodeDef


class Seed:
    """A recorded graph. Its Placeholders and constants are shared by the repetitions."""

    suffix, options = ".pb", []

    def __init__(self, case):
        self.name, self.rest, self.shared, self.nodes = case.name, b"", b"", []
        self.ops = set()
        self.inputs = [name.removesuffix(":0") for name in case.feeds]
        self.outputs = list(case.wanted)
        self.kinds = {name.removesuffix(":0"): array.dtype for name, array in (case.feeds | case.wanted).items()}
        self.shapes = {name.removesuffix(":0"): array.shape for name, array in (case.feeds | case.wanted).items()}
        for number, message in fields(case.model):
            if number != NODE:
                self.rest += field(number, message) if number != 3 else b""  # 3: a number that nothing reads
                continue
            parts = list(fields(message))
            name, op = (next(p for n, p in parts if n == which).decode() for which in (NAME, OP))
            if op in ("Placeholder", "PlaceholderWithDefault", "Const"):
                self.shared += field(NODE, message)
            else:
                inputs = [p.decode() for n, p in parts if n == INPUT]
                self.nodes.append((name, inputs, b"".join(field(n, p) for n, p in parts if n not in (NAME, INPUT))))
                self.ops.add(op)
        self.own = {name for name, _, _ in self.nodes}
        self.size = max(len(self.nodes), 1)

    def repeated(self, suffix, renamed):
        def name(tensor):
            mark = "^" if tensor.startswith("^") else ""
            node, _, output = tensor.removeprefix("^").partition(":")
            if node in renamed:
                return mark + renamed[node]
            return mark + (node + suffix if node in self.own else node) + (":" + output if output else "")
        return b"".join(field(NODE, field(NAME, own + suffix) + b"".join(field(INPUT, name(i)) for i in inputs) + rest) for own, inputs, rest in self.nodes)

    def links(self):
        """Pairs (output, input) that a chain may use, the most alike first."""
        pairs = []
        for out in self.outputs:
            for into in self.inputs:
                node = out.removesuffix(":0")
                if node.partition(":")[0] in self.own and self.kinds.get(node) == self.kinds[into]:
                    pairs.append((self.shapes[node] != self.shapes[into], len(pairs), out, into))
        return [(out, into) for _, _, out, into in sorted(pairs)]

    def chain(self, n, link):
        out, into = link
        node, _, output = out.partition(":")
        parts, last = [], None
        for k in range(n):
            parts.append(self.repeated(f"_{k}", {into: last} if last else {}))
            last = f"{node}_{k}" + (f":{output}" if output not in ("", "0") else "")
        return self.shared + b"".join(parts) + self.rest

    def copies(self, n):
        return self.shared + b"".join(self.repeated(f"_{k}", {}) for k in range(n)) + self.rest if self.nodes else None


def seeds():
    for case in store.operations().values():
        seed = Seed(case)
        if seed.nodes:
            yield seed
