"""Programs of PaddlePaddle 3: long lists in their JSON, in places that nobody reads and in attributes."""
import json

from . import save

FORM = {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, [2, 3], "NCHW", [], 0]}


def operation(op, operands, result, fields=(), **attributes):
    """`attributes` are (form, value)."""
    written = [{"N": key, "AT": {"#": form, "D": content}} for key, (form, content) in attributes.items()]
    return {"#": op, "A": written, "I": [{"%": one} for one in operands], "O": [{"%": result, "TT": FORM}], "OA": [], **dict(fields)}


def program(*operations, variable="x"):
    data = operation("1.data", [], 1, name=("0.a_str", variable), shape=("1.a_intarray", [2, 3]), dtype=("1.a_dtype", "float32"))
    fetch = operation("1.fetch", [2], 3, name=("0.a_str", "y"), col=("0.a_i32", 0))
    block = {"#": "block", "args": [], "ops": [data, *operations, fetch]}
    whole = {"base_code": {"magic": "pir", "trainable": True, "version": 4}, "program": {"regions": [{"#": "region_0", "blocks": [block]}]}}
    return json.dumps(whole, separators=(",", ":")).encode()


def list_that_nobody_reads(folder, n):
    return save(folder, program(operation("1.relu", [1], 2, {"more": [1] * n})), name="m.json", nodes=10)


def list_of_an_attribute(folder, n):
    return save(folder, program(operation("1.relu", [1], 2, more=("1.a_intarray", [1] * n))), name="m.json", nodes=10, **({"code": "MO2002", "says": "more than 4194304 numbers"} if n > 4 << 20 else {}))


CASES = [(list_that_nobody_reads, 1_000_000, 10_000_000), (list_of_an_attribute, 1_000_000, 10_000_000)]
