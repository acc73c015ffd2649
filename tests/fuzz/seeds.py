#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets for TensorFlow and TensorFlow Lite: the recorded cases; and those for archives, options, settings, Caffe,
PaddlePaddle, MXNet, PyTorch and Kaldi.

    .venv/bin/python tests/fuzz/seeds.py      build/fuzz/seeds/tf_graph, tf_table, tf_saved_model, pipeline_config, tflite_model, archive, options, configuration, settings,
                                              caffe_mapping, ir_reader, caffe_prototxt, caffe_weights, paddle_program, paddle_pir, paddle_parameters, mxnet_symbol, mxnet_arrays, pytorch_archive, pytorch_program, pytorch_pickle, pytorch_symbols, kaldi_binary, kaldi_text
    npm run fuzz -- tf_graph 600      runs a target from them
"""
import io
import json
import os
import sys
import tarfile
import zipfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("tf", "tflite", "paddle", "mxnet", "pytorch", "caffe", "recorded"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))
import array_list  # noqa: E402
import lite  # noqa: E402
import net as caffe  # noqa: E402
import networks  # noqa: E402
import pir_byhand as pir  # noqa: E402
import small  # noqa: E402
import store  # noqa: E402
import stored  # noqa: E402
import stored_mxnet  # noqa: E402
import stored_torch  # noqa: E402
import program as wire  # noqa: E402
sys.path.insert(0, os.path.join(HERE, ".."))
from kaldi import files as kaldi_files  # noqa: E402
from kaldi import networks as kaldi_networks  # noqa: E402

FOLDER = os.path.join(HERE, "..", "..", "build", "fuzz", "seeds")


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def put(target, name, content):
    os.makedirs(os.path.join(FOLDER, target), exist_ok=True)
    with open(os.path.join(FOLDER, target, name.replace("/", "_")), "wb") as file:
        file.write(content)


def put_archives():
    files = {"a/m.onnx": b"text" * 50, "b.bin": bytes(range(256)), "a/" + "long" * 40: b""}
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, content in files.items():
                with archive.open(name, "w", force_zip64=name == "b.bin") as file:
                    file.write(content)
        put("archive", f"{method}.zip", out.getvalue())
    for mode, form in (("w", tarfile.PAX_FORMAT), ("w", tarfile.GNU_FORMAT), ("w:gz", tarfile.USTAR_FORMAT)):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode, format=form) as archive:
            for name, content in files.items():
                if form == tarfile.USTAR_FORMAT and len(name) > 100:
                    continue
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            link = tarfile.TarInfo("c/link")
            link.type, link.linkname = tarfile.SYMTYPE, "../b.bin"
            archive.addfile(link)
        put("archive", f"{mode.replace(':', '')}_{form}.tar", out.getvalue())


def put_texts():
    """Lines of the command, configurations that are part of the program, and settings as PaddlePaddle's programs write them."""
    with open(os.path.join(HERE, "..", "js", "command_lines.json"), encoding="utf-8") as file:
        for at, case in enumerate(json.load(file)):
            put("options", str(at), "\n".join(case["line"]).encode())
    built_in = os.path.join(HERE, "..", "..", "core", "front", "config", "built_in")
    for where, _, files in os.walk(built_in):
        for name in files:
            if name.endswith(".json"):
                put("configuration", name, read(where, name))
    put("settings", "inference.yml", b"Global:\n  model_name: m\nPreProcess:\n  transform_ops:\n  - DecodeImage: {img_mode: BGR}\n  - NormalizeImage:\n      mean: [0.485, 0.456]\n"
        b"      scale: 1./255.\n      order: 'hwc'\n  - &a KeepKeys:\n      keep_keys: [\"image\", *a]\ntext: |-\n  two\n  lines\nfold: >\n  a\n\n  b\n? k\n: ~\n")


