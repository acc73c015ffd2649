#!/usr/bin/env python3
"""Text golden tests: a graph in ONNX's own text form, the options, and the IR or the messages that must come out.

    run.py [--update] [--mo PATH] [NAME ...]

A case is a file tests/golden/CLASS/NAME.txt, where CLASS is the transformation or decomposition that it shows; a case of no single
class is filed by its phase or subject (loader, infer, control_flow…), one of several classes by what their names begin with. NAME above
is CLASS or CLASS/NAME. A case:

    # what the case shows
    options: --static_shape            (optional)
    <ir_version: 8, opset_import: ["" : 13]>
    agraph (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }
    ---
    what `mo` must answer

In place of a graph, `recorded: ssd_v1.15` takes the model, configuration and pipeline.config of tests/tf/recorded/detection/, `caffe: layer/lstm`
that case of tests/caffe, and behind a line `caffe:` stands a network of Caffe that needs no weights. In the same way `kaldi: NAME` takes a network
of tests/kaldi, and behind a line `kaldi:` stands one of nnet3 as text. `mxnet: shapes/Reshape_split` takes that symbol of tests/mxnet/recorded; so
do `paddle:`, `pytorch:`, `tensorflow:` and `tflite:` with their recorded cases.

Behind a line `tensorflow:` stands a GraphDef as text. A line `file NAME: TEXT` writes a file beside the model; {folder} in the options is where.

When all cases run, each transformation of --list_transforms has to fire in one of them: --fired prints in how many.

The answer is one line a layer (id, type and version, name, data, inputs as layer:port, outputs as type, shape and names),
with the content of small constants; or the lines of stderr, with the folder cut off. `--update` rewrites the part below
`---`: read the diff. A layer with a body has its port map behind it, and the body below it.
"""
import argparse, collections, importlib, json, os, re, struct, subprocess, sys, tempfile
import xml.etree.ElementTree as ET

import numpy as np
import onnx.parser

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHORT = {"f32": "f", "i64": "q", "i32": "i", "f64": "d", "boolean": "?", "u8": "B", "i8": "b", "f16": "e"}


def cases():
    """The names CLASS/NAME of all cases, sorted."""
    found = (os.path.relpath(os.path.join(d, f), HERE) for d, _, files in os.walk(HERE) for f in files if f.endswith(".txt"))
    return sorted(n[:-4].replace(os.sep, "/") for n in found)


def constant_text(data, blob):
    kind, size, offset = data["element_type"], int(data["size"]), int(data["offset"])
    if kind not in SHORT or not 0 < size <= 64:
        return f" {size} bytes"
    values = struct.unpack(f"<{size // struct.calcsize(SHORT[kind])}{SHORT[kind]}", blob[offset:offset + size])
    return " = " + ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)


def port_map_text(layer):
    """in 1->0 (input port to body layer), out 5->4, back 4->0, with the slices and purposes."""
    records = []
    for name in ("port_map", "then_port_map", "else_port_map"):
        for record in layer.find(name) if layer.find(name) is not None else []:
            more = " ".join(f"{k}={v}" for k, v in record.attrib.items() if k not in ("external_port_id", "internal_layer_id"))
            kind = {"input": "in", "output": "out"}[record.tag]
            where = "" if name == "port_map" else name[:4] + " "
            records.append(f"{where}{kind} {record.get('external_port_id')}->{record.get('internal_layer_id')}" + (f" ({more})" if more else ""))
    for edge in layer.find("back_edges") if layer.find("back_edges") is not None else []:
        records.append(f"back {edge.get('from-layer')}->{edge.get('to-layer')}")
    return " [" + "; ".join(records) + "]" if records else ""


def ir_text(net, blob):
    sources = {(e.get("to-layer"), e.get("to-port")): e.get("from-layer") + ":" + e.get("from-port") for e in net.find("edges")}
    lines = []
    for layer in net.find("layers"):
        data = dict(layer.find("data").attrib) if layer.find("data") is not None else {}
        content = constant_text(data, blob) if layer.get("type") == "Const" else ""
        for key in ("offset", "size"):
            if layer.get("type") == "Const":
                data.pop(key)
        text = f"{layer.get('id'):>3} {layer.get('type')}.{layer.get('version')} {layer.get('name')}"
        if data:
            text += " {" + ", ".join(f"{k}={v}" for k, v in data.items()) + "}"
        text += content
        if layer.find("rt_info") is not None:
            text += " <" + ", ".join(a.get("name") for a in layer.find("rt_info")) + ">"
        if layer.find("input") is not None:
            text += " (" + ", ".join(sources.get((layer.get("id"), p.get("id")), "?") for p in layer.find("input")) + ")"
        for port in layer.find("output") if layer.find("output") is not None else []:
            dims = ",".join("?" if d.text == "-1" else d.text for d in port.findall("dim"))
            names = f' "{port.get("names")}"' if port.get("names") else ""
            text += f" -> {port.get('precision').lower()}[{dims}]{names}"
        lines.append(text + port_map_text(layer))
        for name in ("body", "then_body", "else_body"):
            if (body := layer.find(name)) is not None:
                lines.append(f"      {name}:")
                lines += ["      " + line for line in ir_text(body, blob).splitlines()]
    return "\n".join(lines) + "\n"


