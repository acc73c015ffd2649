"""Networks of Keras by TensorFlow's converter: of floats, in int8 and int16, with weights in int8 or float16.

Large weights of what the converter wrote are drawn anew, as widely spread as they were, so that a recipe says them all. The quantiser then
gets the file with these numbers.
"""
import functools
import os

import numpy as np
import tensorflow as tf
import tf_keras
from ai_edge_litert import schema_py_generated as schema

import archive
import cases
import filled
import keras_networks
import lite
import litert
import models
import quantising
from drawing import draw, draw_image

LARGE = 1024  # bytes of a constant whose numbers are not recorded

# Application: the ways in which it is recorded besides in floats.
FAMILIES = {
    "MobileNet": ("int8_io",),
    "MobileNetV2": ("int8", "int8_io", "int16", "hybrid", "float16"),
    "MobileNetV3Small": ("int8", "int8_io", "hybrid"),
    "ResNet50": ("int8", "hybrid"),
    "ResNet50V2": (),
    "InceptionV3": ("int8",),
    "Xception": (),
    "EfficientNetB0": ("int8", "float16"),
    "EfficientNetV2B0": (),
    "DenseNet121": ("float16",),
    "NASNetMobile": (),
    "VGG16": (),
    "ConvNeXtTiny": (),
    "RegNetX002": (),
}
# With weights drawn anew, numbers grow from layer to layer in these, unless each layer is scaled (steadied()).
GROWING = ("EfficientNetB0",)
# Small networks, whole: of the layers that are not in an application. Loops over time are among the operations.
SMALL = ("text", "Embedding", "LayerNormalization", "transformer", "causal", "UNet", "picture_layers", "TimeDistributed", "unroll")


def places(content):
    """(tensor of the first graph, where its contents begin, their length) for each constant."""
    model = schema.Model.GetRootAs(content, 0)
    found = {}
    for graph in (model.Subgraphs(at) for at in range(model.SubgraphsLength())):
        for tensor in (graph.Tensors(at) for at in range(graph.TensorsLength())):
            buffer = model.Buffers(tensor.Buffer())
            offset = buffer._tab.Offset(4)
            if tensor.Buffer() and offset and buffer.DataLength() >= LARGE:
                found[tensor.Buffer()] = (tensor, buffer._tab.Vector(offset), buffer.DataLength())
    return found


def refilled(name, content):
    """The file with numbers of its own in its large weights, and [where, recipe] of each."""
    content, recipes = bytearray(content), []
    for number, (tensor, start, length) in places(bytes(content)).items():
        kind = models.DTYPES.get(tensor.Type())
        if kind is None or kind.name not in ("float32", "float16", "int8"):
            continue
        shape = [int(size) for size in tensor.ShapeAsNumpy()]
        array = np.frombuffer(bytes(content[start:start + length]), kind)
        recipe = {"seed": f"{name}/{number}", "shape": shape}
        if kind.name == "int8":
            recipe["kind"] = "int8"
        else:
            middle, spread = float(array.astype(np.float64).mean()), float(array.astype(np.float64).std()) * 3 ** 0.5
            if spread == 0:
                continue
            recipe |= {"low": float(np.float32(middle - spread)), "high": float(np.float32(middle + spread))}
            if kind.name == "float16":
                recipe["kind"] = "float16"
        content[start:start + length] = filled.weights(recipe)
        recipes.append([start, recipe])
    return bytes(content), recipes


def spreads(content, feed):
    """The standard deviation of the first result of each operator of the first graph."""
    made = litert.interpreter(content, {litert.Interpreter(model_content=content).get_input_details()[0]["name"]: feed.shape}, keep=True)
    litert.invoke(made, {made.get_input_details()[0]["name"]: feed})
    graph = models.parsed(content).subgraphs[0]
    return [float(made.get_tensor(operator.outputs[0]).astype(np.float64).std()) for operator in graph.operators]