def put_mappings():
    entries = ('NativeType="X" hasParam="true" protoParamName="x_param"', 'NativeType="pooling" hasParam="TRUE" protoParamName="pooling_param"',
               'NativeType="X" hasParam="false"', 'hasParam="&amp;"', "")
    for i, entry in enumerate(entries):
        put("caffe_mapping", f"{i}.xml", f"<?xml version='1.0'?><!-- note -->\n<CustomLayersMapping>\n<CustomLayer {entry}/></CustomLayersMapping>".encode())
    port = "<port id='{}' precision='FP32'><dim>2</dim></port>"
    layer = "<layer id='{}' name='{}' type='{}' version='opset1'>{}<input>" + port.format(0) + "</input><output>" + port.format(1) + "</output></layer>"
    body = ("<body><layers>" + layer.format(0, "p", "Parameter", "<data shape='2' element_type='f32'/>") + layer.format(1, "r", "Result", "") + "</layers><edges><edge from-layer='0' from-port='1' "
            "to-layer='1' to-port='0'/></edges></body><port_map><input external_port_id='0' internal_layer_id='0' axis='0' stride='1'/><output external_port_id='1' internal_layer_id='1'/></port_map>"
            "<back_edges><edge from-layer='1' to-layer='0'/></back_edges>")
    for name, inner in (("flat", layer.format(2, "a", "ReLU", "<data a='1, 2'/>")), ("loop", layer.format(2, "a", "Loop", body)),
                        ("const", layer.format(2, "a", "Const", "<data element_type='f32' shape='2' offset='0' size='8'/>"))):
        net = "<net name='m' version='11'><layers>" + inner + layer.format(3, "b", "Add", "") + "</layers><edges><edge from-layer='2' from-port='1' to-layer='3' to-port='0'/></edges></net>"
        put("ir_reader", f"{name}.xml", net.encode())
        put("ir_reader", f"{name}_and_other", net.encode() + b"\0" + net.replace("'a'", "'c'").encode())
    put("caffe_mapping", "doctype.xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;<![CDATA[x]]></a>")


def put_caffe():
    for name, *case in networks.LAYERS:
        net = caffe.Net(seed=3)
        networks.fill_layer(net, *case)
        put("caffe_prototxt", name, net.text().encode())
    for form in ("shape", "legacy", "both", "double", "raw", "half", "unpacked", "pieces", "flat"):
        net = caffe.Net(seed=5)
        x = net.layer("Convolution", net.input("data", (1, 3, 8, 8)), name="first", param={"num_output": 4, "kernel_size": 3})
        x = net.layer("Scale", net.layer("BatchNorm", x, name="norm"), name="scale", param={"bias_term": True})
        net.layer("InnerProduct", net.layer("PReLU", x, name="slope"), name="last", param={"num_output": 5})
        put("caffe_weights", form, net.weights(form))


def put_programs():
    """Those of one operator each are the recorded cases; their callstacks are long, and say nothing."""
    for name, case in stored.everything().items():
        if len(case.model) > 65536:
            continue
        program = wire.parse(case.model)
        for block in program["blocks"]:
            for op in block.get("ops", []):
                op["attrs"] = [attr for attr in op.get("attrs", []) if attr["name"] != "op_callstack"]
        put("paddle_program", name, wire.serialise(program))
    put("paddle_parameters", "two", small.scaled({"w": np.ones(3, np.float32), "w2": np.ones((2, 2), np.float32)})[1])


def put_symbols():
    """Arrays in each version of the list, dense and sparse."""
    for name, case in stored_mxnet.everything().items():
        put("mxnet_symbol", name, case.model)
    arrays = {"arg:w": np.eye(3, dtype=np.float32), "arg:b": np.ones(3, np.float32)}
    for version in ("v0", "v1", "v2", "v3", "npz"):
        put("mxnet_arrays", version, array_list.written(arrays, version))
    for storage in ("row_sparse", "csr", "csr stale"):
        put("mxnet_arrays", storage, array_list.written(arrays, storages={"arg:w": storage}))


def put_pytorch():
    """Archives of each layout, their programs and pickles, and expressions as sympy writes them."""
    for name, case in stored_torch.everything(["wrappers", "symbols", "shapes", "indexing"]).items():
        for form in ("2.9", "2.8", "2.6"):
            put("pytorch_archive", f"{name}-{form}", stored_torch.zipped([("net/" * (form != "2.6") + path, content) for path, content in case.entries(form)]))
        put("pytorch_program", name, dict(case.entries())["models/model.json"])
        with zipfile.ZipFile(io.BytesIO(dict(case.entries("2.8"))["data/weights/model.pt"])) as weights:
            put("pytorch_pickle", name, weights.read("archive/data.pkl"))
    for at, text in enumerate(("Symbol('s77', positive=True, integer=True)", "Add(Mul(Integer(2), Symbol('s0')), Integer(-1))", "FloorDiv(Max(Symbol('s0'), Symbol('s1')), Integer(3))", "Mod(Pow(Symbol('s1'), Integer(2)), Integer(7))")):
        put("pytorch_symbols", str(at), text.encode())


