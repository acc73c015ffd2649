"""Makes core/ir/verify/operations.def from the OpenVINO package: what the runtime knows of each operation.

    .venv/bin/python scripts/ir-operations/make.py

The operation sets and the attributes are what the runtime itself says of a default-constructed operation; types and
ranks of inputs are those that its validation lets pass (probe.cpp). How many inputs an operation may have, and which
attributes have no default, is what its constructors in the headers and the functions of the Python operation sets say.
"""
import ast
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import openvino

PACKAGE = pathlib.Path(openvino.__file__).parent
HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent.parent / "core/ir/verify/operations.def"
TYPES = ("f64 f32 f16 bf16 f8e4m3 f8e5m2 f8e8m0 f4e2m1 nf4 i64 i32 i16 i8 i4 u64 u32 u16 u8 u4 u2 u1 boolean "
         "string").split()
# Their inputs and outputs are those of their bodies, or as many as the user likes.
VARIADIC_OUTPUTS = {"Split", "VariadicSplit", "If", "Loop", "TensorIterator"}
# Their validation wants a constant, which a type alone is not.
UNEQUAL = {"Unique"}
# Their default attributes pass no inputs; all inputs have one type.
ALIKE = {"Einsum"}
OWNERS = {"If", "Loop", "TensorIterator"}
# What IR calls otherwise than the class.
IR_NAMES = {"Constant": "Const"}
# Default attributes let ranks pass that no attributes of a real operation do.
RANKS = {
    ("Convolution", 0): (3, 5), ("Convolution", 1): (3, 5),
    ("ConvolutionBackpropData", 0): (3, 5), ("ConvolutionBackpropData", 1): (3, 5),
    ("GroupConvolution", 0): (3, 5), ("GroupConvolution", 1): (4, 6),
    ("GroupConvolutionBackpropData", 0): (3, 5), ("GroupConvolutionBackpropData", 1): (4, 6),
    ("MaxPool", 0): (3, 5), ("AvgPool", 0): (3, 5),
}
# Default attributes ask for other numbers of inputs, or types of them, than some of a real operation: a bias is left
# out, a GRUCell may have linear_before_reset, the axes of a Reverse may be a mask.
COUNTS = {"GRUCell": (4, 5), "RNNCell": (4, 8)}
MORE_TYPES = {("Reverse", 1): {"boolean"}}
# Attributes of a class that the reader of IR takes from elsewhere: port maps, bodies, <data> of a Const.
NO_DATA = re.compile("^(void:|body|bytes)")
SPECIAL = {
    "Const": "element_type:type! shape:ints! offset:uint! size:uint!",
    "Parameter": "shape:dims! element_type:type!",
    ("ReadValue", 6): "variable_id:text! variable_type:type variable_shape:dims",
    ("Assign", 6): "variable_id:text!",
}


def build(folder):
    program = str(pathlib.Path(folder, "probe"))
    library = next((PACKAGE / "libs").glob("libopenvino.so.*"))
    subprocess.run(["g++", "-std=c++17", "-O0", f"-I{PACKAGE}/include", str(HERE / "probe.cpp"), "-o", program,
                    str(library), f"-Wl,-rpath,{PACKAGE}/libs"], check=True)
    # Short texts are in the library's instructions, not in its data: the words of headers and of the Python functions
    # have them.
    sources = [library, *(PACKAGE / "include/openvino/op").rglob("*.hpp"), *PACKAGE.glob("opset*/ops.py"),
               *(HERE.parent.parent / "core/ops").glob("*.cpp")]
    words = {w.decode().lower() for path in sources for w in re.findall(rb"[A-Za-z][A-Za-z0-9_-]{1,39}", path.read_bytes())}
    lower = {w for w in words if "_" in w or "-" in w or len(w) < 17} | set(TYPES)
    pathlib.Path(folder, "words").write_text("\n".join(sorted(lower)))
    os.environ["WORDS"] = str(pathlib.Path(folder, "words"))
    return program


