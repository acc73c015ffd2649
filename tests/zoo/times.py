#!/usr/bin/env python3
"""times.py [--only REGEX]: measures the trained models of tests/zoo.json for the gallery of docs/zoo.md, and writes tests/zoo/times.json.

Of each model: how long the native binary takes to convert it, how long one inference of the IR takes, and the same of what OpenVINO's converter makes of the
model, or why it refuses it. Times are the best of several runs, which take turns, so that a busy machine is busy for both; inference is on one thread, in
single precision. `node scripts/generate-docs.mjs` writes the gallery.
"""
import argparse
import json
import os
import re
import subprocess
import time

import numpy as np

import run

PATH = os.path.join(run.HERE, "times.json")
SECONDS = 2


def best(programs):
    """The best time of each program in milliseconds, in turns, for some seconds."""
    found = [np.inf] * len(programs)
    end = time.perf_counter() + SECONDS * len(programs)
    turns = 0
    while turns < 3 or time.perf_counter() < end and turns < 2000:
        for at, program in enumerate(programs):
            began = time.perf_counter()
            program()
            found[at] = min(found[at], (time.perf_counter() - began) * 1000)
        turns += 1
    return found


def inference(core, model, specs):
    """A function that runs a model once, on numbers of the first feed."""
    # OpenVINO's converter has tensors of TensorFlow as `name:0`.
    ports = {}
    for port in model.inputs:
        names = sorted(port.get_names())
        known = [name for name in specs if name in names or name + ":0" in names]
        if known:
            ports[names[0]] = known[0]
    if not ports:
        raise KeyError("no input is fed")
    types = {ports[name]: model.input(name).element_type.to_dtype() for name in ports}
    arrays = run.feed(specs, {name: types.get(name, np.float32) for name in specs}, 0, {})
    fed = {name: arrays[of] for name, of in ports.items()}
    # The runtime compiles no input of unknown rank.
    open_ranks = {name: array.shape for name, array in fed.items() if model.input(name).partial_shape.rank.is_dynamic}
    if open_ranks:
        model.reshape(open_ranks)
    request = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    return lambda: request.infer(fed)


# Lines of an error that say where it was found, but not what is wrong.
ABOUT = re.compile(r"Exception from|Check '|While validating|FrontEnd API failed|Model wasn't fully converted|-- |Summary")


def reason(m, error):
    """Why the converter refuses a model, in one line."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    if "caffe" in m or any(line.startswith("Unable to read the model") for line in lines):
        return "the format is not read"
    said = next(line for line in lines if not ABOUT.match(line))
    return re.sub(r" starting from '\w+' node", "", said).rstrip(".")


def measured(m, path):
    import openvino
    out = os.path.join(run.BUILD, "ir", m["name"])
    os.makedirs(out, exist_ok=True)
    xml = os.path.join(out, "mo.xml")
    command = [run.MO, path, "--output_dir", out, "--model_name", "mo", "--compress_to_fp16=False", *run.options_of(m, path)]
    row = {"convert": best([lambda: subprocess.run(command, check=True, capture_output=True)])[0]}
    core = openvino.Core()
    core.set_property({"INFERENCE_NUM_THREADS": 1})
    programs = [inference(core, core.read_model(xml), m["feeds"][0])]
    try:
        programs.append(inference(core, core.read_model(path), m["feeds"][0]))
    except RuntimeError as error:
        row["refused"] = reason(m, error)
    row.update(zip(("here", "ovc"), best(programs)))
    return {key: value if isinstance(value, str) else float(f"{value:.2g}") for key, value in row.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="models whose name matches")
    chosen = parser.parse_args()
    with open(os.path.join(run.ROOT, "tests", "zoo.json"), encoding="utf-8") as file:
        zoo = json.load(file)
    models = [m for m in zoo["models"] if "package" in m]
    rows = {}
    if os.path.exists(PATH):
        with open(PATH, encoding="utf-8") as file:
            rows = json.load(file)
    looked_at = [m for m in models if re.search(chosen.only, m["name"])]
    paths = run.provide(looked_at, zoo["packages"])
    for m in looked_at:
        rows[m["name"]] = measured(m, paths[m["name"]])
        print(m["name"], rows[m["name"]], flush=True)
    lines = [f"  {json.dumps(m['name'])}: {json.dumps(rows[m['name']])}" for m in models if m["name"] in rows]
    with open(PATH, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
