#!/usr/bin/env python3
"""Records what TensorFlow, LiteRT and PaddlePaddle compute of their trained models in tests/zoo.json: recorded/<name>.npz.

    npm run record -- zoo [NAME ...]            in .venv-tf
    npm run record -- zoo --paddle [NAME ...]   in .venv-paddle
    npm run record -- zoo --paddle3 [NAME ...]  in .venv-paddle3

 What is fed is drawn by run.py and depends on the position of the feed only.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "recorded"), HERE]
sys.path.append(os.path.join(os.path.dirname(HERE), "tflite"))
import environment  # noqa: E402

# The results of two feeds must differ by more than this, or the test would prove nothing.
LEAST = 0.01


def graph_of(tf, path):
    """The GraphDef of a file: of a frozen graph, or of a MetaGraph with the variables of the checkpoint beside it as constants."""
    tf1 = tf.compat.v1
    if not path.endswith(".meta"):
        graph = tf1.GraphDef()
        with open(path, "rb") as file:
            graph.ParseFromString(file.read())
        return graph
    from tensorflow.core.protobuf import meta_graph_pb2
    meta = meta_graph_pb2.MetaGraphDef()
    with open(path, "rb") as file:
        meta.ParseFromString(file.read())
    values = tf.compat.v1.train.NewCheckpointReader(path.removesuffix(".meta"))
    for node in meta.graph_def.node:
        node.attr.pop("_output_shapes", None)
        if node.op != "VariableV2" or not values.has_tensor(node.name):
            continue
        kind = node.attr["dtype"].type
        node.op = "Const"
        node.attr.clear()
        node.attr["dtype"].type = kind
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values.get_tensor(node.name)))
    return meta.graph_def


def run_graph(tf, m, path, feeds):
    tf1 = tf.compat.v1
    graph = tf1.graph_util.extract_sub_graph(graph_of(tf, path), [name.split(":")[0] for name in m["tf"]])
    with tf1.Graph().as_default() as here:
        tf1.import_graph_def(graph, name="")
        nodes = {node.name for node in graph.node}
        with tf1.Session(graph=here) as session:
            for arrays in feeds:
                given = {f"{name}:0": array for name, array in arrays.items() if name in nodes}
                yield session.run([name if ":" in name else f"{name}:0" for name in m["tf"]], given)


def run_saved_model(tf, m, path, feeds):
    signature = tf.saved_model.load(path).signatures["serving_default"]
    for arrays in feeds:
        results = signature(**{name: tf.constant(array) for name, array in arrays.items()})
        yield [results[name].numpy() for name in m["tf"]]


def with_known_operators(content):
    """LiteRT has no Convolution2DTransposeBias. Where the input is as large as the stride says, TRANSPOSE_CONV is the same."""
    import models
    from ai_edge_litert import schema_py_generated as schema
    model = models.parsed(content)
    graph = model.subgraphs[0]
    for operator in graph.operators:
        code = model.operatorCodes[operator.opcodeIndex]
        if code.customCode != b"Convolution2DTransposeBias":
            continue
        x, weights, bias = operator.inputs
        size, data = schema.TensorT(), schema.BufferT()
        shape = graph.tensors[operator.outputs[0]].shape
        padding, width, height = bytes(operator.customOptions[:12])[::4]
        data.data = shape.astype("<i4").view("u1")
        model.buffers.append(data)
        size.shape, size.type, size.buffer, size.name = [4], models.TYPES["int32"], len(model.buffers) - 1, b"size"
        graph.tensors.append(size)
        operator.inputs = [len(graph.tensors) - 1, weights, x, bias]
        operator.customOptions = None
        operator.builtinOptionsType, operator.builtinOptions, _ = models.options_of("TRANSPOSE_CONV", {"padding": {1: "SAME", 2: "VALID"}[padding], "stride_w": width, "stride_h": height})
        code.customCode, code.version = None, 3
        code.builtinCode = code.deprecatedBuiltinCode = models.CODES["TRANSPOSE_CONV"]
    return models.serialised(model)


def run_lite(m, path, feeds):
    """Runs all feeds in one interpreter, so that variables last from one run to the next."""
    import litert
    with open(path, "rb") as file:
        content = file.read()
    made = litert.interpreter(with_known_operators(content) if b"Convolution2DTransposeBias" in content else content, keep=True)
    places = {detail["name"]: detail["index"] for detail in made.get_tensor_details()}
    for arrays in feeds:
        litert.invoke(made, arrays)
        yield [made.get_tensor(places[name]) for name in m["tflite"]]


def run_program(m, path, feeds):
    import paddle
    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    program, inputs, outputs = paddle.static.load_inference_model(os.path.splitext(path)[0], executor)
    for arrays in feeds:
        yield executor.run(program, feed={name: arrays[name] for name in inputs}, fetch_list=outputs if path.endswith(".json") else list(m["paddle"]))


def results_of(m, path, feeds):
    if "paddle" in m:
        return run_program(m, path, feeds)
    if "tflite" in m:
        return run_lite(m, path, feeds)
    import tensorflow as tf
    return (run_saved_model if os.path.isdir(path) else run_graph)(tf, m, path, feeds)


def recorder_of(m):
    """The environment that runs the model."""
    return "tf" if "paddle" not in m else "paddle3" if m["file"].endswith(".json") else "paddle"


def main(names, recorder):
    import archive
    import numpy as np
    import run
    with open(os.path.join(run.ROOT, "tests", "zoo.json")) as file:
        zoo = json.load(file)
    models = [m for m in zoo["models"] if run.recorded_outputs(m) and recorder_of(m) == recorder and (not names or m["name"] in names)]
    paths = run.provide(models, zoo["packages"])
    for m in models:
        feeds = run.recorded_feeds(m)
        arrays = {"package": np.array(m["package"])}
        for seed, results in enumerate(results_of(m, paths[m["name"]], feeds)):
            for name, result in zip(run.recorded_outputs(m), results):
                assert result.size and np.isfinite(result).all(), f"{m['name']}, {name}: no numbers"
                first = arrays.get(f"0/{name}")
                assert seed == 0 or first.shape != result.shape or run.relative_error(result, first) > LEAST, f"{m['name']}, {name}: hardly depends on the inputs"
                arrays[f"{seed}/{name}"] = result
        target = os.path.join(run.RECORDED, m["name"] + ".npz")
        archive.write(target, arrays)
        print(f"{m['name']}: {os.path.getsize(target)} bytes, largest {[float(abs(a).max()) for n, a in arrays.items() if n != 'package']}", flush=True)


if __name__ == "__main__":
    chosen = next((name[2:] for name in sys.argv[1:] if name.startswith("--")), "tf")
    environment.in_environment(chosen)
    main([name for name in sys.argv[1:] if not name.startswith("--")], chosen)