def recorded(folder, name):
    """Writes the model of that detection case; gives the command's arguments."""
    case = os.path.join(ROOT, "tests", "tf", "recorded", "detection", name)
    with np.load(os.path.join(case, "case.npz"), allow_pickle=False) as parts:
        kind = "saved_model" if "saved_model" in parts.files else "model"
        content, config = parts[kind].tobytes(), parts["config"].tobytes().decode()
    model = os.path.join(folder, kind + ".pb")
    with open(model, "wb") as f:
        f.write(content)
    pipeline = os.path.join(case, "pipeline.config")
    options = ["--tensorflow_object_detection_api_pipeline_config", pipeline] if os.path.exists(pipeline) else []
    return [folder if kind == "saved_model" else model, "--model_name", "model", "--transformations_config", config + ".json", *options]


def of_caffe(folder, name, text):
    """Writes the network; gives the command's arguments."""
    if name:
        sys.path.append(os.path.join(ROOT, "tests", "caffe"))
        import every
        return [every.build(name).write(folder, "model")]
    model = os.path.join(folder, "model.prototxt")
    with open(model, "w") as f:
        f.write(text)
    return [model]


def of_kaldi(folder, name, text):
    """Writes the network, that of a case or one as text; gives the command's arguments."""
    if name:
        sys.path.append(os.path.join(ROOT, "tests"))
        from kaldi.networks import CASES
        return [CASES[name].write(os.path.join(folder, "model"))]
    model = os.path.join(folder, "model.raw")
    with open(model, "w") as f:
        f.write(text)
    return [model]


# Of each framework with recorded cases: its folder in tests/, the module that has them, and the ending of a model.
RECORDED = {
    "mxnet": ("mxnet", "stored_mxnet", "-symbol.json"),
    "paddle": ("paddle", "stored", ".pdmodel"),
    "pytorch": ("pytorch", "stored_torch", ".pt2"),
    "tensorflow": ("tf", "store", ".pb"),
    "tflite": ("tflite", "lite", ".tflite"),
}


def of_recorded(folder, framework, name):
    """Writes the model of a recorded case; gives the command's arguments."""
    where, module, ending = RECORDED[framework]
    # Folders of several frameworks have modules of the same names.
    before = list(sys.path)
    sys.path += [os.path.join(ROOT, "tests", where), os.path.join(ROOT, "tests", "recorded")]
    stored = importlib.import_module(module)
    sys.path[:] = before
    case = stored.load(os.path.join(stored.RECORDED, name.partition("/")[0] + ".npz"))[name]
    model = os.path.join(folder, "model" + ending)
    case.write(model)
    return [model, "--model_name", "model", *getattr(case, "about", {}).get("options", [])]


# What changes no graph of a built-in loader that a trace could show, and which tests show it.
QUIET = {
    "CheckForCycle": "inference finds the cycles of models; those of extensions: tests/core/spec/A_rewrites_test.cpp",
    "UnreadReplacementDescriptions": "a message: tests/cli/test_configurations.py",
    "UnknownRankOfBranches": "a message: MoveIntoBranches/both_contradict",
    "UnknownRanks": "a message: tests/numeric/test_rank_of_inputs.py",
    "MarkSubGraphsWithCorrectLayout": "marks: tests/core/layout",
    "ApplyNHWCtoNCHWpermutation": "marks: tests/core/layout",
    "CheckDeclaredTensors": "an error: tests/cli/test_bad_pytorch.py",
    "MergeNodesPermutations": "an error: tests/core/layout/MergeNodesPermutations_test.cpp",
    "NormalizeToNormalizeL2": "of operations that extensions make: tests/core/spec/A_rewrites_test.cpp",
    "GatherNormalizer": "of operations that extensions make: tests/core/spec/A_rewrites_test.cpp",
    "NoOpEraser": "the loaders leave such nodes out: tests/core/rewrite/NoOpEraser_test.cpp",
    "RemoveUnchangedStates": "the loaders leave such states out: tests/core/rewrite/RemoveUnchangedStates_test.cpp",
    "MoveIntoBranches": "moves the readers of a node, which it keeps: MoveIntoBranches/",
}


