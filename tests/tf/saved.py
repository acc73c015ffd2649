"""SavedModels, MetaGraphs and checkpoints, each tiny, in folders as TensorFlow writes them.

A folder has also case.npz: `options` of the command, where FOLDER means the folder; what is fed and what is wanted. Tensors have their
names in the graph; arguments and results of a signature theirs, results in the order in which TensorFlow flattens them.
Keras 3 orders what it exports by addresses: recorded again, its files have other bytes and the same numbers.
"""
import functools
import json
import os
import re
import shutil
import zlib

import numpy as np
import tensorflow as tf
import tf_keras as keras2
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2

import archive
import keras as keras3
import store

FOLDER = os.path.join(store.RECORDED, "saved")
tf1 = tf.compat.v1


def numbers(name, *shape):
    return np.random.default_rng(zlib.crc32(name.encode())).uniform(-1, 1, shape).astype(np.float32)


def finish(folder, options, feeds, wanted):
    for file in ("fingerprint.pb", "checkpoint"):  # a random name; paths of this machine
        if os.path.exists(os.path.join(folder, file)):
            os.remove(os.path.join(folder, file))
    arrays = {"options": archive.as_bytes(json.dumps(options).encode())}
    arrays |= {"feed/" + name: array for name, array in feeds.items()} | {"want/" + name: np.asarray(array) for name, array in wanted.items()}
    archive.write(os.path.join(folder, "case.npz"), arrays)


def tf2_module(folder):
    """Variables that functions capture, a constant that they capture, two signatures."""
    class Module(tf.Module):
        def __init__(self):
            self.weights = tf.Variable(numbers("weights", 3, 4), name="weights")
            self.parts = [tf.Variable(numbers("part0", 4), name="part"), tf.Variable(numbers("part1", 4), name="part")]
            self.table = tf.constant(numbers("table", 4))

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="x")])
        def forward(self, x):
            product = tf.matmul(x, self.weights) + self.parts[0]
            return {"second": product * self.table, "first": tf.nn.relu(product) - self.parts[1]}

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="x")])
        def other(self, x):
            return {"only": tf.matmul(x, self.weights)}

    module, x = Module(), numbers("x", 2, 3)
    tf.saved_model.save(module, folder, signatures={"serving_default": module.forward, "other": module.other})
    finish(folder, ["--saved_model_dir", "FOLDER"], {"x": x}, {key: value.numpy() for key, value in sorted(module.forward(x).items())})


def sharded(folder):
    """Variables that a limit on the size of shards cuts into rows, and one row into columns."""
    class Module(tf.Module):
        def __init__(self):
            self.weights = [tf.Variable(numbers(f"sharded{at}", 9, 7), name=f"weights{at}") for at in range(4)]

        @tf.function(input_signature=[tf.TensorSpec([None, 9], tf.float32, name="x")])
        def forward(self, x):
            return {"y": tf.concat([tf.matmul(x, weights) for weights in self.weights], -1)}

    module, x = Module(), numbers("x", 2, 9)
    policy = tf.train.experimental.MaxShardSizePolicy(max_shard_size=330)
    tf.saved_model.save(module, folder, signatures=module.forward, options=tf.saved_model.SaveOptions(experimental_sharding_callback=policy))
    finish(folder, ["--saved_model_dir", "FOLDER"], {"x": x}, {"y": module.forward(x)["y"].numpy()})


def network(keras):
    layers = keras.layers
    model = keras.Sequential([layers.Input((8, 8, 2), name="picture"), layers.Conv2D(3, 3), layers.BatchNormalization(), layers.ReLU(), layers.GlobalAveragePooling2D(), layers.Dense(4)])
    for at, variable in enumerate(model.weights):
        path = getattr(variable, "path", variable.name)
        variable.assign(numbers(f"weight{at}", *variable.shape) + (1.5 if "variance" in path else 0))
    return model


