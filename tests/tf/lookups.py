"""SavedModels with tables of numbers: filled by initialisers, restored from the checkpoint, in Keras' layers. In folders as saved.py writes them."""
import functools

import keras as keras3
import numpy as np
import tensorflow as tf
import tf_keras as keras2

from saved import finish, numbers, tf1

KEYS = np.array([7, -3, 100, 5, 2**20], np.int64)
GIVEN = np.array([[5, 7, 6], [2**20, -3, 0]], np.int64)  # 6 and 0 are missing


def static(keys, values, default):
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant(keys), tf.constant(values)), default)


def save(folder, module, function, **feeds):
    tf.saved_model.save(module, folder, signatures=function)
    finish(folder, ["--saved_model_dir", "FOLDER"], feeds, {name: np.asarray(value) for name, value in function(**feeds).items()})


def kinds(folder):
    """Kinds of keys and values."""
    class Module(tf.Module):
        def __init__(self):
            self.tables = [static(KEYS, numbers("values", 5), -1.0), static(KEYS.astype(np.int32), np.arange(5, dtype=np.int32), 77), static(KEYS, np.arange(5, dtype=np.int64) * 3, -5)]

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.int64, name="x")])
        def forward(self, x):
            first, second, third = self.tables
            return {"real": first.lookup(x), "whole": second.lookup(tf.cast(x, tf.int32)), "long": third[x], "size": first.size()}

    module = Module()
    save(folder, module, module.forward, x=GIVEN)


def large(folder):
    """Unordered keys, 20,000 of them."""
    class Module(tf.Module):
        def __init__(self):
            keys = np.random.default_rng(1).permutation(50_000)[:20_000].astype(np.int64)
            self.table = static(keys, np.arange(20_000, dtype=np.int64), -1)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int64, name="x")])
        def forward(self, x):
            return {"y": self.table.lookup(x)}

    module = Module()
    save(folder, module, module.forward, x=np.random.default_rng(2).integers(-10, 50_010, 500))


def in_bodies(folder):
    """A table in a loop, in a branch and in a function that calls another."""
    class Module(tf.Module):
        def __init__(self):
            self.table = static(KEYS, np.int64([-3, 5, 7, 100, 9]), 7)

        @tf.function
        def inner(self, x):
            return self.table.lookup(x)

        @tf.function(input_signature=[tf.TensorSpec([2, 3], tf.int64, name="x")])
        def forward(self, x):
            steps = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, self.inner(x)), (0, x))[1]
            chosen = tf.cond(tf.reduce_sum(x) > 0, lambda: self.table.lookup(x), lambda: x)
            return {"steps": steps, "chosen": chosen}

    module = Module()
    save(folder, module, module.forward, x=GIVEN)


def restored(folder, dense):
    """What a table holds when it is saved is in the checkpoint."""
    class Module(tf.Module):
        def __init__(self):
            if dense:
                self.table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, -1.0, empty_key=-100, deleted_key=-200)
            else:
                self.table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, -1.0)
            self.table.insert(KEYS, numbers("restored", 5))

        @tf.function(input_signature=[tf.TensorSpec([2, 3], tf.int64, name="x")])
        def forward(self, x):
            return {"y": self.table.lookup(tf.reshape(x, [-1]))}

    module = Module()
    save(folder, module, module.forward, x=GIVEN)


def rows(folder):
    """Values that are rows."""
    class Module(tf.Module):
        def __init__(self):
            self.table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, tf.constant([1.0, 2, 3, 4]))
            self.table.insert(KEYS, numbers("rows", 5, 4))

        @tf.function(input_signature=[tf.TensorSpec([2, 3], tf.int64, name="x")])
        def forward(self, x):
            return {"y": self.table.lookup(x)}

    module = Module()
    save(folder, module, module.forward, x=GIVEN)


def tf1_tables(folder):
    """Filled by the initialiser of a SavedModel of TensorFlow 1."""
    x_feed = GIVEN
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.int64, [None, 3], "x")
        table = static(KEYS, numbers("tf1", 5), -1.0)
        y = tf.identity(table.lookup(x), "y")
        session.run(tf1.tables_initializer())
        tf1.saved_model.simple_save(session, folder, {"x": x}, {"y": y}, legacy_init_op=tf1.tables_initializer())
        wanted = session.run(y, {x: x_feed})
    finish(folder, ["--saved_model_dir", "FOLDER"], {"x": x_feed}, {"y": wanted})


def integer_lookup(folder, keras, **options):
    layers, alone = keras.layers, options.get("output_mode") == "one_hot"
    if options.get("output_mode") == "tf_idf":
        options["idf_weights"] = [0.5, 1.5, 2.0, 0.25]
    model = keras.Sequential([layers.Input((1 if alone else 3,), dtype="int64", name="numbers"), layers.IntegerLookup(vocabulary=[12, 36, 1138, 42], **options)])
    x = np.array([[12, 1138, 42], [36, 1000, 36], [0, 12, 0]], np.int64)[:, :1 if alone else 3]
    if keras is keras3:
        model.export(folder, verbose=False)
    else:
        model.save(folder, save_format="tf", include_optimizer=False)
    loaded = tf.saved_model.load(folder).signatures["serving_default"]
    wanted = loaded(**{next(iter(loaded.structured_input_signature[1])): tf.constant(x)})
    finish(folder, ["--saved_model_dir", "FOLDER"], {next(iter(loaded.structured_input_signature[1])): x}, {name: value.numpy() for name, value in wanted.items()})


RECORDERS = {
    "lookup_kinds": kinds,
    "lookup_large": large,
    "lookup_in_bodies": in_bodies,
    "lookup_restored": lambda folder: restored(folder, dense=False),
    "lookup_restored_dense": lambda folder: restored(folder, dense=True),
    "lookup_rows": rows,
    "lookup_tf1": tf1_tables,
    "lookup_keras2_buckets": lambda folder: integer_lookup(folder, keras2, num_oov_indices=3),
    "lookup_keras2_mask": lambda folder: integer_lookup(folder, keras2, mask_token=0),
    **{f"lookup_{name}_{mode}": functools.partial(integer_lookup, keras=keras, output_mode=mode)
       for name, keras in (("keras2", keras2), ("keras3", keras3)) for mode in ("int", "one_hot", "multi_hot", "count", "tf_idf")},
}
