"""What a PIR program says of its inputs, outputs and parameters. Needs numpy only."""
import json

ELEMENTS = {"0.t_bool": "bool", "0.t_i8": "int8", "0.t_ui8": "uint8", "0.t_i16": "int16", "0.t_i32": "int32", "0.t_i64": "int64", "0.t_f16": "float16",
            "0.t_f32": "float32", "0.t_f64": "float64"}


def attributes(op):
    return {one["N"]: one["AT"].get("D", one["AT"].get("VD")) for one in op["A"]}


def first_block(program):
    return program["program"]["regions"][0]["blocks"][0]["ops"]


class Program:
    """`inputs` and `outputs`: their shapes by name, in their order; `parameters`: names of those that the file of parameters has."""

    def __init__(self, text):
        ops = first_block(json.loads(text))
        types = {result["%"]: result["TT"] for op in ops for result in results(op)}
        fetches = sorted((attributes(op)["col"], at) for at, op in enumerate(ops) if op["#"] == "1.fetch")
        self.inputs = {attributes(op)["name"]: shape(results(op)[0]["TT"]) for op in ops if op["#"] == "1.data"}
        self.outputs = {attributes(ops[at])["name"]: shape(types[ops[at]["I"][0]["%"]]) for _, at in fetches}
        self.parameters = sorted(op["A"][3] for op in ops if op["#"] == "p" and (op.get("OA") or [1])[0])
        self.form = frozenset(forms(list(every(ops))))


def forms(ops):
    """Of each operation what the converter's table sees: its name, which operands are constants, lists or none, and the names of attributes."""
    makers = {result["%"]: op["#"] for op in ops for result in results(op)}
    for op in ops:
        operands = [makers.get(one["%"]) if makers.get(one["%"]) in ("1.full", "1.full_int_array", "0.combine") else one["%"] != 0 for one in op.get("I", [])]
        yield op["#"], *map(str, operands), *(one["N"] for one in op.get("A", []) if isinstance(one, dict))


def results(op):
    found = op.get("O", [])
    return found if isinstance(found, list) else [found]


def every(ops):
    """The operations, and those of their regions."""
    for op in ops:
        yield op
        for region in op.get("regions", []):
            for block in region["blocks"]:
                yield from every(block["ops"])


def shape(kind):
    return kind["D"][1] if kind["#"] == "0.t_dtensor" else []