def tf2_module_text(folder):
    """TensorFlow 2 writes no text, but reads it."""
    tf2_module(folder)
    path = os.path.join(folder, "saved_model.pb")
    with open(path, "rb") as file, open(path + "txt", "w", encoding="utf-8") as text:
        text.write(text_format.MessageToString(saved_model_pb2.SavedModel.FromString(file.read())))
    os.remove(path)
    tf.saved_model.load(folder)


def keras2_saved(folder):
    model, x = network(keras2), numbers("picture", 2, 8, 8, 2)
    model.save(folder, save_format="tf", include_optimizer=False)
    loaded = tf.saved_model.load(folder).signatures["serving_default"]
    finish(folder, ["--saved_model_dir", "FOLDER"], {next(iter(loaded.structured_input_signature[1])): x}, {next(iter(loaded.structured_outputs)): model(x, training=False).numpy()})


def keras3_export(folder):
    model, x = network(keras3), numbers("picture", 2, 8, 8, 2)
    model.export(folder, verbose=False)
    loaded = tf.saved_model.load(folder).signatures["serving_default"]
    finish(folder, ["--saved_model_dir", "FOLDER"], {next(iter(loaded.structured_input_signature[1])): x}, {next(iter(loaded.structured_outputs)): np.asarray(model(x, training=False))})


def keras3_lstm(folder):
    """Loops in functions of the library."""
    model = keras3.Sequential([keras3.layers.Input((5, 3)), keras3.layers.LSTM(4, return_sequences=True), keras3.layers.Dense(2)])
    for at, variable in enumerate(model.weights):
        if "seed" not in variable.path:
            variable.assign(numbers(f"lstm{at}", *variable.shape))
    x = numbers("sequence", 2, 5, 3)
    model.export(folder, verbose=False)
    loaded = tf.saved_model.load(folder).signatures["serving_default"]
    finish(folder, ["--saved_model_dir", "FOLDER"], {next(iter(loaded.structured_input_signature[1])): x}, {next(iter(loaded.structured_outputs)): np.asarray(model(x, training=False))})


def variables_graph(resource, partitioned=False):
    """x · weights + bias, with variables; gives the input and the output."""
    x = tf1.placeholder(tf.float32, [None, 3], name="x")
    partitioner = tf1.fixed_size_partitioner(3) if partitioned else None
    with tf1.variable_scope("layer", use_resource=resource, partitioner=partitioner):
        weights = tf1.get_variable("weights", [3, 4], initializer=tf1.zeros_initializer())
    with tf1.variable_scope("layer", use_resource=resource):
        bias = tf1.get_variable("bias", [4], initializer=tf1.zeros_initializer())
    return x, tf.nn.relu(tf.matmul(x, tf.convert_to_tensor(weights)) + bias, name="result")


def load_numbers(session):
    for variable in tf1.global_variables():
        variable.load(numbers(variable.name, *variable.shape.as_list()), session)


def tf1_tags(folder, as_text=False):
    """Two MetaGraphs in one file: `serve` and `serve, train`."""
    x_feed = numbers("x", 2, 3)
    builder = tf1.saved_model.Builder(folder)
    for at, tags in enumerate((["serve"], ["serve", "train"])):
        with tf.Graph().as_default(), tf1.Session() as session:
            x, result = variables_graph(resource=False)
            if at:
                result = tf.tanh(result, name="trained")
            session.run(tf1.global_variables_initializer())
            load_numbers(session)
            signature = tf1.saved_model.predict_signature_def({"x": x}, {"y": result})
            if at == 0:
                wanted = session.run(result, {x: x_feed})
                builder.add_meta_graph_and_variables(session, tags, {"serving_default": signature})
            else:
                builder.add_meta_graph(tags, {"serving_default": signature})
    builder.save(as_text=as_text)
    finish(folder, ["--saved_model_dir", "FOLDER", "--saved_model_tags", "serve"], {"x": x_feed}, {"y": wanted})


def meta_graph_text(folder):
    """As export_meta_graph writes it with as_text."""
    checkpoint(folder, V2, resource=True, meta=True)
    path = os.path.join(folder, "model.ckpt.meta")
    with tf.Graph().as_default():
        tf1.train.import_meta_graph(path)
        tf1.train.export_meta_graph(path, as_text=True)


