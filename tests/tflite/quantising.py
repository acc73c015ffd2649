"""Ways to quantise a model of floats: by TensorFlow's quantiser, or as its converter writes models that quantise only their weights."""
import copy

import numpy as np
from ai_edge_litert import schema_py_generated as schema

import models

# Axis of the output channels, by the operator; the position of its weights.
WEIGHTS = {"CONV_2D": (1, 0), "DEPTHWISE_CONV_2D": (1, 3), "FULLY_CONNECTED": (1, None), "BATCH_MATMUL": (1, None), "EMBEDDING_LOOKUP": (1, None), "TRANSPOSE_CONV": (1, 0),
           "GATHER": (0, None), "SVDF": (1, None), "RNN": (1, None)}
INT4 = 17  # two in a byte, the low one first
NAMES = {code: name for name, code in models.CODES.items()}


def kind_of(model, operator):
    code = model.operatorCodes[operator.opcodeIndex]
    return NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)]


def contents(model, tensor):
    """The numbers of a constant, or None."""
    data = model.buffers[tensor.buffer].data
    if data is not None and tensor.type == INT4:
        return np.stack([data & 15, data >> 4], 1).ravel()[:int(np.prod(tensor.shape))].reshape(tensor.shape).astype(np.int8) << 4 >> 4
    if data is None or len(data) == 0 or tensor.type not in models.DTYPES:
        return None
    return np.frombuffer(bytes(data), models.DTYPES[tensor.type]).reshape(tensor.shape)


def steps(array, axis):
    """The scale of each channel, or the one of all, and the array in 127 steps of it to both sides."""
    others = tuple(at for at in range(array.ndim) if at != axis) if axis is not None else None
    scale = np.maximum(np.abs(array).max(others), 1e-9).astype(np.float32) / np.float32(127)
    wide = scale if axis is None else scale.reshape([-1 if at == axis else 1 for at in range(array.ndim)])
    return np.atleast_1d(scale), np.clip(np.round(array / wide), -127, 127).astype(np.int8)


def weights_only(content, way):
    """Hybrid: weights in int8, activations in float32. `way`: hybrid, hybrid_tensor (one scale), or float16 (weights behind DEQUANTIZE)."""
    model = models.parsed(content)
    for graph in model.subgraphs:
        done, first = {}, []
        for operator in graph.operators:
            kind = kind_of(model, operator)
            if kind not in WEIGHTS and way != "float16":
                continue
            for at in range(len(operator.inputs)) if way == "float16" else [WEIGHTS[kind][0]]:
                place = operator.inputs[at]
                tensor = graph.tensors[place] if place >= 0 else None
                array = contents(model, tensor) if tensor is not None and place not in done else None
                if way == "float16" and place in done:
                    operator.inputs[at] = done[place]
                    continue
                if array is None or array.dtype != np.float32:
                    continue
                data = schema.BufferT()
                model.buffers.append(data)
                if way == "float16":
                    half = copy.copy(tensor)
                    half.type, half.buffer, half.name = models.TYPES["float16"], len(model.buffers) - 1, tensor.name + b"_half"
                    data.data = np.frombuffer(array.astype(np.float16).tobytes(), np.uint8)
                    tensor.buffer = 0
                    graph.tensors.append(half)
                    first.append((len(graph.tensors) - 1, place))
                    done[place] = place
                    continue
                axis = WEIGHTS[kind][1] if way == "hybrid" else None
                scale, numbers = steps(array, axis)
                data.data = np.frombuffer(numbers.tobytes(), np.uint8)
                tensor.type, tensor.buffer, tensor.quantization = models.TYPES["int8"], len(model.buffers) - 1, models.quantization(scale, 0, axis or 0)
                done[place] = place
                if hasattr(operator.builtinOptions, "asymmetricQuantizeInputs"):
                    operator.builtinOptions.asymmetricQuantizeInputs = True
        for half, whole in reversed(first):
            code = schema.OperatorCodeT()
            code.builtinCode = code.deprecatedBuiltinCode = models.CODES["DEQUANTIZE"]
            code.version = 3
            if not any(kind_of(model, operator) == "DEQUANTIZE" for operator in graph.operators):
                model.operatorCodes.append(code)
            operator = schema.OperatorT()
            operator.opcodeIndex = next(at for at, known in enumerate(model.operatorCodes) if known.builtinCode == models.CODES["DEQUANTIZE"])
            operator.inputs, operator.outputs = [half], [whole]
            graph.operators.insert(0, operator)
    return models.serialised(model)


def exact(content):
    """The model of floats with the weights that a hybrid one has."""
    model = models.parsed(content)
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            array = contents(model, tensor)
            if array is None or array.dtype != np.int8 or tensor.quantization is None or tensor.quantization.scale is None:
                continue
            scale, axis = np.asarray(tensor.quantization.scale, np.float32), tensor.quantization.quantizedDimension
            scale = scale if scale.size == 1 else scale.reshape([-1 if at == axis else 1 for at in range(array.ndim)])
            data = schema.BufferT()
            data.data = np.frombuffer((array.astype(np.float32) * scale).tobytes(), np.uint8)
            model.buffers.append(data)
            tensor.type, tensor.buffer, tensor.quantization = models.TYPES["float32"], len(model.buffers) - 1, None
    return models.serialised(model)


def in_integers(content, feeds, way):
    """int8: floats at inputs and outputs. int8_io: integers there. int8_tensor: one scale for all channels of weights. int16: activations in int16."""
    import tensorflow as tf
    from tensorflow.lite.python.convert import mlir_quantize
    from tensorflow.lite.python.optimize import calibrator
    content = calibrator.add_intermediate_tensors(content)
    work = calibrator.Calibrator(content)
    if way.startswith("int16"):
        kind = tf.int16 if way == "int16_io" else tf.float32
        return work.calibrate_and_quantize(lambda: iter(feeds), kind, kind, False, tf.int16, tf.int64, disable_per_channel=False)
    kind = tf.int8 if way in ("int8_io", "uint8") else tf.float32
    return mlir_quantize(work.calibrate(lambda: iter(feeds)), way in ("int8_tensor", "uint8"), input_data_type=kind, output_data_type=kind,
                         disable_per_channel_for_dense_layers=way in ("int8_tensor", "uint8"))


def unsigned(content):
    """A model of int8 as older converters wrote it: every number 128 higher."""
    model = models.parsed(content)
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            if tensor.type != models.TYPES["int8"] or tensor.quantization is None or tensor.quantization.scale is None:
                continue
            array = contents(model, tensor)
            if array is not None:
                data = schema.BufferT()
                data.data = (array.astype(np.int16) + 128).astype(np.uint8).ravel()
                model.buffers.append(data)
                tensor.buffer = len(model.buffers) - 1
            tensor.type = models.TYPES["uint8"]
            tensor.quantization.zeroPoint = np.asarray(tensor.quantization.zeroPoint) + 128
    return models.serialised(model)


def quantised(content, feeds, way):
    if way in ("hybrid", "hybrid_tensor", "float16"):
        return weights_only(content, way)
    made = in_integers(content, feeds, way)
    return unsigned(made) if way == "uint8" else made
