"""Random numbers: their shapes are recorded, and numbers that do not depend on them."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)


def shape_of_random(name, build_random):
    @family.graph(name, unknown=(0,))
    def build(building):
        import tensorflow as tf
        shape = tf.raw_ops.Shape(input=building.fed("x", fed(2, 3)))
        numbers = build_random(tf.raw_ops, shape, tf)
        return [tf.raw_ops.Shape(input=numbers, name="shape"), tf.raw_ops.Mul(x=tf.raw_ops.Cast(x=numbers, DstT=tf.float32), y=0.0, name="zeros")]


shape_of_random("RandomUniform", lambda raw, shape, tf: raw.RandomUniform(shape=shape, dtype=tf.float32, seed=1, seed2=2))
shape_of_random("RandomUniformInt", lambda raw, shape, tf: raw.RandomUniformInt(shape=shape, minval=3, maxval=9, seed=1, seed2=2))
shape_of_random("RandomStandardNormal", lambda raw, shape, tf: raw.RandomStandardNormal(shape=shape, dtype=tf.float32, seed=1, seed2=2))
shape_of_random("TruncatedNormal", lambda raw, shape, tf: raw.TruncatedNormal(shape=shape, dtype=tf.float32, seed=1, seed2=2))
shape_of_random("StatelessRandomUniform", lambda raw, shape, tf: raw.StatelessRandomUniform(shape=shape, seed=[1, 2], dtype=tf.float32))
shape_of_random("Multinomial", lambda raw, shape, tf: raw.Multinomial(logits=raw.Cast(x=raw.Fill(dims=shape, value=0.5), DstT=tf.float32), num_samples=4, seed=1, seed2=2))
shape_of_random("StatelessMultinomial", lambda raw, shape, tf: raw.StatelessMultinomial(logits=raw.Cast(x=raw.Fill(dims=shape, value=0.5), DstT=tf.float32), num_samples=4, seed=[1, 2]))
shape_of_random("StatelessRandomGetAlg", lambda raw, shape, tf: raw.StatelessRandomUniformV2(shape=shape, key=np.array([1], np.uint64), counter=np.array([1, 2], np.uint64),
                                                                                            alg=raw.StatelessRandomGetAlg()))


def state_and_algorithm(raw, shape, tf):
    key, counter, algorithm = raw.StatelessRandomGetKeyCounterAlg(seed=[1, 2])
    return raw.StatelessRandomNormalV2(shape=shape, key=key, counter=counter, alg=algorithm)


shape_of_random("StatelessRandomGetKeyCounterAlg", state_and_algorithm)


@family.graph("RandomShuffle", unknown=(0,))
def shuffled(building):
    """Each row is there once."""
    import tensorflow as tf
    x = building.fed("x", fed(values=np.arange(12).reshape(6, 2), dtype=np.int32))
    rows = tf.raw_ops.RandomShuffle(value=x, seed=1, seed2=2)
    order = tf.raw_ops.TopKV2(input=tf.raw_ops.Cast(x=tf.raw_ops.Sum(input=rows, axis=[1]), DstT=tf.float32), k=6)[1]
    return [tf.raw_ops.GatherV2(params=rows, indices=order, axis=0, name="result")]


@family.graph("dropout_inference")
def dropout(building):
    """A dropout whose probability to keep is 1."""
    import tensorflow as tf
    x = building.fed("x", fed(2, 3))
    uniform = tf.raw_ops.RandomUniform(shape=tf.raw_ops.Shape(input=x), dtype=tf.float32, seed=1, seed2=2)
    kept = tf.raw_ops.Floor(x=tf.raw_ops.AddV2(x=uniform, y=1.0))
    return [tf.raw_ops.Mul(x=tf.raw_ops.RealDiv(x=x, y=1.0), y=kept, name="result")]
