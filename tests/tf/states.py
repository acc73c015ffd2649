"""SavedModels that change variables, each tiny, in folders as TensorFlow writes them.

A folder has also calls.npz: what is fed in each of several calls one after the other, and what TensorFlow answers: "0/feed/x", "0/want/y" and so on.
"""
import functools
import os
import shutil

import numpy as np
import tensorflow as tf
import tf_keras as keras2

import archive
import keras as keras3
import saved
import store

FOLDER = os.path.join(store.RECORDED, "states")
CALLS = 3
tf1 = tf.compat.v1
MODULES, OTHERS, REFUSED = {}, {}, {}


def module(*shape, **variables):
    """A function of (variables, x) that gives a dictionary; of the variables the first values."""
    def add(function):
        MODULES[function.__name__] = (function, shape, variables)
        return function
    return add


def other(builder):
    OTHERS[builder.__name__] = builder
    return builder


def weights(name, *shape):
    return saved.numbers("state " + name, *shape)


def spec(shape, name="x"):
    return tf.TensorSpec(shape, tf.float32, name=name)


@module(1, 4, v=weights("v", 1, 4))
def assign(m, x):
    y = m.v * 0.5 + x
    m.v.assign(y)
    return {"y": y}


@module(None, 4, v=weights("w", 4), n=np.int64(5))
def add_and_subtract(m, x):
    m.n.assign_add(2)
    m.v.assign_sub(tf.reduce_mean(x, 0))
    return {"n": m.n.read_value(), "y": x + m.v}


@module(4, v=weights("v", 4))
def reads_between(m, x):
    first = m.v.read_value()
    m.v.assign(x * 2)
    second = m.v.read_value() + first
    m.v.assign_add(second)
    return {"first": first, "second": second, "third": m.v.read_value()}


@module(4, v=weights("v", 4), w=weights("w", 4))
def functions(m, x):
    @tf.function
    def inner(x):
        m.v.assign_add(x)
        return x * m.w

    @tf.function
    def outer(x):
        before = m.v + 0.0
        y = inner(x)
        m.w.assign(y - m.v)
        return before, inner(y)
    before, y = outer(x)
    return {"before": before, "y": y, "w": m.w.read_value()}


@module(4, v=weights("v", 4))
def passed_on(m, x):
    """A function whose result is its argument, and one that gives nothing."""
    @tf.function
    def same(x):
        m.v.assign_add(x)
        return x

    @tf.function
    def nothing():
        m.v.assign(m.v * 2.0)
    nothing()
    return {"y": same(x)}


@module(2, 3, v=weights("rows", 5, 3))
def scatter(m, x):
    m.v.scatter_update(tf.IndexedSlices(x, [1, 3]))
    first = m.v.read_value()
    m.v.scatter_add(tf.IndexedSlices(x, [3, 3]))
    m.v.scatter_sub(tf.IndexedSlices(x * 3, [0, 4]))
    m.v.scatter_max(tf.IndexedSlices(x, [2, 1]))
    return {"first": first, "y": tf.gather(m.v, [3, 0, 1])}


@module(2, v=weights("table", 4, 3))
def scatter_elements(m, x):
    m.v.scatter_nd_update([[0, 1], [3, 2]], x)
    m.v.scatter_nd_add([[1, 1], [1, 1]], x)
    return {"y": m.v.read_value()}


@module(2, 3, v=weights("slots", 4, 3), n=np.int32(0))
def slices(m, x):
    """As a cache of keys and values is filled."""
    m.v[1:3].assign(x)
    at = m.n.read_value()
    m.v[at:at + 1].assign(x[:1] * 2)
    m.n.assign_add(1)
    return {"y": m.v.read_value()}


@module(4, v=weights("v", 4))
def in_condition(m, x):
    def grows():
        m.v.assign_add(x)
        return m.v * 2.0
    y = tf.cond(tf.reduce_sum(x) > 0, grows, lambda: m.v - 1.0)
    return {"y": y, "v": m.v.read_value()}


@module(4, v=weights("v", 4), n=np.float32(0))
def in_condition_without_result(m, x):
    @tf.function
    def change():
        if tf.reduce_sum(x) > 0:
            m.n.assign_add(1.0)
        else:
            if x[0] > 0:
                m.v.assign(x)
            else:
                m.n.assign(x[1])
    change()
    return {"y": x + m.v, "n": m.n.read_value()}


@module(4, v=weights("v", 4))
def in_branches(m, x):
    at = tf.cast(tf.math.argmax(x), tf.int32)
    y = tf.switch_case(at, [lambda: m.v.assign(x) + 0.0, lambda: m.v.assign_sub(x) * 2.0, lambda: x, lambda: m.v * 1.0])
    return {"y": y, "v": m.v.read_value()}


