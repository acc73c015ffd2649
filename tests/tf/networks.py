"""Networks of Keras 2 and Keras 3 (tests/recorded/keras_networks.py), frozen as a converter of SavedModels freezes: functions inlined, loops as While."""
import hashlib
import json
import os

import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import archive
import keras_networks
import writer
from drawing import draw_image
from keras_networks import APPLICATIONS, KERAS, LAYERS

LARGE = 1024  # bytes of a Const whose numbers are not recorded


def frozen(call, shape, dtype=tf.float32):
    function = tf.function(call).get_concrete_function(tf.TensorSpec(shape, dtype, name="input"))
    return convert_variables_to_constants_v2(function, lower_control_flow=False)


def without_weights(graph, known):
    """The GraphDef in which a large Const with known numbers has no content, and what to draw for each of these."""
    recipes, kept = {}, 0
    for node in graph.node:
        content = node.attr["value"].tensor.tensor_content if node.op == "Const" else b""
        if len(content) < LARGE:
            continue
        recipe = known.get(hashlib.sha256(content).digest())
        if recipe is None:
            kept += len(content)
            print(f"  {node.name}: {len(content)} bytes are in the file")
            continue
        node.attr["value"].tensor.tensor_content = b""
        recipes[node.name] = recipe
    return recipes, kept


def as_list(shape):
    return [-1 if size is None else size for size in shape.as_list()]


def record_frozen(name, function, known, feeds, drawn):
    """Writes the file of a network; `drawn`: the recipes of feeds that are drawn again, by input."""
    graph = function.graph.as_graph_def()
    recipes, _ = without_weights(graph, known)
    inputs = [tensor for tensor in function.inputs if tensor.dtype != tf.resource]
    results = function(*[tf.constant(feed) for feed in feeds])
    outputs = function.outputs
    wanted = {tensor.name: result.numpy() for tensor, result in zip(outputs, results)}
    for tensor in outputs:
        assert np.isfinite(wanted[tensor.name]).all(), name
    shapes = {tensor.name: as_list(tensor.shape) for tensor in [*inputs, *outputs]}
    about = {"weights": recipes, "feeds": {inputs[at].name: recipe for at, recipe in drawn.items()}, "shapes": shapes}
    arrays = {"about": archive.as_bytes(json.dumps(about).encode()), "model": archive.as_bytes(graph.SerializeToString(deterministic=True))}
    arrays |= {f"feed/{tensor.name}": feed for at, (tensor, feed) in enumerate(zip(inputs, feeds)) if at not in drawn}
    arrays |= {f"want/{key}": array for key, array in wanted.items()}
    path = os.path.join(writer.NETWORKS, name + ".npz")
    archive.write(path, arrays)
    return path


def application(version, kind):
    """Records one; gives the path, or None if this Keras does not have the family."""
    keras, name = KERAS[version], f"{version}_{kind}"
    size, _ = APPLICATIONS[kind]
    if not hasattr(keras.applications, kind):
        return None
    model, weights, pictures = keras_networks.application(keras, kind, name)
    first, second = (draw_image(picture) for picture in pictures)
    function = frozen(lambda x: model(x, training=False), [None, size, size, 3])
    keras_networks.assert_pictures_differ(name, *(function(tf.constant(picture))[0].numpy() for picture in (first, second)))
    return record_frozen(name, function, weights.known, [first], {0: pictures[0]})


def layers(version, kind):
    """Records a small network, whole."""
    name = f"{version}_{kind}"
    model, feed = keras_networks.layers(KERAS[version], kind, name)
    function = frozen(lambda x: model(x, training=False), [None, *list(model.inputs[0].shape)[1:]], tf.as_dtype(feed.dtype))
    return record_frozen(name, function, {}, [feed], {})


def recorders():
    """What can be recorded, by name."""
    found = {}
    for version in KERAS:
        for kind in LAYERS:
            found[f"{version}_{kind}"] = lambda version=version, kind=kind: layers(version, kind)
    for version in KERAS:
        for kind in APPLICATIONS:
            found[f"{version}_{kind}"] = lambda version=version, kind=kind: application(version, kind)
    return found
