#!/usr/bin/env python3
"""Counts the operations of our IRs and of those of OpenVINO's own converter, over the networks of the tests and of the zoo.

    count-operations.py MO [--only REGEX] [--types]

Prints the section of docs/benchmarks.md: a summary for each format, and the networks whose IR has more Transposes here than there, or more than
1.1 times the operations. With --types, both IRs of each chosen network by type instead. Inputs, outputs and constants do not count; operations of
bodies do. Both get the network as it is: options of the zoo that openvino.convert_model does not have are left out.
What OpenVINO's converter makes of a file is counted once, and kept in build/operations.json. The first run takes half an hour, others minutes.
It reads programs of PyTorch in .venv-torch, which is made if need be, because it needs PyTorch for them.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = os.path.join(ROOT, "tests")
MODELS = os.path.join(ROOT, "build", "models")
KEPT = os.path.join(ROOT, "build", "operations.json")
FORMATS = {"onnx": "ONNX", "tf": "TensorFlow", "tflite": "TensorFlow Lite", "paddle": "PaddlePaddle", "pytorch": "PyTorch"}
MADE = ["bert_base", "resnet50", "mobilenetv2"]
OF_PADDLE = ["detectors", "picture_transformers", "readers", "segmenters", "transformers", "vision"]

OF_PYTORCH = ["networks", "networks_timm", "networks_torchvision", "networks_transformers", "recurrent"]


class Network:
    def __init__(self, kind, name, path, options=()):
        self.kind, self.name, self.path = kind, name, path
        output = list(options).index("--output") + 1 if "--output" in options else 0
        self.outputs = options[output].split(",") if output else []

    def command(self):
        return [self.path, *(["--output", ",".join(self.outputs)] if self.outputs else [])]

    def key(self):
        """Changes with the files."""
        files = [self.path] if os.path.isfile(self.path) else [os.path.join(at, file) for at, _, some in os.walk(self.path) for file in some]
        stats = [(os.path.relpath(file, ROOT), os.stat(file).st_size, os.stat(file).st_mtime_ns) for file in sorted(files)]
        return json.dumps([stats, self.outputs])


def written(path, source, write):
    """The path of a recorded network, which `write` writes there again if it is missing or older than what is recorded."""
    if not os.path.exists(path) or os.stat(path).st_mtime < os.stat(source).st_mtime:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path)
    return path


def recorded_networks(only):
    sys.path[:0] = [os.path.join(TESTS, "tf"), os.path.join(TESTS, "tflite"), os.path.join(TESTS, "paddle")]
    import filled
    import stored
    import writer
    for kind, module, ending in (("tf", writer, ".pb"), ("tflite", filled, ".tflite")):
        for name in module.names():
            if re.search(only, f"{kind}/{name}"):
                source = os.path.join(module.NETWORKS, name + ".npz")
                path = os.path.join(ROOT, "build", kind, name + ending)
                yield Network(kind, name, written(path, source, lambda to: module.load(name).write(to)))
    for family in OF_PADDLE:
        source = os.path.join(stored.RECORDED, family + ".npz")
        for name, case in stored.everything([family]).items():
            if re.search(only, f"paddle/{name}"):
                path = os.path.join(stored.FOLDER, name.replace("/", ".") + case.ending)
                yield Network("paddle", name, written(path, source, case.write))


def of_pytorch(only):
    # In a process of its own: folders of several frameworks have modules of the same names.
    program = "import json, sys; import stored_torch as s; c = s.everything(json.loads(sys.argv[1])); print(json.dumps([n for n in c if not c[n].about['refused']]))"
    environment = {**os.environ, "PYTHONPATH": os.path.join(TESTS, "pytorch")}
    names = json.loads(subprocess.run([sys.executable, "-c", program, json.dumps(OF_PYTORCH)], check=True, env=environment, stdout=subprocess.PIPE).stdout)
    names = [name for name in names if re.search(only, "pytorch/" + name)]
    paths = {name: os.path.join(ROOT, "build", "pytorch", name.replace("/", ".") + ".pt2") for name in names}
    source = os.path.join(TESTS, "pytorch", "recorded")
    old = [name for name, path in paths.items() if not os.path.exists(path) or os.stat(path).st_mtime < os.stat(os.path.join(source, name.partition("/")[0] + ".npz")).st_mtime]
    if old:
        subprocess.run([sys.executable, os.path.join(TESTS, "pytorch", "stored_torch.py"), *old], check=True, stdout=subprocess.DEVNULL)
    for name, path in paths.items():
        yield Network("pytorch", name, path)


def of_zoo(only):
    sys.path.insert(0, os.path.join(TESTS, "zoo"))
    import run as zoo
    with open(os.path.join(TESTS, "zoo.json"), encoding="utf-8") as file:
        listed = json.load(file)
    kinds = {m["name"]: next((kind for kind in ("tf", "tflite", "paddle", "caffe") if kind in m), "onnx") for m in listed["models"]}
    models = [m for m in listed["models"] if kinds[m["name"]] in FORMATS and re.search(only, f"{kinds[m['name']]}/{m['name']}")]
    paths = zoo.provide(models, listed["packages"]) if models else {}
    for m in models:
        yield Network(kinds[m["name"]], m["name"], paths[m["name"]], m.get("options", []))


def made(only):
    names = [name for name in MADE if re.search(only, "onnx/" + name)]
    missing = [name for name in names if not os.path.exists(os.path.join(MODELS, name + ".onnx"))]
    if missing:
        subprocess.run([sys.executable, os.path.join(TESTS, "models", "make_onnx.py"), MODELS, *missing], check=True, stdout=subprocess.DEVNULL)
    for name in names:
        yield Network("onnx", name, os.path.join(MODELS, name + ".onnx"))


def counted(xml):
    """Operations by type."""
    kinds = collections.Counter(layer.get("type") for layer in ET.parse(xml).getroot().iter("layer"))
    return {kind: count for kind, count in sorted(kinds.items()) if kind not in ("Parameter", "Result", "Const")}


def ours(mo, network):
    """By type; None if it is refused, as the reference's."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([mo, *network.command(), "--output_dir", folder, "--model_name", "m", "--compress_to_fp16=False"], capture_output=True)
        return counted(os.path.join(folder, "m.xml")) if run.returncode == 0 else None