@module(4, v=weights("v", 4), w=weights("w", 4))
def in_loop(m, x):
    def body(i, y):
        m.v.assign(m.v * 0.5 + y)
        return i + 1, y + m.w
    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return {"y": y, "v": m.v.read_value()}


@module(4, v=weights("v", 4))
def in_loop_of_open_length(m, x):
    def body(y):
        tf.cond(y[0] > 0, lambda: m.v.assign_add(y), lambda: m.v.assign(y))
        return y + tf.abs(m.v) + 0.1
    y, = tf.while_loop(lambda y: tf.reduce_sum(y) < 4, body, [x])
    return {"y": y, "v": m.v.read_value()}


@module(4, v=weights("v", 4))
def in_loop_of_functions(m, x):
    @tf.function
    def step(y):
        m.v.assign_add(y)
        return y * 0.5

    def body(i, y):
        z = step(y)
        return i + 1, step(z) + m.v
    _, y = tf.while_loop(lambda i, y: i < 2, body, [0, x])
    return {"y": y}


@module(None, 4, v=weights("v", 4))
def not_read(m, x):
    """Only the next call sees it."""
    y = x + m.v
    m.v.assign(tf.reduce_max(x, 0))
    return {"y": y}


def save(folder, made, inputs):
    """`inputs`: the signature's, with the shape for each call."""
    tf.saved_model.save(made, folder, signatures=made.forward)
    finish(folder, inputs)


def finish(folder, inputs):
    if os.path.exists(metadata := os.path.join(folder, "keras_metadata.pb")):
        os.remove(metadata)
    run, arrays = tf.saved_model.load(folder).signatures["serving_default"], {}
    for call in range(CALLS):
        feeds = {name: saved.numbers(f"{name} in call {call}", *shape) for name, shape in inputs.items()}
        arrays |= {f"{call}/feed/{name}": array for name, array in feeds.items()}
        arrays |= {f"{call}/want/{name}": answer.numpy() for name, answer in sorted(run(**{name: tf.constant(array) for name, array in feeds.items()}).items())}
    archive.write(os.path.join(folder, "calls.npz"), arrays)


def save_module(name, folder):
    function, shape, variables = MODULES[name]

    class Module(tf.Module):
        def __init__(self):
            for key, value in variables.items():
                setattr(self, key, tf.Variable(value, name=key))

        @tf.function(input_signature=[spec(shape)])
        def forward(self, x):
            return function(self, x)

    save(folder, Module(), {"x": [3 if size is None else size for size in shape]})


@other
def open_shape(folder):
    """A variable whose first dimension is open."""
    class Module(tf.Module):
        def __init__(self):
            self.v = tf.Variable(weights("v", 2, 3), shape=[None, 3], name="v")

        @tf.function(input_signature=[spec([None, 3])])
        def forward(self, x):
            self.v.assign(tf.concat([self.v, x], 0))
            return {"y": tf.reduce_sum(self.v, 1)}
    save(folder, Module(), {"x": [2, 3]})


@other
def trained_elsewhere(folder):
    """The function that predicts changes nothing; another one does."""
    class Module(tf.Module):
        def __init__(self):
            self.v = tf.Variable(weights("v", 4), name="v")

        @tf.function(input_signature=[spec([4])])
        def train(self, x):
            self.v.assign_sub(x)

        @tf.function(input_signature=[spec([4])])
        def forward(self, x):
            return {"y": self.v * x}
    save(folder, Module(), {"x": [4]})


def stateful_layers(folder, keras, export):
    layers = keras.layers
    model = keras.Sequential([layers.Input(batch_shape=(2, 3, 4), name="x"), layers.LSTM(3, stateful=True, return_sequences=True), layers.GRU(2, stateful=True)])
    for at, variable in enumerate(model.weights):
        if "seed" not in getattr(variable, "path", variable.name):
            variable.assign(weights(f"layer{at}", *variable.shape))
    export(model, folder)
    inputs = tf.saved_model.load(folder).signatures["serving_default"].structured_input_signature[1]
    finish(folder, {name: [2, *given.shape.as_list()[1:]] for name, given in inputs.items()})


@other
def keras2_stateful(folder):
    stateful_layers(folder, keras2, lambda model, to: model.save(to, save_format="tf", include_optimizer=False))


@other
def keras3_stateful(folder):
    stateful_layers(folder, keras3, lambda model, to: model.export(to, verbose=False))


