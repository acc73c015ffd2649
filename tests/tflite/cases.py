"""Records a case: builds its model, runs it and keeps what LiteRT answered."""
import numpy as np

import lite
import litert
import models
import quantising


def converted(case, plain=False):
    """A model by TensorFlow's converter, and its feeds by the names of its inputs. `plain`: without the case's own quantisation."""
    import tensorflow as tf
    function, specs, *more = case.convert()
    prepare = more[0] if more else None
    rng = np.random.default_rng(7)
    arrays = {name: spec.draw(rng) for name, (spec, _) in specs.items()}
    signature = [tf.TensorSpec(shape or arrays[name].shape, arrays[name].dtype, name=name) for name, (_, shape) in specs.items()]
    if isinstance(function, tf.Module):
        concrete, trackable = function.call.get_concrete_function(*signature), function
    else:
        concrete, trackable = tf.function(function, autograph=False).get_concrete_function(*signature), None
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete], trackable)
    if prepare and not plain:
        prepare(converter, arrays)
    with litert.quiet():
        return converter.convert(), arrays


def prepares(case):
    return len(case.convert()) > 2 and case.convert()[2] is not None


def by_input(content, arrays):
    """Feeds with the names that the converter gave the inputs: `x` may be `serving_default_x:0` there."""
    names = [detail["name"] for detail in litert.Interpreter(model_content=content).get_input_details()]
    plain = {name.removesuffix(":0").removeprefix("serving_default_"): name for name in names}
    assert plain.keys() == arrays.keys(), (names, list(arrays))
    return {plain[name]: array for name, array in arrays.items()}


def scales_of(model, places):
    """(scale, zero point) of tensors that are integers for real numbers, by position, else None."""
    found = []
    for at in places:
        tensor = model.subgraphs[0].tensors[at]
        known = tensor.quantization is not None and tensor.quantization.scale is not None and len(tensor.quantization.scale) and tensor.type in (3, 7, 9)
        found.append([float(tensor.quantization.scale[0]), int(tensor.quantization.zeroPoint[0])] if known else None)
    return found


def shape_of(tensor):
    signature = tensor.shapeSignature
    return [int(size) for size in (tensor.shape if signature is None or not len(signature) else signature)] if tensor.shape is not None else []


def record(name):
    family, key = name.split("/", 1)
    case = models.FAMILIES[family][key]
    real = None  # the model of floats
    if case.convert:
        content, arrays = converted(case)
        feeds = by_input(content, arrays)
        if prepares(case):
            real = converted(case, True)[0]
    else:
        building = models.Building(name, case.unknown)
        outputs = case.build(building)
        if outputs is not None:
            building.model.subgraphs[0].outputs = list(outputs)
        feeds, model = building.feeds, building.model
        if not case.refused and not case.expected:
            model = litert.with_shapes(model, feeds)
        content = models.serialised(model)
    if case.quantise:
        real = content
        others = [[array for array in feeds.values()], [array[..., ::-1].copy() if array.ndim else array for array in feeds.values()]]
        with litert.quiet():
            content = quantising.quantised(content, others, case.quantise)
        real = quantising.exact(content) if case.quantise.startswith("hybrid") else real
    elif case.hybrid:
        real = quantising.exact(content)
    if case.change:
        content = case.change(content)
    model = models.parsed(content)
    graph = model.subgraphs[0]
    in_names, out_names = ([(graph.tensors[at].name or b"").decode() for at in places] for places in (graph.inputs, graph.outputs))
    scales = {"inputs": scales_of(model, graph.inputs), "outputs": scales_of(model, graph.outputs)}
    real_feeds = feeds
    if case.quantise:
        feeds = dict(zip(in_names, feeds.values()))
        real_feeds = {}
        for (input, array), given, at in zip(feeds.items(), scales["inputs"], graph.inputs):
            kind = models.DTYPES[graph.tensors[at].type]
            if given and array.dtype == np.float32:
                limits = np.iinfo(kind)
                feeds[input] = np.clip(np.round(array / np.float32(given[0])) + given[1], limits.min, limits.max).astype(kind)
                array = (feeds[input].astype(np.float32) - given[1]) * np.float32(given[0])
            real_feeds[input] = array.astype(np.float32) if array.dtype.kind == "f" else array
    runs = [feeds if at == 0 else {input: np.roll(array, at) for input, array in feeds.items()} for at in range(case.runs)]
    about = {"inputs": in_names, "fed": list(feeds), "outputs": out_names, "in_shapes": [shape_of(graph.tensors[at]) for at in graph.inputs], "out_shapes": [shape_of(graph.tensors[at]) for at in graph.outputs],
             "scales": scales, "refused": case.refused, "by": "numpy" if case.expected else "LiteRT", "quantised": case.quantise, "convolutions": sum(quantising.kind_of(model, operator) in ("CONV_2D", "DEPTHWISE_CONV_2D") for graph in model.subgraphs for operator in graph.operators)}
    wanted, floats = [], []
    if case.expected:
        wanted = [case.expected(**feeds) for feeds in runs]
        about["out_shapes"] = [list(array.shape) for array in wanted[0]]
    elif not case.refused:
        with litert.quiet():
            wanted = litert.run(content, runs, case.usual)
        if real is not None and case.quantise != "float16":
            with litert.quiet():
                made = litert.interpreter(real, {input: array.shape for input, array in real_feeds.items()})
                named = [detail["name"] for detail in made.get_input_details()]
                floats = [litert.invoke(made, dict(zip(named, real_feeds.values())))]
    for results in wanted:
        for array, said in zip(results, about["out_shapes"]):
            assert len(said) == array.ndim and all(size in (-1, real) for size, real in zip(said, array.shape)) or case.refused, (name, said, array.shape)
    return lite.Lite(name, content, about, runs, wanted, floats)