def constructors():
    """(type, version of the class) → numbers of inputs that its constructors take; None where that is any number."""
    out = {}
    for path in sorted((PACKAGE / "include/openvino/op").glob("*.hpp")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        parts = re.split(r"class OPENVINO_API (\w+)(?: final)?\s*: ", text)
        for name, body in zip(parts[1::2], parts[2::2]):
            said = re.search(r'OPENVINO_OP\("(\w+)"(?:,\s*"(\w+)")?', body)
            if not said:
                continue
            counts = []
            for c in re.finditer(r"(?<![\w~:])%s\(([^;{]*?)\)\s*(?:;|:|\{)" % name, body):
                if "OutputVector" in c.group(1) or "NodeVector" in c.group(1):
                    counts.append(None)
                elif c.group(1).strip():
                    counts.append(len(re.findall(r"Output<(?:ov::)?Node>&", c.group(1))))
            if counts:
                out[said.group(1), said.group(2) or "opset1"] = counts
    return out


def defaults():
    """(type, opset) → names of attributes without a default, from the functions of the Python operation sets."""
    out = {}
    for path in PACKAGE.glob("opset*/ops.py"):
        for f in ast.parse(path.read_text()).body:
            if not isinstance(f, ast.FunctionDef):
                continue
            args = [a.arg for a in f.args.args]
            without = set(args[:len(args) - len(f.args.defaults)])
            # Some are turned into a text first, in a variable of its own.
            for assignment in (n for n in ast.walk(f) if isinstance(n, ast.Assign)):
                if {n.id for n in ast.walk(assignment.value) if isinstance(n, ast.Name)} & without:
                    without |= {n.id for n in assignment.targets if isinstance(n, ast.Name)} - set(args)
            keys = {}
            for node in ast.walk(f):
                if isinstance(node, ast.Dict):
                    keys.update({k.value: v for k, v in zip(node.keys, node.values) if isinstance(k, ast.Constant)})
            for call in ast.walk(f):
                if (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "create"
                        and call.args and isinstance(call.args[0], ast.Constant)):
                    needed = {k for k, v in keys.items()
                              if {n.id for n in ast.walk(v) if isinstance(n, ast.Name)} & without}
                    out[call.args[0].value, path.parent.name] = needed
    return out


def probe(program, *arguments):
    run = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return [line.split() for line in run.stdout.splitlines()]


def span(numbers):
    return min(numbers), max(numbers)


class Table:
    def __init__(self):
        self.types, self.values = {}, {}

    def name(self, table, prefix, key):
        return table.setdefault(key, f"{prefix}{len(table)}")

    def type_class(self, types):
        return "" if set(types) == set(TYPES) or not types else self.name(self.types, "t", " ".join(types))

    def kind(self, kind, values):
        if kind != "enum":
            return kind
        if "f32" in values:
            return "type"
        return self.name(self.values, "v", " ".join(sorted(values)))


def describe(program, name, opset):
    lines = probe(program, name, f"opset{opset}")
    counted = {n: probe(program, name, f"opset{opset}", n) for n in range(0, 9)}
    return lines, counted


def alike(counted):
    """Whether all inputs have the type of the first, however many there are."""
    passing = [n for n in counted if n > 1 and any(told[0] == "counts" for told in counted[n])]
    return bool(passing) and not any(told[0] == "differ" and told[3] == "0" for n in passing for told in counted[n])


def row(table, name, first, last, lines, counted, made, needed):
    ir = IR_NAMES.get(name, name)
    passing = sorted(n for n, told in counted.items() if any(t[0] == "counts" for t in told))
    numbers = [n for n in made or [] if n is not None]
    names = {told[1] for told in lines if told[0] == "attribute"}
    variadic = bool(made) and None in made or not made and not passing
    if variadic:
        least, most = min(numbers, default=1), 0
    else:
        inside = [n for n in passing if not numbers or min(numbers) <= n <= max(numbers)]
        least = min(inside or numbers)
        most = max(numbers or passing)
    least, most = COUNTS.get(name, (least, most))
    variadic = variadic or name in OWNERS
    if ir in ("Const", "Parameter"):
        least = most = 0
    ports = []
    for i in range(0 if variadic else most):
        types, ranks, equal = set(), set(), set(range(i))
        for n in (n for n in passing if n > i and n <= most):
            for told in counted[n]:
                if told[0] == "types" and told[1:3] == [str(n), str(i)]:
                    types |= set(told[3:]) | MORE_TYPES.get((name, i), set())
                if told[0] == "ranks" and told[1:3] == [str(n), str(i)]:
                    ranks |= set(map(int, told[3:]))
                if told[0] == "differ" and told[1:3] == [str(n), str(i)]:
                    equal.discard(int(told[3]))
        if not passing or name in UNEQUAL:
            equal = set()
        # What the default of these attributes asks for is not asked of others.
        if "strides" in names or "axis" in names and i == 0:
            ranks = set()
        low, high = RANKS.get((name, i)) or (span(ranks) if ranks else (0, 8))
        ranks_text = "" if (low, high) == (0, 8) else f"{low}-{'' if high == 8 else high}"
        same = f"={min(equal)}" if equal else ""
        ports.append(f"{table.type_class([t for t in TYPES if t in types])}{same}:{ranks_text}")
    while ports and ports[-1] == ":":
        ports.pop()
    if variadic and (name in ALIKE or alike(counted)):
        ports = ["*=0:"]
    outputs = {int(t[2]) for told in counted.values() for t in told if t[0] == "outputs" and least <= int(t[1]) <= (99 if variadic else most)}
    output_text = "*" if name in VARIADIC_OUTPUTS or not outputs else "-".join(map(str, sorted({min(outputs), max(outputs)})))
    attributes = []
    for told in lines:
        if told[0] != "attribute" or NO_DATA.match(told[2]):
            continue
        attributes.append(f"{told[1]}:{table.kind(told[2], told[3:])}{'!' if told[1] in needed else ''}")
    text = SPECIAL.get((ir, first), SPECIAL.get(ir, " ".join(attributes)))
    count = f"{least}-*" if variadic else f"{least}-{most}"
    return f'MO_IR_OP("{ir}", "{first}-{last}", "{" ".join([count, *ports])}", "{output_text}", "{text}")'


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        sets = {}
        for opset, name in probe(program, "list"):
            sets.setdefault(name, set()).add(int(opset[5:]))
        jobs = sorted((name, opset) for name, opsets in sets.items() for opset in opsets)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            versions = dict(zip(jobs, pool.map(
                lambda job: next((t[1] for t in probe(program, job[0], f"opset{job[1]}") if t[0] == "version"), "?"), jobs)))
            classes = {}
            for (name, opset), version in versions.items():
                classes.setdefault((name, version), []).append(opset)
            keys = sorted(classes, key=lambda k: (k[0], min(classes[k])))
            told = dict(zip(keys, pool.map(lambda k: describe(program, k[0], min(classes[k])), keys)))
    made, needed, table, rows = constructors(), defaults(), Table(), []
    for name, version in keys:
        first, last = span(classes[name, version])
        without = next((needed[name, f"opset{o}"] for o in range(first, last + 1) if (name, f"opset{o}") in needed), set())
        rows.append(row(table, name, first, last, *told[name, version], made.get((name, version)), without))
    header = f"""// What OpenVINO {openvino.__version__.split('-')[0]} knows of its operations. Made by scripts/ir-operations/make.py.
//   MO_IR_TYPES(name, element types)
//   MO_IR_VALUES(name, values of an attribute)
//   MO_IR_OP(type in IR, operation sets in which it is this class, inputs, numbers of outputs, attributes)
// inputs: how many, least-most or least-* for any; then for each port TYPES:RANKS. TYPES is a name of MO_IR_TYPES, or
// nothing for all; =N where the type has to be that of input N; * in front where all ports from this one on are alike.
// RANKS is least-most; nothing for all.
// attributes: name:kind, with '!' where there is no default. kind: bool, int, uint, float, with s for a list; type for an
// element type; text; dims for a shape with unknown dimensions; or a name of MO_IR_VALUES.
#ifndef MO_IR_OP
#error define MO_IR_TYPES, MO_IR_VALUES and MO_IR_OP before including operations.def
#endif
"""
    types = [f'MO_IR_TYPES("{n}", "{v}")' for v, n in table.types.items()]
    values = [f'MO_IR_VALUES("{n}", "{v}")' for v, n in table.values.items()]
    footer = ["#undef MO_IR_TYPES", "#undef MO_IR_VALUES", "#undef MO_IR_OP", ""]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(header + "\n".join(types + values + rows + footer))


if __name__ == "__main__":
    sys.exit(main())
