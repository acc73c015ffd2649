"""Networks of Keras with seeded weights: families of its applications, and layers over time and space.

Weights are uniform between two limits, which keep the size of the numbers that pass through: kernels are as in He's initialisation, and
each batch norm divides by the variance that one picture gives.
"""
import contextlib
import hashlib
import zlib

import numpy as np
import tensorflow as tf
import tf_keras as keras2

import keras as keras3
from drawing import draw, draw_image

KERAS = {"keras2": keras2, "keras3": keras3}

# Application, height and width, options.
APPLICATIONS = {
    "MobileNet": (64, {}),
    "MobileNetV2": (64, {}),
    "MobileNetV3Small": (64, {}),
    "ResNet50": (64, {}),
    "ResNet50V2": (64, {}),
    "InceptionV3": (80, {}),
    "Xception": (72, {}),
    "EfficientNetB0": (64, {}),
    "EfficientNetV2B0": (64, {}),
    "DenseNet121": (64, {}),
    "NASNetMobile": (64, {}),
    "VGG16": (64, {}),
    "ConvNeXtTiny": (64, {}),
    "RegNetX002": (64, {}),
}


class Weights:
    """Draws the weights of a model and knows them again by their bytes."""

    def __init__(self, name):
        self.name, self.recipes, self.known = name, {}, {}

    def set(self, variable, at, low, high):
        recipe = {"seed": f"{self.name}/{at}", "shape": list(variable.shape), "low": float(np.float32(low)), "high": float(np.float32(high))}
        self.recipes[at] = (variable, recipe)
        variable.assign(draw(recipe))

    def finish(self):
        for _, recipe in self.recipes.values():
            self.known[hashlib.sha256(draw(recipe).tobytes()).digest()] = recipe


def limits(path, shape):
    """The limits between which a weight lies."""
    name = path.split("/")[-1].split(":")[0]
    if name in ("gamma", "scale") or "layer_scale" in path:
        return (0.2, 0.4) if "layer_scale" in path else (0.8, 1.2)
    if "variance" in name:
        return 0.8, 1.2
    if "mean" in name:
        return -0.2, 0.2
    if len(shape) <= 1:
        return -0.1, 0.1
    depthwise = "depthwise" in name
    fan_in = int(np.prod(shape[:2] if depthwise else shape[:-1]))
    limit = (3.0 * 2.0 / fan_in) ** 0.5
    return -limit, limit


def seed(name, model):
    """Draws the weights of a model; gives them, and their positions in it by id."""
    weights = Weights(name)
    places = {id(variable): at for at, variable in enumerate(model.weights)}
    for at, variable in enumerate(model.weights):
        path = getattr(variable, "path", variable.name)
        if np.dtype(getattr(variable.dtype, "name", variable.dtype)) != np.float32:
            continue
        weights.set(variable, at, *limits(path, variable.shape))
    return weights, places


@contextlib.contextmanager
def measuring(kind, weights, places):
    """While this lasts, a batch norm that is called draws its variance and mean anew, around those of its input."""
    original = kind.call

    def call(self, inputs, *rest, **more):
        numbers = np.asarray(inputs, np.float64)
        for variable, wide in ((self.moving_variance, True), (self.moving_mean, False)):
            if wide:
                size = max(float(numbers.var()), 1e-6)
                weights.set(variable, places[id(variable)], 0.8 * size, 1.2 * size)
            else:
                size, middle = float(numbers.std()), float(numbers.mean())
                weights.set(variable, places[id(variable)], middle - 0.2 * size, middle + 0.2 * size)
        return original(self, inputs, *rest, **more)

    kind.call = call
    try:
        yield
    finally:
        kind.call = original


