#!/usr/bin/env python3
"""Compares how long the runtime takes for the IR of this converter and for that of another one, of one model after the other.

    npm run bench -- inference [--paddle] [--only REGEX] [--runs N]

Models are the networks of tests/caffe that the original Model Optimizer converts rightly, and those of Caffe in tests/zoo.json: it is the other
converter. With --paddle they are networks of tests/paddle that openvino.convert_model converts rightly, and those of PaddlePaddle in
tests/zoo.json; then that is the other one. The two IRs take turns of a few milliseconds on one thread, each first in every other turn. Processor
time counts, of the fastest fifth of the turns, which other programs disturb least.
Prints a table for docs/benchmarks.md.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its threads and those of the runtime wait for each other
import numpy as np  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(TESTS, "caffe"), os.path.join(TESTS, "paddle"), os.path.join(TESTS, "zoo")]
import every  # noqa: E402
import optimizer  # noqa: E402
import run as zoo  # noqa: E402
import stored  # noqa: E402

TURNS, SECONDS = 41, 0.02
FAMILIES = ["detectors", "picture_transformers", "readers", "segmenters", "transformers", "vision"]


def of_caffe(folder, only):
    """(name, arguments of both converters, feeds)."""
    with open(os.path.join(TESTS, "caffe", "original.txt"), encoding="utf-8") as file:
        passed = re.findall(r"^(network/(\S+)) ", file.read(), re.M)
    for name, short in passed:
        if re.search(only, short):
            net = every.build(name)
            yield short, ["--input_model", net.write(folder, short)], net.feeds
    yield from of_zoo("caffe", only)


def of_paddle(folder, only):
    """The same; networks of open sizes are those of known ones again."""
    with open(os.path.join(TESTS, "paddle", "reference.txt"), encoding="utf-8") as file:
        passed = set(file.read().split())
    for name, case in stored.everything(FAMILIES).items():
        if name in passed and not name.endswith("_unknown") and re.search(only, name):
            path = os.path.join(folder, name.replace("/", "-") + ".pdmodel")
            case.write(path)
            yield name, ["--input_model", path], case.runs[0]
    yield from of_zoo("paddle", only)


def of_zoo(framework, only):
    with open(os.path.join(TESTS, "zoo.json"), encoding="utf-8") as file:
        listed = json.load(file)
    models = [m for m in listed["models"] if framework in m and re.search(only, m["name"])]
    paths = zoo.provide(models, listed["packages"]) if models else {}
    for m in models:
        path = paths[m["name"]]
        if path.endswith(".json"):
            continue  # OpenVINO's converter reads no program of PaddlePaddle 3
        yield m["name"], ["--input_model", path, *zoo.options_of(m, path)], zoo.recorded_feeds(m)[0]


def by_command(*command):
    def convert(arguments, folder):
        subprocess.run([*command, *arguments, "--output_dir", folder, "--model_name", "m", "--compress_to_fp16=False"], check=True, capture_output=True)
        return os.path.join(folder, "m.xml")
    return convert


def by_openvino(arguments, folder):
    sys.modules["openvino_telemetry"] = None  # OpenVINO runs without it, and does not wait for a network
    import openvino
    xml = os.path.join(folder, "m.xml")
    openvino.save_model(openvino.convert_model(arguments[1]), xml, compress_to_fp16=False)
    return xml


def prepared(core, xml, feeds):
    """A function that runs the IR some times and gives the seconds of the processor for one."""
    request = core.compile_model(xml, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    ports = {name: at for at, port in enumerate(request.model_inputs) for name in (port.node.friendly_name, *port.get_names())}
    import openvino
    for name, value in feeds.items():
        request.set_input_tensor(ports[name], openvino.Tensor(np.array(value)))

    def seconds(times):
        began = time.process_time()
        for _ in range(times):
            request.infer()
        return (time.process_time() - began) / times
    return seconds


def compared(core, xmls, feeds, swapped):
    """The milliseconds of both. Which is compiled first decides where its memory is, which can take a tenth: that changes with each run."""
    made = {xml: prepared(core, xml, feeds) for xml in (reversed(xmls) if swapped else xmls)}
    ours, other = (made[xml] for xml in xmls)
    times = max(1, round(SECONDS / max(ours(3), other(3), 1e-6)))
    taken = []
    for turn in range(TURNS):
        if turn % 2:
            b, a = other(times), ours(times)
        else:
            a, b = ours(times), other(times)
        taken.append((a, b))
    return [float(np.quantile(of, 0.2)) * 1e3 for of in np.array(taken).T]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paddle", action="store_true", help="programs of PaddlePaddle, and OpenVINO's converter")
    parser.add_argument("--only", default="", help="networks whose name matches")
    parser.add_argument("--runs", type=int, default=3, help="how often all is measured")
    chosen = parser.parse_args()
    import openvino
    core = openvino.Core()
    ours, other = by_command(zoo.MO), by_openvino if chosen.paddle else by_command(optimizer.make_environment(), "-m", "openvino.tools.mo")
    with tempfile.TemporaryDirectory() as folder:
        pairs = {}
        for name, arguments, feeds in (of_paddle if chosen.paddle else of_caffe)(folder, chosen.only):
            xmls = [convert(arguments, os.path.join(folder, f"{name}-{i}".replace("/", "-"))) for i, convert in enumerate((ours, other))]
            pairs[name] = xmls, feeds
        found = [{name: compared(core, *pair, run % 2 == 1) for name, pair in pairs.items()} for run in range(chosen.runs)]
    print(f"| network | ms, here / {'OpenVINO' if chosen.paddle else 'original'} | {' | '.join(f'ratio, run {i + 1}' for i in range(chosen.runs))} |")
    print("|---" * (chosen.runs + 2) + "|")
    for name in pairs:
        here, there = (min(rows[name][i] for rows in found) for i in (0, 1))
        print(f"| {name} | {here:.3f} / {there:.3f} | {' | '.join(f'{rows[name][0] / rows[name][1]:.2f}' for rows in found)} |")
    means = [np.exp(np.mean([np.log(here / there) for here, there in rows.values()])) for rows in found]
    print(f"| **geometric mean** | | {' | '.join(f'{mean:.3f}' for mean in means)} |")


if __name__ == "__main__":
    main()
