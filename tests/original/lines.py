"""Command lines of lines.json, the result of a conversion, and how two results differ. Runs in the Python of every environment."""
import json
import os
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
LARGE = ("resnet50", "mobilenetv2", "bert_base")
# Integers are below 8, except in these inputs.
BELOW = {"attention_mask": 2}
SAMPLES = 16


def load():
    """(key, row, front end), in the order of the table. A row runs on each front end that it names."""
    with open(os.path.join(HERE, "lines.json"), encoding="utf-8") as file:
        rows = json.load(file)
    return [(f"{row['name']}, {front}", row, front) for row in rows for front in row["front_ends"]]


def options(row):
    """Weights stay in f32 unless the row is about that."""
    given = row["options"]
    return given if any(option.startswith("--compress_to_fp16") for option in given) else [*given, "--compress_to_fp16=False"]


def line(row):
    """The model and its options, which are kept with the recorded result."""
    return " ".join([row["model"], *row["options"]])


def rounded(number):
    return float(f"{number:.7g}")


def digest(array):
    """Its shape, samples at seeded places, mean, and largest magnitude."""
    flat = np.asarray(array, np.float64).ravel()
    at = range(flat.size) if flat.size <= SAMPLES else np.random.default_rng(flat.size).integers(flat.size, size=SAMPLES)
    return {"shape": list(array.shape), "samples": [rounded(flat[i]) for i in at],
            "mean": rounded(flat.mean()) if flat.size else 0, "largest": rounded(abs(flat).max()) if flat.size else 0}


def port(of, node):
    found = {"names": sorted(of.get_names()), "shape": of.get_partial_shape().to_string(), "type": of.get_element_type().get_type_name()}
    layout = str(node.get_layout().to_string())
    return {**found, **({"layout": layout} if layout != "[...]" else {})}


def feeds(key, inputs):
    """Seeded values for inputs as described. A dynamic dimension is 2, or its lower bound if that is larger."""
    import openvino
    arrays = []
    for i, described in enumerate(inputs):
        rng = np.random.default_rng(zlib.crc32(f"{key} {i}".encode()))
        shape = [d.get_length() if d.is_static else max(2, d.get_min_length()) for d in openvino.PartialShape(described["shape"])]
        kind = described["type"]
        if kind == "boolean":
            arrays.append(rng.integers(0, 2, shape).astype(bool))
        elif kind.startswith("f"):
            arrays.append(rng.standard_normal(shape).astype({"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]))
        else:
            below = BELOW.get(described["node"], 8)
            arrays.append(rng.integers(0, below, shape).astype({"i64": np.int64, "i32": np.int32, "u8": np.uint8, "i8": np.int8}[kind]))
    return arrays


def describe(xml, key, inputs=None):
    """What is in the IR, and its numbers. `inputs`, if given, are the inputs whose values are fed, by any of their names."""
    import openvino
    core = openvino.Core()
    model = core.read_model(xml)
    found = {"model": model.get_friendly_name(),
             "inputs": [{"node": i.node.get_friendly_name(), **port(i, i.node)} for i in model.inputs],
             "outputs": [port(o, o.node) for o in model.outputs]}
    fed = inputs if inputs is not None else found["inputs"]
    request = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}).create_infer_request()
    states = request.query_state()
    for step in range(2 if states else 1):
        for described, array in zip(fed, feeds(f"{key} {step}", fed)):
            at = next((n for n, i in enumerate(found["inputs"]) if set(i["names"] + [i["node"]]) & set(described["names"] + [described["node"]])), None)
            if at is not None:
                request.set_input_tensor(at, openvino.Tensor(array.astype(model.inputs[at].get_element_type().to_dtype())))
        request.infer()
    for at, output in enumerate(found["outputs"]):
        output["numbers"] = digest(request.get_output_tensor(at).data)
    return {**found, "states": len(states)}


def shown(port):
    """An input or output as text, without its numbers."""
    parts = [port["node"]] if "node" in port else []
    return " ".join([*parts, "(" + ", ".join(port["names"]) + ")", port["shape"], port["type"], *([port["layout"]] if "layout" in port else [])])


def close(got, want, tolerance):
    """Whether the samples agree by the norm of their difference, and mean and largest in units of the largest."""
    a, b = np.array(got["samples"]), np.array(want["samples"])
    unit = max(abs(want["largest"]), 1e-30)
    return (np.linalg.norm(a - b) <= tolerance * max(np.linalg.norm(b), 1e-30)
            and abs(got["mean"] - want["mean"]) <= tolerance * unit and abs(got["largest"] - want["largest"]) <= tolerance * unit)


def differences(original, ours, tolerance=1e-3):
    """The differences of `ours` from the recorded result, as texts. Inputs may be in another order."""
    if original["exit"] or ours["exit"]:
        texts = []
        if original["exit"] != ours["exit"]:
            texts.append(f"exit code {original['exit']}, here {ours['exit']}")
        if original["exit"] and not ours["exit"]:
            texts += [f"here input {shown(i)}" for i in ours["inputs"]] + [f"here output {shown(o)}" for o in ours["outputs"]]
        return texts
    if "unusable" in original:
        return ["the IR cannot be used"]
    texts = [f"{what} {original[what]}, here {ours[what]}" for what in ("model", "files", "states") if original[what] != ours[what]]
    for kind in ("inputs", "outputs"):
        ends = [[shown(port) for port in found[kind]] for found in (original, ours)]
        if kind == "inputs":
            ends = [sorted(end) for end in ends]
        for a, b in zip(*[end + ["-"] * (max(map(len, ends)) - len(end)) for end in ends]):
            if a != b:
                texts.append(f"{kind[:-1]} {a}, here {b}")
    if len(original["outputs"]) == len(ours["outputs"]):
        for a, b in zip(original["outputs"], ours["outputs"]):
            if a["numbers"]["shape"] != b["numbers"]["shape"] or not close(b["numbers"], a["numbers"], tolerance):
                texts.append(f"numbers of {shown(a)}")
    return texts