def application(keras, kind, name, **more):
    """A model, its seeded weights, and the recipes of two pictures for it. `more`: further options of the application."""
    size, options = APPLICATIONS[kind]
    keras.backend.clear_session()
    model = getattr(keras.applications, kind)(weights=None, input_shape=(size, size, 3), **options, **more)
    scaled = any(layer.__class__.__name__ in ("Rescaling", "Normalization") for layer in model.layers)
    low, high = (0.0, 255.0) if scaled else (-1.0, 1.0)
    weights, places = seed(name, model)
    pictures = [{"seed": f"{name}/picture{at}", "shape": [2, size, size, 3], "low": low, "high": high} for at in range(2)]
    first = draw_image(pictures[0])
    head = [layer for layer in model.layers if hasattr(layer, "kernel")][-1]
    with measuring(keras.layers.BatchNormalization, weights, places):
        model(tf.constant(first), training=False)
    # The logits get a deviation of 2, so that the probabilities differ without being one and zeros.
    features = keras.Model(model.inputs, head.input)(tf.constant(first), training=False)
    kernel = head.kernel
    features = np.asarray(features, np.float64).reshape(2, -1, head.kernel.shape[-2]).mean(1)
    deviation = (features @ np.asarray(kernel.numpy(), np.float64).reshape(features.shape[1], -1)).std()
    limit = weights.recipes[places[id(kernel)]][1]["high"] * 2 / deviation
    weights.set(kernel, places[id(kernel)], -limit, limit)
    weights.finish()
    return model, weights, pictures


def assert_pictures_differ(name, one, other):
    """Results of two feeds: those of a network that hardly depends on what it sees would prove nothing."""
    difference = np.abs(one - other).max() / np.abs(one).max()
    between = np.abs(one[0] - one[1]).max() / np.abs(one).max()
    print(f"  {name}: largest result {np.abs(one).max():.3g}, pictures differ by {difference:.3g} and {between:.3g}")
    assert difference > 0.02 and between > 0.02, name


TIME = 6


def over_time(kind, sequences, both=False):
    """A recurrent layer over a sequence."""
    def build(keras):
        layer = getattr(keras.layers, kind)(5, return_sequences=sequences)
        return [keras.layers.Input((TIME, 4)), keras.layers.Bidirectional(layer) if both else layer, keras.layers.Dense(3)]
    return build


def stacked(keras):
    """Any length; the second goes backwards."""
    return [keras.layers.Input((None, 4)), keras.layers.LSTM(5, return_sequences=True), keras.layers.GRU(4, go_backwards=True), keras.layers.Dense(3)]


def masked(keras):
    """The sequence ends where the numbers are zero."""
    return [keras.layers.Input((TIME,), dtype="int32"), keras.layers.Embedding(12, 6, mask_zero=True), keras.layers.LSTM(5), keras.layers.Dense(3, activation="softmax")]


def cells(keras):
    """Two cells in one loop."""
    return [keras.layers.Input((TIME, 4)), keras.layers.RNN([keras.layers.LSTMCell(5), keras.layers.GRUCell(4)], return_sequences=True)]


def ends_early(keras):
    """The sequence ends where the numbers are zero; both layers go by that, and one writes zeros there."""
    layers = keras.layers
    return [layers.Input((TIME, 4)), layers.Masking(), layers.LSTM(5, return_sequences=True), layers.GRU(4, return_sequences=True, zero_output_for_mask=True), layers.SimpleRNN(3)]


def ends_early_both_ways(keras):
    layers = keras.layers
    return [layers.Input((None, 4)), layers.Masking(), layers.Bidirectional(layers.LSTM(5, return_sequences=True)), layers.Bidirectional(layers.GRU(4))]


def both_ways_any_time(keras):
    layers = keras.layers
    return [layers.Input((None, 4)), layers.Bidirectional(layers.LSTM(5, return_sequences=True), merge_mode="sum"), layers.Bidirectional(layers.GRU(4, reset_after=False), merge_mode="mul")]


def backwards(keras):
    """Results in the order in which they were computed."""
    layers = keras.layers
    return [layers.Input((TIME, 4)), layers.SimpleRNN(5, go_backwards=True, return_sequences=True), layers.LSTM(4, go_backwards=True, return_sequences=True), layers.GRU(3, go_backwards=True)]


def with_states(keras):
    """Last states are outputs, too."""
    layers = keras.layers
    inputs = layers.Input((TIME, 4))
    results = [layers.LSTM(5, return_sequences=True, return_state=True)(inputs), layers.GRU(3, return_state=True)(inputs), layers.Bidirectional(layers.SimpleRNN(2, return_state=True))(inputs)]
    return keras.Model(inputs, [tensor for result in results for tensor in result])