def steadied(content, recipes, original, feed):
    """The file in which each layer gives numbers as widely spread as in the original. Changes the recipes."""
    model, wanted, content = models.parsed(content), spreads(original, feed), bytearray(content)
    graph, starts = model.subgraphs[0], {buffer: start for buffer, (_, start, _) in places(bytes(content)).items()}
    by_start = dict(map(tuple, recipes))
    weights = {at: by_start[starts[tensor.buffer]] for at, tensor in enumerate(graph.tensors) if starts.get(tensor.buffer) in by_start}
    starts = {at: starts[graph.tensors[at].buffer] for at in weights}
    for number, operator in enumerate(graph.operators):
        kind = quantising.kind_of(model, operator)
        if kind == "DEQUANTIZE" and operator.inputs[0] in weights:
            weights[operator.outputs[0]], starts[operator.outputs[0]] = weights[operator.inputs[0]], starts[operator.inputs[0]]
        at = operator.inputs[1] if kind in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED") else None
        if at not in weights:
            continue
        factor = float(f"{wanted[number] / spreads(bytes(content), feed)[number]:.2g}")
        weights[at] |= {side: float(np.float32(weights[at][side] * factor)) for side in ("low", "high")}
        drawn = filled.weights(weights[at])
        content[starts[at]:starts[at] + len(drawn)] = drawn
    return bytes(content)


def known_again(content, recipes):
    """[where, recipe] of the weights of a quantised file, which are those of the file of floats in steps. Numbers that the quantiser
    rounded to another step are in the recipe."""
    by_shape, found, left = {}, [], 0
    for _, recipe in recipes:
        by_shape.setdefault(tuple(recipe["shape"]), []).append((recipe, draw(recipe)))
    for tensor, start, length in places(content).values():
        shape, kind = tuple(int(size) for size in tensor.ShapeAsNumpy()), models.DTYPES[tensor.Type()]
        array = np.frombuffer(content[start:start + length], kind).reshape(shape)
        if kind == np.float32:
            same = [recipe for recipe, drawn in by_shape.get(shape, []) if np.array_equal(drawn, array)]
            found += [[start, same[0]]] if same else []
            left += 0 if same else length
            continue
        axis = tensor.Quantization().QuantizedDimension() if tensor.Quantization().ScaleLength() > 1 else None
        best = None
        for recipe, drawn in by_shape.get(shape, []) if kind in (np.int8, np.uint8) else []:
            recipe = recipe | {"kind": "steps", "axis": axis, "unsigned": kind == np.uint8}
            other = np.flatnonzero(np.frombuffer(filled.weights(recipe), kind) != array.ravel())
            if best is None or other.size < best[0]:
                best = other.size, recipe | {"other": [[int(at), int(array.flat[at])] for at in other[:1000]]}
        if best is None or best[0] > array.size // 100 or best[0] > 1000:
            left += length
        else:
            found.append([start, best[1]])
    print(f"  {left} bytes of large constants are in the file", flush=True)
    return found


def without(content, recipes):
    parts, at = [], 0
    for start, recipe in sorted(recipes, key=lambda entry: entry[0]):
        parts.append(content[at:start])
        at = start + len(filled.weights(recipe))
    return b"".join([*parts, content[at:]])


def converter_for(model, way=None):
    function = tf.function(lambda x: model(x, training=False), autograph=False).get_concrete_function(tf.TensorSpec([None, *model.inputs[0].shape[1:]], model.inputs[0].dtype, name="input"))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function], model)
    if way:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if way == "float16":
        converter.target_spec.supported_types = [tf.float16]
    with litert.quiet():
        return converter.convert()


