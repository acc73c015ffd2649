#!/usr/bin/env python3
"""Counts the operations of our IR and of OpenVINO's own converter's, by type, as a section of docs/benchmarks.md.

    count-operations.py MO MODEL.onnx ...
"""
import collections, os, subprocess, sys, tempfile
import xml.etree.ElementTree as ET


def layers(xml):
    return collections.Counter(layer.get("type") for layer in ET.parse(xml).getroot().find("layers"))


def ours(mo, model, folder):
    subprocess.run([mo, model, "--output_dir", folder, "--model_name", "ours", "--compress_to_fp16=False"],
                   check=True, capture_output=True)
    return layers(os.path.join(folder, "ours.xml"))


def reference(model, folder):
    import openvino
    path = os.path.join(folder, "reference.xml")
    openvino.save_model(openvino.convert_model(model), path, compress_to_fp16=False)
    return layers(path)


def section(mo, model):
    import openvino
    with tempfile.TemporaryDirectory() as folder:
        a, b = ours(mo, model, folder), reference(model, folder)
    version = openvino.__version__.split("-")[0]
    rows = [(kind, a[kind], b[kind]) for kind in sorted((a | b).keys() - {"Const"})]
    rows += [("**all but Const**", a.total() - a["Const"], b.total() - b["Const"]), ("Const", a["Const"], b["Const"]),
             ("**all**", a.total(), b.total())]
    name = os.path.splitext(os.path.basename(model))[0]
    lines = [f"### {name}", "", f"| type | this converter | ovc {version} |", "|---|---|---|"]
    return lines + [f"| {kind} | {x} | {y} |" for kind, x, y in rows] + [""]


if __name__ == "__main__":
    for path in sys.argv[2:]:
        print("\n".join(section(sys.argv[1], path)))