def encoder_and_decoder(keras):
    """The first states of one are the last of the other."""
    layers = keras.layers
    inputs = layers.Input((None, 4))
    _, h, c = layers.LSTM(5, return_state=True)(inputs)
    return keras.Model(inputs, layers.Dense(3)(layers.LSTM(5, return_sequences=True)(inputs, initial_state=[h, c])))


def unrolled(keras):
    """No loop: a cell for each time."""
    layers = keras.layers
    return [layers.Input((TIME, 4)), layers.LSTM(5, unroll=True, return_sequences=True), layers.GRU(4, unroll=True)]


def other_activations(keras):
    layers = keras.layers
    return [layers.Input((TIME, 4)), layers.LSTM(5, activation="relu", recurrent_activation="hard_sigmoid", return_sequences=True), layers.GRU(4, use_bias=False, reset_after=False, return_sequences=True),
            layers.SimpleRNN(3, activation="relu")]


def own_cell(keras):
    """A cell that no layer of Keras has."""
    class Cell(keras.layers.Layer):
        state_size = output_size = 5

        def build(self, shape):
            self.kernel = self.add_weight(shape=(shape[-1], 5), name="kernel")
            self.recurrent_kernel = self.add_weight(shape=(5, 5), name="recurrent_kernel")

        def call(self, inputs, states):
            result = tf.nn.softplus(inputs @ self.kernel + states[0] @ self.recurrent_kernel) * 0.5
            return result, [result - states[0]]

    return [keras.layers.Input((None, 4)), keras.layers.RNN(Cell(), return_sequences=True), keras.layers.Dense(3)]


def dense_every_time(keras):
    """Any length."""
    return [keras.layers.Input((None, 4)), keras.layers.TimeDistributed(keras.layers.Dense(5, activation="relu")), keras.layers.GRU(4)]


def convolution_and_loop(keras):
    return [keras.layers.Input((3, 8, 8, 2)), keras.layers.ConvLSTM2D(3, 3, padding="same", return_sequences=True), keras.layers.Conv3D(2, (1, 3, 3))]


def every_time(keras):
    """The same convolution for every picture of a film."""
    return [keras.layers.Input((3, 8, 8, 2)), keras.layers.TimeDistributed(keras.layers.Conv2D(3, 3)), keras.layers.TimeDistributed(keras.layers.GlobalAveragePooling2D()),
            keras.layers.Dense(3)]


def text(keras):
    layers = keras.layers
    return [layers.Input((16,), dtype="int32"), layers.Embedding(20, 6), layers.Conv1D(8, 3, activation="relu", padding="causal"), layers.BatchNormalization(), layers.MaxPooling1D(2),
            layers.SeparableConv1D(6, 3), layers.GlobalMaxPooling1D(), layers.Dense(4, activation="softmax")]


def embedding(keras):
    return [keras.layers.Input((None,), dtype="int32"), keras.layers.Embedding(20, 6), keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(3, activation="tanh")]


def normalized(keras):
    return [keras.layers.Input((7, 8)), keras.layers.LayerNormalization(), keras.layers.Dense(6, activation="gelu"), keras.layers.UnitNormalization()]


def film(keras):
    layers = keras.layers
    return [layers.Input((4, 8, 8, 2)), layers.Conv3D(4, 3, padding="same", activation="relu"), layers.MaxPooling3D(2), layers.BatchNormalization(), layers.Conv3DTranspose(3, 2, strides=2),
            layers.AveragePooling3D(2), layers.GlobalAveragePooling3D(), layers.Dense(3)]


def transformer(keras):
    layers = keras.layers
    inputs = layers.Input((TIME, 8))
    attended = layers.MultiHeadAttention(2, 4)(inputs, inputs)
    first = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([inputs, attended]))
    second = layers.Dense(8)(layers.Dense(12, activation="relu")(first))
    return keras.Model(inputs, layers.LayerNormalization(epsilon=1e-6)(layers.Add()([first, second])))


def causal(keras):
    """Tokens of any number, each of which sees only those before it."""
    layers = keras.layers
    tokens = layers.Input((None,), dtype="int32")
    vectors = layers.Embedding(20, 8)(tokens)
    attended = layers.MultiHeadAttention(2, 4)(vectors, vectors, use_causal_mask=True)
    return keras.Model(tokens, layers.Dense(20)(layers.LayerNormalization()(layers.Add()([vectors, attended]))))