def reference(network):
    """In a process of its own, because some models crash it."""
    with tempfile.TemporaryDirectory() as folder:
        xml = os.path.join(folder, "m.xml")
        run = subprocess.run([sys.executable, os.path.abspath(__file__), "--reference", network.path, xml, *network.outputs], capture_output=True)
        return counted(xml) if run.returncode == 0 else None


def write_reference(path, xml, *outputs):
    sys.modules["openvino_telemetry"] = None  # OpenVINO runs without it, and does not wait for a network
    import openvino
    openvino.save_model(openvino.convert_model(path, **({"output": list(outputs)} if outputs else {})), xml, compress_to_fp16=False)


def references_with_torch(networks):
    """Those of programs of PyTorch, in one process after the other: what is imported takes longer than a conversion. A crash ends a process."""
    sys.path.insert(0, os.path.join(TESTS, "recorded"))
    import environment
    import openvino
    python, left, counts = environment.named("torch")[1], list(networks), {}
    packages = os.path.dirname(os.path.dirname(openvino.__file__))
    with tempfile.TemporaryDirectory() as folder:
        xml = os.path.join(folder, "m.xml")
        while left:
            command = [python, os.path.abspath(__file__), "--with-torch", packages, xml, *(network.path for network in left)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
                for line in run.stdout:
                    if line.startswith("counted: "):
                        counts[left.pop(0).path] = json.loads(line.partition(" ")[2])
            if left:  # it has crashed
                counts[left.pop(0).path] = None
    return counts


def count_with_torch(packages, xml, *paths):
    sys.path.append(packages)
    for path in paths:
        try:
            write_reference(path, xml)
            kinds = counted(xml)
        except Exception:
            kinds = None
        print("counted:", json.dumps(kinds), flush=True)


def version():
    import openvino
    return openvino.__version__.split("-")[0]


def compared(mo, networks):
    """(network, ours, reference), as they are counted."""
    known = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as file:
            known = json.load(file)
    known = known.get(version(), {})
    networks = list(networks)
    with_torch = [network for network in networks if network.kind == "pytorch" and network.key() not in known]
    found = references_with_torch(with_torch) if with_torch else {}
    known.update((network.key(), found[network.path]) for network in with_torch)

    def both(network):
        key = network.key()
        if key not in known:
            known[key] = reference(network)
        return network, ours(mo, network), known[key]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            yield from pool.map(both, networks)
        finally:
            pool.shutdown(cancel_futures=True)
            with open(KEPT + ".new", "w", encoding="utf-8") as file:
                json.dump({version(): known}, file, indent=0)
            os.replace(KEPT + ".new", KEPT)


def total(kinds):
    return sum(kinds.values())


def transposes(kinds):
    return kinds.get("Transpose", 0)


def is_over(a, b):
    return transposes(a) > transposes(b) or 10 * total(a) > 11 * total(b)


def pair(a, b, of):
    return f"{of(a)} / {of(b)}"


def section(results):
    head = f"here / ovc {version()}"
    lines = [f"| format | networks compared | over | operations, {head} | Transposes, {head} |", "|---|---|---|---|---|"]
    over = []
    for kind, title in FORMATS.items():
        both = [(network, a, b) for network, a, b in results if network.kind == kind and a is not None and b is not None]
        sums = [collections.Counter(), collections.Counter()]
        for _, *sides in both:
            for one, side in zip(sums, sides):
                one.update(side)
        worse = [row for row in both if is_over(*row[1:])]
        over += worse
        lines.append(f"| {title} | {len(both)} | {len(worse)} | {pair(*sums, total)} | {pair(*sums, transposes)} |")
    lines.append("")
    if over:
        lines += [f"| over | format | operations, {head} | Transposes, {head} |", "|---|---|---|---|"]
        lines += [f"| {network.name} | {FORMATS[network.kind]} | {pair(a, b, total)} | {pair(a, b, transposes)} |" for network, a, b in over]
        lines.append("")
    left_out = [f"{network.name} ({'here' if a is None else 'ovc'})" for network, a, b in results if a is None or b is None]
    return lines + ([f"Refused, and not compared: {', '.join(left_out)}."] if left_out else [])


def by_type(results):
    for network, a, b in results:
        yield f"### {network.name}\n\n| type | here | ovc {version()} |\n|---|---|---|"
        for kind in sorted({*(a or {}), *(b or {})}):
            yield f"| {kind} | {(a or {}).get(kind, 0)} | {(b or {}).get(kind, 0)} |"
        yield f"| **all** | {total(a or {})} | {total(b or {})} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mo")
    parser.add_argument("--only", default="", help="networks whose format and name match, as tf/keras2_ResNet50")
    parser.add_argument("--types", action="store_true", help="the operations of each network by type")
    chosen = parser.parse_args()
    results = list(compared(chosen.mo, [*made(chosen.only), *of_zoo(chosen.only), *recorded_networks(chosen.only), *of_pytorch(chosen.only)]))
    print("\n".join(by_type(results) if chosen.types else section(results)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--reference"]:
        write_reference(*sys.argv[2:])
    elif sys.argv[1:2] == ["--with-torch"]:
        count_with_torch(*sys.argv[2:])
    else:
        main()