def put_kaldi():
    """The target for binary files puts their mark before the bytes."""
    for name, case in kaldi_networks.CASES.items():
        network = case.network()
        put("kaldi_binary", name, kaldi_files.to_bytes(network, True)[2:])
        put("kaldi_text", name, kaldi_files.to_bytes(network, False))


def put_pir():
    """A network with parameters of three numbers, branches, a loop with a list, and what has no row."""
    tensor, block = pir.tensor, pir.Block()
    x, n = block.data("x", [-1, 3]), block.data("n", [1], "int64")
    w, empty = block.parameter("w", np.ones(3, np.float32)), block.parameter("w2", np.zeros(0, np.float32))
    parts = block.op("1.split", [x, block.full_ints([1, 2]), block.full(1, "int32")], [pir.listed(tensor([-1, 1]), tensor([-1, 2]))])
    first, second = block.op("0.split", [parts], [tensor([-1, 1]), tensor([-1, 2])])
    some = block.op("0.combine", [second, first], [pir.listed(tensor([-1, 2]), tensor([-1, 1]))])
    y = block.op("1.concat", [some, block.full(1, "int32")], [tensor([-1, 3])])
    y = block.op("1.add_", [y, w], [tensor([-1, 3])])
    on = block.op("1.greater_than", [n, block.full(0, "int64")], [tensor([1], "bool")])
    then, other = block.inner(), block.inner()
    then.op("2.yield", [then.op("1.relu", [y], [tensor([-1, 3])])])
    other.op("2.yield", [y])
    z = block.op("1.if", [on], [tensor([-1, 3])], [then, other])
    array = tensor([-1, 3], kind="1.t_dense_tensor_array")
    held, i = block.op("1.create_array", [], [array], dtype=pir.dtype_of("float32")), block.full(0, "int64")
    body = block.inner(tensor([-1, 3]))
    body.op("1.array_write_", [held, body.given[0], i], [array])
    body.op("1.increment_", [i], [tensor([1], "int64")], value=1.0)
    body.op("2.yield", [body.op("1.less_than", [i, n], [tensor([1], "bool")]), body.op("1.scale", [body.given[0], body.full(2.0)], [tensor([-1, 3])], bias=0.5)])
    z = block.op("1.while", [on, z], [tensor([-1, 3])], [body])
    block.fetch(block.op("1.reshape", [z, block.full_ints([-1])], [tensor([-1])]), tensor([-1]))
    block.fetch(block.op("1.array_to_tensor", [held], [tensor([-1, 3]), tensor([-1], "int32")], axis=0, use_stack=False)[0], tensor([-1, 3]), 1)
    block.fetch(block.op("3.theirs", [empty, 0], [tensor([0])], at=1.5, texts=["a", "b"]), tensor([0]), 2)
    content = pir.program(block)
    put("paddle_pir", "all", json.dumps(content).encode())
    put("paddle_pir", "lines", json.dumps({"program": content["program"], "base_code": content["base_code"]}, indent=1).encode())
    put("paddle_pir", "network", json.dumps(pir.program(pir.network()[0]), separators=(",", ":")).encode())


def main():
    put_symbols()
    put_pytorch()
    put_kaldi()
    put_archives()
    put_texts()
    put_mappings()
    put_caffe()
    put_programs()
    put_pir()
    for name, case in store.operations().items():
        put("tf_graph", name, case.model)
    for folder in store.saved().values():
        case = os.path.basename(folder)
        for where, _, files in os.walk(folder):
            for name in files:
                if name.endswith(".index") or name == "model.ckpt":
                    put("tf_table", f"{case}_{name}", read(where, name))
                if name == "graph.pb":
                    put("tf_graph", f"{case}_{name}", read(where, name))
        parts = ("saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001")
        if all(os.path.exists(os.path.join(folder, part)) for part in parts):
            graph, index, shard = (read(folder, part) for part in parts)
            put("tf_saved_model", case, len(graph).to_bytes(3, "little") + len(index).to_bytes(3, "little") + graph + index + shard)
    for name, case in lite.operations().items():
        put("tflite_model", name, case.model)
    detection = os.path.join(store.RECORDED, "detection")
    for name in sorted(os.listdir(detection)):
        if os.path.exists(os.path.join(detection, name, "pipeline.config")):
            put("pipeline_config", name, read(detection, name, "pipeline.config"))


if __name__ == "__main__":
    main()