def u_net(keras):
    """Pictures of any size."""
    layers = keras.layers
    inputs = layers.Input((None, None, 3))
    first = layers.Conv2D(4, 3, padding="same", activation="relu")(inputs)
    second = layers.Conv2D(6, 3, padding="same", activation="relu")(layers.MaxPooling2D()(first))
    deep = layers.LeakyReLU()(layers.BatchNormalization()(layers.Conv2D(8, 3, padding="same")(layers.MaxPooling2D()(second))))
    up = layers.Conv2DTranspose(6, 2, strides=2, padding="same")(deep)
    up = layers.Conv2D(4, 3, padding="same", activation="relu")(layers.Concatenate()([up, second]))
    up = layers.UpSampling2D(interpolation="bilinear" if keras is keras2 else "nearest")(up)  # Keras 3 needs the size for bilinear
    return keras.Model(inputs, layers.Conv2D(2, 1, activation="sigmoid")(layers.Concatenate()([up, first])))


def picture_layers(keras):
    """Layers on pictures that no application has."""
    layers = keras.layers
    return [layers.Input((12, 12, 4)), layers.ZeroPadding2D(((1, 0), (0, 2))), layers.Conv2D(6, 3, groups=2), layers.PReLU(shared_axes=[1, 2]), layers.Cropping2D(((1, 1), (0, 2))),
            layers.UpSampling2D(2), layers.SeparableConv2D(4, 3, dilation_rate=2), layers.Permute((3, 1, 2)), layers.Flatten(), layers.Dense(3, activation="elu")]


# Builder, shape of the input with the batch.
LAYERS = {}
for _kind in ("LSTM", "GRU", "SimpleRNN"):
    for _sequences in (True, False):
        _end = "sequences" if _sequences else "last"
        LAYERS[f"{_kind}_{_end}"] = (over_time(_kind, _sequences), [2, TIME, 4])
        LAYERS[f"Bidirectional{_kind}_{_end}"] = (over_time(_kind, _sequences, both=True), [2, TIME, 4])
LAYERS |= {
    "stacked": (stacked, [2, TIME, 4]),
    "masked": (masked, [2, TIME]),
    "cells": (cells, [2, TIME, 4]),
    "Masking": (ends_early, [2, TIME, 4]),
    "Masking_Bidirectional": (ends_early_both_ways, [2, TIME, 4]),
    "Bidirectional_any_time": (both_ways_any_time, [2, TIME, 4]),
    "go_backwards": (backwards, [2, TIME, 4]),
    "return_state": (with_states, [2, TIME, 4]),
    "initial_state": (encoder_and_decoder, [2, TIME, 4]),
    "unroll": (unrolled, [2, TIME, 4]),
    "activations": (other_activations, [2, TIME, 4]),
    "own_cell": (own_cell, [2, TIME, 4]),
    "TimeDistributed_Dense": (dense_every_time, [2, TIME, 4]),
    "ConvLSTM2D": (convolution_and_loop, [2, 3, 8, 8, 2]),
    "TimeDistributed": (every_time, [2, 3, 8, 8, 2]),
    "text": (text, [2, 16]),
    "Embedding": (embedding, [2, 5]),
    "LayerNormalization": (normalized, [2, 7, 8]),
    "Conv3D": (film, [2, 4, 8, 8, 2]),
    "transformer": (transformer, [2, TIME, 8]),
    "causal": (causal, [2, 5]),
    "UNet": (u_net, [2, 16, 16, 3]),
    "picture_layers": (picture_layers, [2, 12, 12, 4]),
}


def layers(keras, kind, name):
    """A small network with seeded weights, and what it is fed."""
    build, shape = LAYERS[kind]
    keras.backend.clear_session()
    model = build(keras)
    model = keras.Sequential(model) if isinstance(model, list) else model
    seed(name, model)
    spec = model.inputs[0]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    tokens = np.dtype(getattr(spec.dtype, "name", spec.dtype)).kind == "i"
    feed = rng.integers(1, 12, shape).astype(np.int32) if tokens else rng.uniform(-1, 1, shape).astype(np.float32)
    if kind.lower().startswith("mask"):
        feed[0, TIME - 2:] = 0
    return model, feed