def transformations(mo):
    """The names of all that may change a graph."""
    rows = subprocess.run([mo, "--list_transforms"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    found = (re.match(r"\S+\s+(\S+)\s+\S+\s+(\S+?)\s*(?:enabled|disabled)\s+(.*)", row).groups() for row in rows)
    return [name for phase, name, text in found if phase != "load" and not text.startswith("Anchor")]


def fired_in(folder):
    """The transformations that the trace of a conversion names."""
    path = os.path.join(folder, "model.trace.json")
    if not os.path.exists(path):
        return set()
    with open(path) as f:
        steps = json.load(f)["steps"]
    return {step.get("transform") for step in steps} | {each["transform"] for step in steps for each in step.get("decomposed", [])}


def arguments_of(head, graph, folder):
    """Writes the model of a case; gives the command's arguments."""
    if case := re.search(r"^recorded:\s*(\S+)$", head, re.M):
        return recorded(folder, case.group(1))
    if case := re.search(r"^caffe: *(\S*)\n(.*)", head, re.M | re.S):
        return of_caffe(folder, *case.groups())
    if case := re.search(r"^kaldi: *(\S*)\n(.*)", head, re.M | re.S):
        return of_kaldi(folder, *case.groups())
    if case := re.search(r"^tensorflow: *\n(.*)", head, re.M | re.S):
        with open(model := os.path.join(folder, "model.pbtxt"), "w") as f:
            f.write(case.group(1))
        return [model]
    if case := re.search(rf"^({'|'.join(RECORDED)}): *(\S+)$", head, re.M):
        return of_recorded(folder, *case.groups())
    model = os.path.join(folder, "model.onnx")
    with open(model, "wb") as f:
        f.write(onnx.parser.parse_model(graph).SerializeToString())
    return [model]


def answer(mo, head, fired):
    """`fired` gets the names of the transformations that changed the graph."""
    options = re.search(r"^options:(.*)$", head, re.M)
    graph = re.sub(r"^(#|options:|file ).*\n?", "", head, flags=re.M)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as beside:
        for name, text in re.findall(r"^file (\S+): (.*)$", head, re.M):
            with open(os.path.join(beside, name), "w") as f:
                f.write(text + "\n")
        arguments = arguments_of(head, graph, folder)
        command = [mo, *arguments, "--output_dir", folder, "--trace"] + (options.group(1).replace("{folder}", beside).split() if options else [])
        if not options or "compress_to_fp16" not in options.group(1):
            command.append("--compress_to_fp16=False")
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if run.returncode:
            left = sorted(set(os.listdir(folder)) - {"model.onnx", "model.pb", "model.prototxt", "model.caffemodel", "model.raw", "saved_model.pb", "model-symbol.json", "model-0000.params"})
            return run.stderr.replace(folder + os.sep, "") + f"exit {run.returncode}\n" + "".join(f"left behind: {n}\n" for n in left)
        fired |= fired_in(folder)
        with open(os.path.join(folder, "model.bin"), "rb") as f:
            return ir_text(ET.parse(os.path.join(folder, "model.xml")).getroot(), f.read())


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("names", nargs="*")
    args.add_argument("--update", action="store_true")
    args.add_argument("--fired", action="store_true")
    args.add_argument("--mo", default=os.path.join(ROOT, "build", "native", "mo"))
    a = args.parse_args()
    files = [n for n in cases() if not a.names or n in a.names or os.path.dirname(n) in a.names]
    failed, count = 0, collections.Counter()
    for name in files:
        path = os.path.join(HERE, name + ".txt")
        with open(path) as f:
            head, _, want = f.read().partition("---\n")
        fired = set()
        got = answer(a.mo, head, fired)
        count.update(fired)
        if got == want:
            continue
        if a.update:
            with open(path, "w") as f:
                f.write(head + "---\n" + got)
            print("updated", name)
            continue
        failed += 1
        print(f"FAIL {name}\n--- want\n{want}--- got\n{got}")
    for name in transformations(a.mo) if not a.names else []:
        if a.fired:
            print(f"{count[name]:>4} {name}")
        if (count[name] == 0) != (name in QUIET):
            failed += 1
            print(f"FAIL {name}: " + ("fires in no case" if name not in QUIET else "fires, and is in the list of those that do not"))
    print(f"golden: {len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