def device_of(op):
    """The bias and a part of the weights are on a device of their own: a sharded checkpoint has a file for each device."""
    return "/cpu:1" if op.type in ("VariableV2", "VarHandleOp") and op.name.endswith(("bias", "part_1")) else "/cpu:0"


def checkpoint(folder, version, resource, meta, partitioned=False, as_text=False, sharded=False, step=None):
    x_feed = numbers("x", 2, 3)
    devices = tf1.ConfigProto(device_count={"CPU": 2})
    with tf.Graph().as_default() as graph, tf1.Session(config=devices) as session:
        with tf1.device(device_of if sharded else None):
            x, result = variables_graph(resource, partitioned)
        session.run(tf1.global_variables_initializer())
        load_numbers(session)
        saver = tf1.train.Saver(write_version=version, sharded=sharded)
        saved = saver.save(session, os.path.join(folder, "model.ckpt"), global_step=step, write_meta_graph=meta, write_state=False)
        if not meta:
            tf.io.write_graph(graph, folder, graph_file := "graph.pbtxt" if as_text else "graph.pb", as_text)
        wanted = session.run(result, {x: x_feed})
    name = os.path.basename(saved)  # model.ckpt-?????-of-00002 if sharded
    prefix = re.sub(r"-\?+-of-\d+$", "", name)
    options = ["--input_meta_graph", f"FOLDER/{prefix}.meta"] if meta else ["--input_model", f"FOLDER/{graph_file}", "--input_checkpoint", f"FOLDER/{name}"]
    finish(folder, options, {"x:0": x_feed}, {"result:0": wanted})


V1, V2 = tf1.train.SaverDef.V1, tf1.train.SaverDef.V2
RECORDERS = {
    "tf2_module": tf2_module,
    "sharded": sharded,
    "keras2_saved": keras2_saved,
    "keras3_export": keras3_export,
    "keras3_lstm": keras3_lstm,
    "tf1_tags": tf1_tags,
    "checkpoint_v1": lambda folder: checkpoint(folder, V1, resource=False, meta=False),
    "checkpoint_v1_resource": lambda folder: checkpoint(folder, V1, resource=True, meta=False),
    "checkpoint_v2": lambda folder: checkpoint(folder, V2, resource=False, meta=False),
    "checkpoint_v2_resource": lambda folder: checkpoint(folder, V2, resource=True, meta=False),
    "meta_graph": lambda folder: checkpoint(folder, V2, resource=False, meta=True),
    "meta_graph_resource": lambda folder: checkpoint(folder, V2, resource=True, meta=True),
    "meta_graph_partitioned": lambda folder: checkpoint(folder, V2, resource=False, meta=True, partitioned=True),
    "meta_graph_v1": lambda folder: checkpoint(folder, V1, resource=False, meta=True),
    "checkpoint_v1_shards": lambda folder: checkpoint(folder, V1, resource=False, meta=False, sharded=True),
    "meta_graph_v1_shards": lambda folder: checkpoint(folder, V1, resource=True, meta=True, sharded=True),
    "meta_graph_v1_shards_partitioned": lambda folder: checkpoint(folder, V1, resource=False, meta=True, partitioned=True, sharded=True, step=1234),
    "meta_graph_text": meta_graph_text,
    "tf1_tags_text": lambda folder: tf1_tags(folder, as_text=True),
    "tf2_module_text": tf2_module_text,
    "checkpoint_v2_text": lambda folder: checkpoint(folder, V2, resource=True, meta=False, as_text=True),
}


def recorders():
    """What can be recorded, by name."""
    import lookups
    return {name: functools.partial(record, name, recorder) for name, recorder in (RECORDERS | lookups.RECORDERS).items()}


def record(name, recorder):
    folder = os.path.join(FOLDER, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    if name.startswith(("checkpoint", "meta")):
        os.makedirs(folder)
    recorder(folder)
    return folder
