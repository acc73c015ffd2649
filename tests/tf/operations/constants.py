"""Constants of every type, in each form that a TensorProto has: whole content, values of a field, fewer values than elements."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)

FIELDS = {"float": ("float_val", np.float32), "double": ("double_val", np.float64), "half": ("half_val", np.float16), "int8": ("int_val", np.int8), "uint8": ("int_val", np.uint8),
          "int16": ("int_val", np.int16), "uint16": ("int_val", np.uint16), "int32": ("int_val", np.int32), "int64": ("int64_val", np.int64), "bool": ("bool_val", bool),
          "uint32": ("uint32_val", np.uint32), "uint64": ("uint64_val", np.uint64)}


def proto(kind, array, form):
    """`form`: content, values, last (the last value is that of the rest, too), empty (all are the type's zero)."""
    import tensorflow as tf
    tensor = tf.compat.v1.make_tensor_proto(array[:1] if form == "last" else array, shape=None)
    made = type(tensor)(dtype=tensor.dtype)
    for size in array.shape:
        made.tensor_shape.dim.add(size=size)
    if form == "content":
        made.tensor_content = array.tobytes()
    elif form != "empty":
        values = array.ravel()[:2] if form == "last" else array.ravel()
        getattr(made, FIELDS[kind][0]).extend((values.view(np.uint16) if kind == "half" else values).tolist())
    return made


def constant(kind, form, expected):
    """A sum or choice with the constant, so that the constant does not fold with what is fed."""
    @family.graph(f"{kind}_{form}")
    def build(building):
        import tensorflow as tf
        dtype = tf.as_dtype(FIELDS[kind][1])
        tensor = proto(kind, expected, form)
        attributes = {"value": tf.compat.v1.AttrValue(tensor=tensor), "dtype": tf.compat.v1.AttrValue(type=tensor.dtype)}
        value = tf.compat.v1.get_default_graph().create_op("Const", [], [dtype], name="value", attrs=attributes).outputs[0]
        value.set_shape(expected.shape)
        choice = building.fed("choice", fed(*expected.shape, dtype=bool))
        other = tf.constant(np.ones(1, FIELDS[kind][1]), name="other")
        return [tf.raw_ops.SelectV2(condition=choice, t=value, e=other, name="result")]


for kind, (_, dtype) in FIELDS.items():
    values = [[True, False, True], [False, True, True]] if kind == "bool" else [[1, 2, 3], [100, 5, 0]]
    whole = np.array(values).astype(dtype)
    constant(kind, "content", whole)
    constant(kind, "values", whole)
    constant(kind, "last", np.array([[values[0][0], values[0][1], values[0][1]], [values[0][1]] * 3]).astype(dtype))
    constant(kind, "empty", np.zeros((2, 3), dtype))


@family.graph("bfloat16")
def bfloat16(building):
    import tensorflow as tf
    narrow = tf.constant([[1.5, 2.0, -3.25]], tf.bfloat16, name="value")
    return [tf.raw_ops.AddV2(x=building.fed("x", fed(2, 3)), y=tf.raw_ops.Cast(x=narrow, DstT=tf.float32), name="result")]


@family.graph("negative")
def negative(building):
    """Negative numbers take ten bytes in int_val."""
    import tensorflow as tf
    return [tf.raw_ops.AddV2(x=building.fed("x", fed(3, dtype=np.int32, low=0, high=5)), y=tf.constant(np.array([-1, -2, -3], np.int32)), name="result")]


@family.graph("scalar")
def scalar(building):
    import tensorflow as tf
    return [tf.raw_ops.Mul(x=building.fed("x", fed(3)), y=tf.constant(2.5), name="result")]


@family.graph("alone")
def alone(building):
    """A constant that is a result."""
    import tensorflow as tf
    return [tf.raw_ops.Identity(input=tf.constant([1.0, 2.0]), name="constant"), tf.raw_ops.Relu(features=building.fed("x", fed(3)), name="result")]