def write(name, content, recipes, drawn, feeds, floats, way):
    """`drawn`: recipes of feeds by input, `feeds`: what else is fed. Checks that the file is put together again as it was."""
    model = models.parsed(content)
    graph = model.subgraphs[0]
    in_names, out_names = ([graph.tensors[at].name.decode() for at in places] for places in (graph.inputs, graph.outputs))
    kinds = [quantising.kind_of(model, operator) for graph in model.subgraphs for operator in graph.operators]
    about = {"inputs": in_names, "outputs": out_names, "fed": in_names, "in_shapes": [cases.shape_of(graph.tensors[at]) for at in graph.inputs],
             "out_shapes": [cases.shape_of(graph.tensors[at]) for at in graph.outputs], "scales": {"inputs": cases.scales_of(model, graph.inputs), "outputs": cases.scales_of(model, graph.outputs)},
             "refused": None, "by": "LiteRT", "quantised": way, "convolutions": sum(kind in ("CONV_2D", "DEPTHWISE_CONV_2D") for kind in kinds),
             "weights": recipes, "drawn": {in_names[0]: drawn} if drawn else {}}
    arrays = {"about": archive.from_json(about), "model": archive.as_bytes(without(content, recipes))}
    arrays |= {f"feed/0/{at}": array for at, array in enumerate(feeds)}
    path = os.path.join(filled.NETWORKS, name + ".npz")
    archive.write(path, arrays)
    network = filled.load(name)
    assert network.whole() == content, name
    wanted = litert.run(content, network.runs)[0]
    for result in wanted:
        assert np.isfinite(result.astype(np.float64)).all(), name
    arrays |= {f"want/0/{at}": array for at, array in enumerate(wanted)}
    arrays |= {f"float/0/{at}": array for at, array in enumerate(floats or [])}
    archive.write(path, arrays)
    return path, wanted


def application(kind, way):
    """Records an application in one way. In integers it ends before the softmax: most of a thousand probabilities are below one step."""
    name = kind + (f"_{way}" if way else "")
    in_integers = way in ("int8", "int8_io", "uint8", "int16")
    model, _, pictures = keras_networks.application(tf_keras, kind, kind, **({"classifier_activation": None} if in_integers else {}))
    first, second = (draw_image(picture) for picture in pictures)
    original = converter_for(model, way if way in ("hybrid", "float16") else None)
    content, recipes = refilled(kind, original)
    if kind in GROWING:
        content = steadied(content, recipes, original, first)
    floats = None
    if in_integers:
        whole, drawn = content, recipes
        with litert.quiet():
            content = quantising.quantised(whole, [[array[at:at + 1]] for array in (first, second) for at in range(2)], way)
        recipes = known_again(content, drawn)
        model = models.parsed(content)
        scale = cases.scales_of(model, model.subgraphs[0].inputs)[0]
        steps = filled.in_steps(first, scale, way)
        floats = run_floats(whole, first if scale is None else ((steps.astype(np.float32) - scale[1]) * np.float32(scale[0])))
    elif way == "hybrid":
        floats = run_floats(quantising.exact(content), first)
    path, wanted = write(name, content, recipes, pictures[0], [], floats, way)
    about = filled.load(name).about
    into, out = (about["scales"][side][0] for side in ("inputs", "outputs"))
    other = litert.run(content, [{about["inputs"][0]: filled.in_steps(second, into, way)}])[0]
    one, other = (array[0].astype(np.float64) if out is None else (array[0].astype(np.float64) - out[1]) * out[0] for array in (wanted, other))
    keras_networks.assert_pictures_differ(name, one, other)
    if floats:
        print(f"  {name}: {np.abs(one - floats[0]).max() / np.abs(floats[0]).max():.3f} from the network of floats", flush=True)
    return path


def run_floats(content, feed):
    made = litert.interpreter(content, {litert.Interpreter(model_content=content).get_input_details()[0]["name"]: feed.shape})
    return litert.invoke(made, {made.get_input_details()[0]["name"]: feed})


def small(kind):
    """Records a small network, whole."""
    model, feed = keras_networks.layers(tf_keras, kind, kind)
    return write(kind, converter_for(model), [], None, [feed], None, None)[0]


def recorders():
    """What can be recorded, by name."""
    found = {kind: functools.partial(small, kind) for kind in SMALL}
    for kind, ways in FAMILIES.items():
        for way in (None, *ways):
            found[kind + (f"_{way}" if way else "")] = functools.partial(application, kind, way)
    return found