@other
def batch_statistics(folder):
    """Batch normalisation as in training: each call moves the averages."""
    class Module(tf.Module):
        def __init__(self):
            self.layer = keras2.layers.BatchNormalization(momentum=0.5)
            self.layer.build((None, 3))

        @tf.function(input_signature=[spec([None, 3])])
        def forward(self, x):
            y = self.layer(x, training=True)
            return {"y": y, "z": self.layer(x, training=False)}
    save(folder, Module(), {"x": [4, 3]})


def tf1_model(folder, resource, build):
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [4], name="x")
        with tf1.variable_scope("", use_resource=resource):
            v = tf1.get_variable("v", initializer=tf.constant(weights("v", 4)))
            outputs = build(v, x)
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, folder, {"x": x}, outputs)
    finish(folder, {"x": [4]})


def tf1_steps(v, x):
    before = v.read_value() * 1.0
    with tf.control_dependencies([before]):
        change = tf1.assign(v, before * 0.5 + x)
    with tf.control_dependencies([change]):
        more = tf1.assign_add(v, x)
    with tf.control_dependencies([tf.group(more)]):
        y = v.read_value() + 0.0
    return {"before": before, "y": y}


@other
def tf1_resource(folder):
    tf1_model(folder, True, tf1_steps)


@other
def tf1_reference(folder):
    tf1_model(folder, False, tf1_steps)


@other
def tf1_reference_by_value(folder):
    """The assignments' own outputs are read."""
    tf1_model(folder, False, lambda v, x: {"y": tf1.scatter_update(tf1.assign_sub(v, x), [2], [5.0]) * 2.0})


# What cannot be kept: these have no calls.npz.

def refused(builder):
    REFUSED[builder.__name__] = builder
    return builder


class Refused(tf.Module):
    def __init__(self, function):
        self.v, self.function = tf.Variable(weights("v", 4), name="weights_of_it"), function

    @tf.function(input_signature=[spec([4])])
    def forward(self, x):
        return {"y": self.function(self.v, x)}


@refused
def training_step(folder):
    def step(v, x):
        loss = tf.reduce_sum(v * x)
        tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=0.1, delta=x)
        return loss
    made = Refused(step)
    tf.saved_model.save(made, folder, signatures=made.forward)


@refused
def in_condition_of_loop(folder):
    made = Refused(lambda v, x: tf.while_loop(lambda y: tf.reduce_sum(v.assign_add(y)) < 3, lambda y: [y + 1], [x])[0])
    tf.saved_model.save(made, folder, signatures=made.forward)


def tf1_flow(folder, build, resource=True):
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.disable_control_flow_v2()
        x = tf1.placeholder(tf.float32, [4], name="x")
        with tf1.variable_scope("", use_resource=resource):
            v = tf1.get_variable("weights_of_it", initializer=tf.constant(weights("v", 4)))
            y = build(v, x)
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, folder, {"x": x}, {"y": y})
        tf1.enable_control_flow_v2()


def changed(v, x):
    with tf.control_dependencies([v.assign(x)]):
        return v.read_value() + x


@refused
def tf1_in_condition(folder):
    tf1_flow(folder, lambda v, x: tf1.cond(x[0] > 0, lambda: changed(v, x), lambda: x))


@refused
def tf1_in_loop(folder):
    tf1_flow(folder, lambda v, x: tf1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, changed(v, y)), [0, x])[1])


@other
def tf1_branch_of_training(folder):
    """A placeholder with a default value never takes the branch that changes the variable."""
    def build(v, x):
        training = tf1.placeholder_with_default(False, [], name="training")
        return tf1.cond(training, lambda: changed(v, x), lambda: x * v)
    tf1_flow(folder, build)
    finish(folder, {"x": [4]})


@other
def tf1_reference_in_condition(folder):
    """The branch gives what the assignment gives."""
    tf1_flow(folder, lambda v, x: tf1.cond(x[0] > 0, lambda: tf1.assign_add(v, x) * 2.0, lambda: x), resource=False)
    finish(folder, {"x": [4]})


def recorders():
    """What can be recorded, by name."""
    return {name: functools.partial(record, name) for name in (*MODULES, *OTHERS, *REFUSED)}


def record(name):
    folder = os.path.join(FOLDER, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(FOLDER, exist_ok=True)
    if name in MODULES:
        save_module(name, folder)
    else:
        (OTHERS | REFUSED)[name](folder)
    if os.path.exists(fingerprint := os.path.join(folder, "fingerprint.pb")):  # random
        os.remove(fingerprint)
    return folder
