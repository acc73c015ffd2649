#!/usr/bin/env python3
"""Checks that the converter writes the same bytes as before.

    run.py [--mo PATH] [--only REGEX] [--first] [--update] [--large]

Converts every ONNX backend case, golden case, ONNX model of the zoo and model of make_onnx.py, in f32 and in FP16, and compares
checksums of the .xml and the .bin, or of the messages, with tests/frozen/checksums.txt. Each difference is named. --update
rewrites the list: its diff is then the list of what changed. A model whose own bytes have changed since the list was written
(another exporter, another libm) is reported and not compared; if that holds for all of them, the check fails. A listed model that
is no longer there counts as failed. --first stops at the first difference. --large adds the 3.5 GB model.
The last line is `N passed, N failed`.

A line of the list: the model, f32 or f16, the checksum of the model, then of .xml and .bin, or `said` and of the messages.
"""
import argparse
import concurrent.futures
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, "checksums.txt")
SUITES = ("node", "simple", "pytorch-converted", "pytorch-operator")


def module(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(os.path.dirname(path)) + "_run", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def digest(path):
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 22):
            total.update(block)
    return total.hexdigest()[:16]


def backend_cases():
    import onnx.backend.test
    data = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data")
    for suite in SUITES:
        for name in sorted(os.listdir(os.path.join(data, suite))):
            path = os.path.join(data, suite, name, "model.onnx")
            if os.path.exists(path):
                yield f"{suite}/{name}", path, []


def golden_cases(folder):
    import onnx.parser
    root = os.path.join(ROOT, "tests", "golden")
    for name in module(os.path.join(root, "run.py")).cases():
        path = os.path.join(root, name + ".txt")
        with open(path) as file:
            head = file.read().partition("---\n")[0]
        if re.search(r"^(?!options:)[a-z]+:|^file ", head, re.M):
            continue  # not of ONNX
        options = re.search(r"^options:(.*)$", head, re.M)
        options = [o for o in (options.group(1).split() if options else []) if "compress_to_fp16" not in o]
        model = os.path.join(folder, name + ".onnx")
        os.makedirs(os.path.dirname(model), exist_ok=True)
        with open(model, "wb") as file:
            file.write(onnx.parser.parse_model(re.sub(r"^(#|options:).*\n?", "", head, flags=re.M)).SerializeToString())
        yield f"golden/{name}", model, options


def zoo_models(only):
    import json
    with open(os.path.join(ROOT, "tests", "zoo.json")) as file:
        zoo = json.load(file)
    models = [m for m in zoo["models"] if "tf" not in m and re.search(only, "zoo/" + m["name"])]
    run = module(os.path.join(ROOT, "tests", "zoo", "run.py"))
    paths = run.provide(models, zoo["packages"])
    for m in models:
        yield f"zoo/{m['name']}", paths[m["name"]], run.options_of(m, paths[m["name"]])


def made_models(only, large):
    folder = os.path.join(ROOT, "build", "models")
    maker = os.path.join(ROOT, "tests", "models", "make_onnx.py")
    for name in ["resnet50", "mobilenetv2", "bert_base"] + ["wide_3gb"] * large:
        if not re.search(only, "make_onnx/" + name):
            continue
        path = os.path.join(folder, name, "model.onnx") if name == "wide_3gb" else os.path.join(folder, name + ".onnx")
        if not os.path.exists(path):
            subprocess.run([sys.executable, maker, folder, name], check=True, stdout=subprocess.DEVNULL)
        yield f"make_onnx/{name}", path, []


def converted(mo, model, options, precision):
    """What the list says of one conversion, behind the name and the precision."""
    with tempfile.TemporaryDirectory() as folder:
        flag = f"--compress_to_fp16={precision == 'f16'}"
        run = subprocess.run([mo, model, "--output_dir", folder, "--model_name", "m", flag, *options], capture_output=True, text=True, timeout=600)
        if run.returncode == 0:
            return f"{digest(os.path.join(folder, 'm.xml'))} {digest(os.path.join(folder, 'm.bin'))}"
        said = run.stderr.replace(os.path.dirname(model) + os.sep, "").replace(ROOT + os.sep, "")
        return f"said {hashlib.sha256(f'{run.returncode} {said}'.encode()).hexdigest()[:16]}"


def read_list():
    if not os.path.exists(LIST):
        return {}
    with open(LIST) as file:
        rows = [line.split(maxsplit=3) for line in file.read().splitlines() if line and not line.startswith("#")]
    return {(name, precision): (model, result) for name, precision, model, result in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mo", default=os.path.join(ROOT, "build", "native", "mo"))
    parser.add_argument("--only", default="", help="models whose name matches")
    parser.add_argument("--first", action="store_true", help="stops at the first difference")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--large", action="store_true", help="with the 3.5 GB model")
    chosen = parser.parse_args()
    known = read_list()
    with tempfile.TemporaryDirectory() as scratch:
        models = [*backend_cases(), *golden_cases(scratch), *zoo_models(chosen.only), *made_models(chosen.only, chosen.large)]
        models = [m for m in models if re.search(chosen.only, m[0])]
        jobs = [(name, precision, path, options) for precision in ("f32", "f16") for name, path, options in models]
        found = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda j: (digest(j[2]), converted(chosen.mo, j[2], j[3], j[1])), jobs)
            for (name, precision, _, _), result in zip(jobs, results):
                found[name, precision] = result
                was = known.get((name, precision), ())
                if chosen.first and was[:1] == result[:1] and was != result:
                    pool.shutdown(wait=False, cancel_futures=True)
                    break
    same = [key for key in found if known.get(key) == found[key]]
    others = [key for key in found if key in known and known[key][0] != found[key][0]]
    changed = [key for key in found if key not in others and known.get(key) != found[key]]
    there = {(name, precision) for name, precision, _, _ in jobs}
    gone = [key for key in known if key not in there and key[0] != "make_onnx/wide_3gb" and re.search(chosen.only, key[0])]
    for key in gone:
        print(f"no longer there: {' '.join(key)}")
    for name, precision in others:
        print(f"not compared: {name} {precision}: the model is another one")
    for key in changed:
        was, now = known.get(key, (0, "not listed"))[1], found[key][1]
        parts = [part for part, a, b in zip((".xml", ".bin"), was.split(), now.split()) if a != b]
        print(f"changed: {' '.join(key)}: {' and '.join(parts) if known.get(key) else was}")
    if chosen.update:
        kept = {key: row for key, row in known.items() if key not in found and not re.search(chosen.only, key[0])}
        kept.update({key: row for key, row in known.items() if key[0] == "make_onnx/wide_3gb"})
        kept.update(found)
        with open(LIST, "w") as file:
            file.write("# model, precision, checksums of the model, .xml and .bin; see run.py\n")
            file.writelines(f"{name} {precision} {model} {result}\n" for (name, precision), (model, result) in sorted(kept.items()))
    failed = len(changed) + len(gone)
    print(f"{len(same)} passed, {failed} failed")
    if chosen.update:
        return 0 if found else 1
    return 0 if same and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
