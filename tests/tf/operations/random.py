"""Random numbers: what is recorded is their shape, and numbers that do not depend on them."""
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


@family.graph("dropout_inference")
def dropout(building):
    """A dropout whose probability to keep is 1."""
    import tensorflow as tf
    x = building.fed("x", fed(2, 3))
    uniform = tf.raw_ops.RandomUniform(shape=tf.raw_ops.Shape(input=x), dtype=tf.float32, seed=1, seed2=2)
    kept = tf.raw_ops.Floor(x=tf.raw_ops.AddV2(x=uniform, y=1.0))
    return [tf.raw_ops.Mul(x=tf.raw_ops.RealDiv(x=x, y=1.0), y=kept, name="result")]
