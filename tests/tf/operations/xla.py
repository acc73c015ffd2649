"""XLA's operations, which jax2tf writes without native serialization. XLA itself computes their results, in one program for a graph."""
import re

import numpy as np

from graphs import Family, fed

family = Family(__name__)


class Raw:
    """tf.raw_ops, and those of XLA, which it does not have."""

    def __getattr__(self, name):
        import tensorflow as tf
        from tensorflow.compiler.tf2xla.ops import gen_xla_ops
        return getattr(gen_xla_ops, re.sub("(?<!^)(?=[A-Z])", "_", name).lower()) if name.startswith("Xla") else getattr(tf.raw_ops, name)


def compiled(name, build, unknown=(), same=None, **inputs):
    """`build(tf, raw, *inputs)` gives the outputs; `same` is run where TensorFlow's XLA cannot compile that."""
    @family.graph(name, unknown=unknown)
    def built(building):
        import tensorflow as tf
        arguments = [building.fed(key, spec) for key, spec in inputs.items()]

        def outputs(*tensors):
            made = (same if same and building.runs else build)(tf, Raw(), *tensors)
            return made if isinstance(made, (list, tuple)) else [made]
        made = tf.function(outputs, autograph=False, jit_compile=True)(*arguments) if building.runs else outputs(*arguments)
        return [tf.identity(output, name=f"out{at}") for at, output in enumerate(made)]


def numbers(message, **fields):
    """A message of xla_data.proto."""
    from tensorflow.compiler.xla import xla_data_pb2
    return getattr(xla_data_pb2, message)(**fields).SerializeToString(deterministic=True)


def function(body, *types):
    """A function of two elements of each operand."""
    import tensorflow as tf
    kinds = types or (tf.float32, tf.float32)
    return tf.function(body, autograph=False).get_concrete_function(*[tf.TensorSpec((), kind) for kind in kinds])


def added(x, y):
    return x + y


def log_of_sum(x, y):
    """What jnp.logaddexp computes."""
    import tensorflow as tf
    difference = x - y
    return tf.where(tf.not_equal(difference, difference), x + y, tf.maximum(x, y) + tf.math.log1p(tf.exp(-tf.abs(difference))))


# Products.

def dot(name, lhs, rhs, contracting, batch=((), ()), unknown=(), dtype=np.float32, preferred=None, first=False):
    def build(tf, raw, x, y):
        axes = numbers("DotDimensionNumbers", lhs_contracting_dimensions=contracting[0], rhs_contracting_dimensions=contracting[1],
                       lhs_batch_dimensions=batch[0], rhs_batch_dimensions=batch[1])
        if first:
            return raw.XlaDot(lhs=x, rhs=y, dimension_numbers=axes, precision_config=b"")
        return raw.XlaDotV2(lhs=x, rhs=y, dimension_numbers=axes, precision_config=b"", preferred_element_type=preferred or dtype)
    low, high = (-9, 9) if np.issubdtype(dtype, np.integer) else (-1, 1)
    compiled(f"dot_{name}", build, unknown, x=fed(*lhs, dtype=dtype, low=low, high=high), y=fed(*rhs, dtype=dtype, low=low, high=high))


dot("matrices", (2, 3), (3, 4), ((1,), (0,)), unknown=(0,))
dot("first_version", (2, 3), (3, 4), ((1,), (0,)), first=True)
dot("transposed", (3, 2), (4, 3), ((0,), (1,)))
dot("dense", (2, 5, 3), (3, 4), ((2,), (0,)), unknown=(0, 1))
dot("vectors", (5,), (5,), ((0,), (0,)))
dot("matrix_vector", (2, 5), (5,), ((1,), (0,)))
dot("vector_matrix", (5,), (5, 3), ((0,), (0,)))
dot("outer", (2, 3), (4,), ((), ()))
dot("scalars", (), (), ((), ()))
dot("batch", (2, 3, 4), (2, 4, 5), ((2,), (1,)), ((0,), (0,)), unknown=(0,))
dot("attention", (2, 5, 3, 4), (2, 6, 3, 4), ((3,), (3,)), ((0, 2), (0, 2)), unknown={"x": (0, 1), "y": (0, 1)})
dot("two_sums", (2, 3, 4, 5), (4, 6, 3), ((1, 2), (2, 0)))
dot("several_free", (3, 2, 4), (5, 3, 6), ((0,), (1,)), unknown=(1, 2))
dot("batch_of_vectors", (2, 3), (2, 3), ((1,), (1,)), ((0,), (0,)))
dot("batch_turned", (4, 3, 2), (2, 5, 4), ((0,), (2,)), ((2,), (0,)))
dot("integers", (2, 3), (3, 4), ((1,), (0,)), dtype=np.int32)
dot("bytes_as_integers", (2, 3), (3, 4), ((1,), (0,)), dtype=np.int8, preferred=np.int32)
compiled("einsum", lambda tf, raw, x, y: raw.XlaEinsum(a=x, b=y, equation="bij,bjk->bik"), x=fed(2, 3, 4), y=fed(2, 4, 5))


# Convolutions. The letters say which axis is which: N batch, C channels, O and I of the weights.

def conv(name, x, weights, layouts=("NHWC", "HWIO", "NHWC"), strides=(1, 1), padding=((0, 0), (0, 0)), x_dilation=None, dilation=None, groups=1, batch_groups=1, first=False, unknown=()):
    def build(tf, raw, data, kernel):
        of_data, of_kernel, of_result = layouts
        spatial = [letter for letter in of_data if letter not in "NC"]
        axes = numbers("ConvolutionDimensionNumbers",
                       input_batch_dimension=of_data.index("N"), input_feature_dimension=of_data.index("C"), input_spatial_dimensions=[of_data.index(letter) for letter in spatial],
                       kernel_input_feature_dimension=of_kernel.index("I"), kernel_output_feature_dimension=of_kernel.index("O"),
                       kernel_spatial_dimensions=[of_kernel.index(letter) for letter in spatial],
                       output_batch_dimension=of_result.index("N"), output_feature_dimension=of_result.index("C"), output_spatial_dimensions=[of_result.index(letter) for letter in spatial])
        ones = [1] * len(spatial)
        given = dict(lhs=data, rhs=kernel, window_strides=list(strides), padding=[list(pair) for pair in padding], lhs_dilation=x_dilation or ones, rhs_dilation=dilation or ones,
                     feature_group_count=groups, dimension_numbers=axes, precision_config=b"")
        if first:
            return raw.XlaConv(**given)
        return raw.XlaConvV2(**given, batch_group_count=batch_groups, preferred_element_type=tf.float32)
    compiled(f"conv_{name}", build, unknown, x=fed(*x), weights=fed(*weights))


conv("nhwc", (2, 5, 6, 3), (3, 3, 3, 4), padding=((1, 1), (1, 1)), unknown=(0, 1, 2))
conv("first_version", (2, 5, 6, 3), (3, 3, 3, 4), first=True)
conv("nchw", (2, 3, 5, 6), (4, 3, 3, 3), ("NCHW", "OIHW", "NCHW"), strides=(2, 2), padding=((0, 1), (1, 0)))
conv("other_result", (2, 5, 6, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NCHW"))
conv("batch_last", (5, 6, 3, 2), (3, 3, 3, 4), ("HWCN", "IHWO", "NHWC"))
conv("dilated", (1, 7, 8, 2), (3, 2, 2, 3), dilation=(2, 3), padding=((2, 2), (0, 3)))
conv("grouped", (1, 5, 5, 4), (3, 3, 2, 6), groups=2)
conv("depthwise", (1, 5, 5, 4), (3, 3, 1, 8), groups=4, padding=((1, 1), (1, 1)))
conv("one_dimension", (2, 9, 3), (3, 3, 4), ("NWC", "WIO", "NWC"), strides=(2,), padding=((1, 1),))
conv("three_dimensions", (1, 4, 5, 6, 2), (2, 2, 2, 2, 3), ("NDHWC", "DHWIO", "NDHWC"), strides=(1, 2, 1), padding=((0, 0), (1, 1), (0, 1)))
conv("cropped", (1, 6, 6, 2), (2, 2, 2, 3), padding=((-1, 0), (1, -2)))
conv("transposed", (2, 3, 4, 3), (3, 3, 3, 4), x_dilation=(2, 2), padding=((1, 2), (1, 2)), unknown=(0, 1, 2))
conv("transposed_valid", (1, 3, 4, 3), (2, 2, 3, 4), x_dilation=(2, 2), padding=((1, 1), (1, 1)))
conv("transposed_same", (1, 3, 4, 3), (2, 2, 3, 4), x_dilation=(2, 3), padding=((1, 1), (1, 2)))
conv("transposed_grouped", (1, 3, 4, 4), (3, 3, 2, 6), x_dilation=(2, 2), padding=((1, 1), (2, 2)), groups=2)
conv("transposed_dilated", (1, 3, 4, 3), (2, 3, 3, 4), x_dilation=(2, 2), dilation=(2, 1), padding=((1, 1), (2, 2)))
conv("transposed_wide", (1, 3, 4, 3), (2, 2, 3, 4), x_dilation=(2, 2), padding=((4, 3), (2, 5)))
conv("transposed_with_strides", (1, 3, 4, 3), (3, 3, 3, 4), x_dilation=(2, 3), strides=(2, 1), padding=((1, 1), (1, 1)))
compiled("conv_transposed_by_constant", lambda tf, raw, x: raw.XlaConvV2(
    lhs=x, rhs=np.random.default_rng(3).uniform(-1, 1, (3, 2, 24, 120)).astype(np.float32), window_strides=[1, 1], padding=[[1, 2], [1, 1]], lhs_dilation=[2, 2], rhs_dilation=[1, 1],
    feature_group_count=1, dimension_numbers=numbers("ConvolutionDimensionNumbers", input_feature_dimension=3, input_spatial_dimensions=[1, 2], kernel_input_feature_dimension=2,
                                                     kernel_output_feature_dimension=3, kernel_spatial_dimensions=[0, 1], output_feature_dimension=3, output_spatial_dimensions=[1, 2]),
    precision_config=b"", batch_group_count=1, preferred_element_type=tf.float32), x=fed(1, 3, 4, 24))
conv("batch_groups", (4, 5, 5, 3), (3, 3, 3, 6), batch_groups=2)


# Padding, slices.

def pad(name, shape, low, high, interior, value=0.5, unknown=()):
    compiled(f"pad_{name}", lambda tf, raw, x: raw.XlaPad(input=x, padding_value=value, padding_low=low, padding_high=high, padding_interior=interior), unknown, x=fed(*shape))


pad("around", (2, 3), [1, 0], [0, 2], [0, 0], unknown=(0,))
pad("between", (2, 3), [0, 0], [0, 0], [1, 2], unknown=(0, 1))
pad("both", (2, 3, 4), [1, 0, 2], [0, 1, 0], [0, 2, 1])
pad("cropped", (4, 5), [-1, 0], [0, -2], [0, 0])
pad("cropped_between", (3, 4), [-1, -2], [2, -1], [2, 1])
compiled("pad_by_input", lambda tf, raw, x, value: raw.XlaPad(input=x, padding_value=value, padding_low=[1, 0], padding_high=[0, 2], padding_interior=[0, 1]), x=fed(2, 3), value=fed())

compiled("dynamic_slice", lambda tf, raw, x, start: raw.XlaDynamicSlice(input=x, start_indices=start, size_indices=[2, 1, 4]), unknown=(0,), x=fed(5, 3, 4), start=fed(values=[2, 1, 0], dtype=np.int32))
compiled("dynamic_slice_moved_inside", lambda tf, raw, x, start: raw.XlaDynamicSlice(input=x, start_indices=start, size_indices=[2, 3]), x=fed(5, 4), start=fed(values=[7, -3], dtype=np.int64))
compiled("dynamic_update", lambda tf, raw, x, update, start: raw.XlaDynamicUpdateSlice(input=x, update=update, indices=start), unknown=(0,), x=fed(5, 3), update=fed(2, 3), start=fed(values=[2, 0], dtype=np.int32))
compiled("dynamic_update_of_two_axes", lambda tf, raw, x, update, start: raw.XlaDynamicUpdateSlice(input=x, update=update, indices=start), x=fed(5, 4), update=fed(2, 2), start=fed(values=[9, 1], dtype=np.int32))
compiled("dynamic_update_of_one_axis", lambda tf, raw, x, update, start: raw.XlaDynamicUpdateSlice(input=x, update=update, indices=start), x=fed(2, 5, 3), update=fed(2, 1, 3), start=fed(values=[0, 7, 0], dtype=np.int32))


# Reductions.

def reduce(name, body, dimensions, shape=(2, 3, 4), initial=0.0, dtype=np.float32, unknown=(), **more):
    def build(tf, raw, x):
        return raw.XlaReduce(input=x, init_value=tf.constant(initial, dtype), dimensions_to_reduce=dimensions, reducer=function(body, *[tf.as_dtype(dtype)] * 2))
    compiled(f"reduce_{name}", build, unknown, x=fed(*shape, dtype=dtype, **more))


reduce("sum", added, [1], unknown=(0, 1))
reduce("sum_from_one", added, [0, 2], initial=1.0)
reduce("product", lambda x, y: x * y, [2], initial=1.0)
reduce("maximum", lambda x, y: __import__("tensorflow").maximum(x, y), [0, 1, 2], initial=-np.inf)
reduce("minimum_of_integers", lambda x, y: __import__("tensorflow").minimum(x, y), [1], initial=2 ** 31 - 1, dtype=np.int32, low=-9, high=9)
reduce("maximum_from_two", lambda x, y: __import__("tensorflow").maximum(y, x), [1], initial=0.25)
reduce("all", lambda x, y: __import__("tensorflow").logical_and(x, y), [2], initial=True, dtype=np.bool_)
reduce("any", lambda x, y: __import__("tensorflow").logical_or(x, y), [0, 1], initial=False, dtype=np.bool_)
reduce("log_of_sum", log_of_sum, [1, 2], initial=-np.inf, unknown=(0,))
reduce("nothing", added, [], initial=2.0)


def largest_and_place(x, at, y, other):
    """What jnp.argmax computes: the first of the largest."""
    import tensorflow as tf
    takes = tf.logical_or(tf.greater(x, y), tf.not_equal(x, x))
    takes_place = tf.logical_or(takes, tf.logical_and(tf.equal(x, y), tf.less(at, other)))
    return tf.where(takes, x, y), tf.where(takes_place, at, other)


def argmax(tf, raw, x):
    places = tf.broadcast_to(tf.reshape(tf.range(tf.shape(x)[2]), [1, 1, -1]), tf.shape(x))
    types = [tf.float32, tf.int32] * 2
    return raw.XlaVariadicReduceV2(inputs=[x, places], init_values=[-np.inf, 0], dimensions_to_reduce=[2], reducer=function(largest_and_place, *types))


compiled("reduce_argmax", argmax, unknown=(0, 1), x=fed(2, 3, 7))
compiled("reduce_two", lambda tf, raw, x, y: raw.XlaVariadicReduce(input=[x, y], init_value=[0.0, -np.inf], dimensions_to_reduce=[1],
                                                                    reducer=function(lambda a, b, c, d: (a + c, tf.maximum(b, d)), *[tf.float32] * 4)), x=fed(2, 5), y=fed(2, 5))


def windows(name, body, shape, sizes, strides=None, padding=None, base=None, dilation=None, initial=0.0, dtype=np.float32, unknown=(), **more):
    ones = [1] * len(shape)

    def build(tf, raw, x):
        return raw.XlaReduceWindow(input=x, init_value=tf.constant(initial, dtype), window_dimensions=sizes, window_strides=strides or ones, base_dilations=base or ones,
                                   window_dilations=dilation or ones, padding=padding or [[0, 0]] * len(shape), computation=function(body, *[tf.as_dtype(dtype)] * 2))
    compiled(f"windows_{name}", build, unknown, x=fed(*shape, dtype=dtype, **more))


def most(x, y):
    import tensorflow as tf
    return tf.maximum(x, y)


def least(x, y):
    import tensorflow as tf
    return tf.minimum(x, y)


windows("max_pool", most, (2, 5, 6, 3), [1, 2, 2, 1], [1, 2, 2, 1], [[0, 0], [0, 1], [0, 0], [0, 0]], initial=-np.inf, unknown=(0, 1, 2))
windows("max_pool_nchw", most, (2, 3, 5, 6), [1, 1, 3, 3], padding=[[0, 0], [0, 0], [1, 1], [1, 1]], initial=-np.inf)
windows("max_of_channels", most, (2, 3, 5), [1, 3, 1], initial=-np.inf)
windows("min_pool", least, (2, 5, 6, 3), [1, 2, 3, 1], [1, 1, 2, 1], initial=np.inf)
windows("sum_pool", added, (2, 5, 6, 3), [1, 2, 2, 1], [1, 1, 2, 1], [[0, 0], [1, 0], [0, 1], [0, 0]], unknown=(0,))
windows("sum_of_dilated", added, (2, 9), [1, 3], dilation=[1, 2], padding=[[0, 0], [2, 1]])
windows("max_of_dilated", most, (2, 9), [1, 3], dilation=[1, 2], initial=-np.inf)
windows("sum_between", added, (2, 4), [2, 3], base=[1, 2], padding=[[1, 0], [1, 2]])
windows("cumsum", added, (2, 6, 3), [1, 6, 1], padding=[[0, 0], [5, 0], [0, 0]])
windows("cumsum_reverse", added, (6,), [6], padding=[[0, 5]])
windows("cumprod", lambda x, y: x * y, (2, 6), [1, 6], padding=[[0, 0], [5, 0]], initial=1.0)
windows("cummax", most, (3, 40), [1, 40], padding=[[0, 0], [39, 0]], initial=-np.inf)
windows("cumlogsumexp", log_of_sum, (2, 7), [1, 7], padding=[[0, 0], [6, 0]], initial=-np.inf)
windows("log_of_sum", log_of_sum, (2, 11), [1, 5], [1, 2], initial=-np.inf)
windows("max_of_integers", most, (2, 7), [1, 3], [1, 2], initial=-2 ** 31, dtype=np.int32, low=-9, high=9)
windows("sum_from_one", added, (2, 6), [1, 2], [1, 2], initial=1.0)
windows("cropped", most, (2, 7), [1, 2], padding=[[0, 0], [-1, -2]], initial=-np.inf)


def select_and_scatter(name, shape, source, sizes, strides, padding, select="GreaterEqual"):
    def build(tf, raw, x, y):
        return raw.XlaSelectAndScatter(operand=x, window_dimensions=sizes, window_strides=strides, padding=padding, source=y, init_value=0.5,
                                       select=function(lambda a, b: getattr(raw, select)(x=a, y=b)), scatter=function(added))
    compiled(f"select_and_scatter_{name}", build, x=fed(*shape), source=fed(*source))


select_and_scatter("apart", (1, 4, 6, 2), (1, 2, 3, 2), [1, 2, 2, 1], [1, 2, 2, 1], [[0, 0]] * 4)
select_and_scatter("overlapping", (2, 7), (2, 4), [1, 3], [1, 2], [[0, 0], [1, 1]])
select_and_scatter("least", (2, 7), (2, 5), [1, 3], [1, 1], [[0, 0], [0, 0]], "LessEqual")


# Gather and scatter.

def gather(name, shape, indices, sizes, unknown=(), x_unknown=(), index_dtype=np.int32, **axes):
    def build(tf, raw, x, at):
        return raw.XlaGather(operand=x, start_indices=at, slice_sizes=sizes, dimension_numbers=numbers("GatherDimensionNumbers", **axes), indices_are_sorted=False)
    compiled(f"gather_{name}", build, unknown, x=fed(*shape), at=fed(values=np.array(indices).tolist(), dtype=index_dtype))


gather("rows", (5, 3), [[2], [0], [4]], [1, 3], {"at": (0,)}, offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
gather("columns", (3, 5), [[2], [0]], [3, 1], {"x": (0,)}, offset_dims=[0], collapsed_slice_dims=[1], start_index_map=[1], index_vector_dim=1)
gather("without_vectors", (5, 3), [2, 0, 4], [1, 3], offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
gather("moved_inside", (5, 3), [[7], [-2]], [2, 3], offset_dims=[1, 2], start_index_map=[0], index_vector_dim=1)
gather("elements", (4, 5), [[1, 2], [3, 0], [0, 4]], [1, 1], collapsed_slice_dims=[0, 1], start_index_map=[0, 1], index_vector_dim=1, index_dtype=np.int64)
gather("elements_turned", (4, 5, 2), [[2, 1], [4, 3]], [1, 1, 2], offset_dims=[1], collapsed_slice_dims=[0, 1], start_index_map=[1, 0], index_vector_dim=1)
gather("kept_dimensions", (4, 5), [[[1, 2]], [[3, 0]]], [1, 1], offset_dims=[1, 3], start_index_map=[0, 1], index_vector_dim=2)
gather("windows", (6, 7, 2), [[1, 2], [3, 4], [5, 6]], [2, 3, 2], offset_dims=[0, 2, 3], start_index_map=[0, 1], index_vector_dim=1)
gather("window", (6, 7), [3, 1], [2, 4], offset_dims=[0, 1], start_index_map=[0, 1], index_vector_dim=0)
gather("row", (6, 7), [3], [1, 7], offset_dims=[0], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=0)
gather("vectors_first", (5, 4), [[1, 3, 0], [2, 0, 3]], [1, 1], collapsed_slice_dims=[0, 1], start_index_map=[0, 1], index_vector_dim=0)
gather("parts_of_others", (5, 4, 3), [[1], [3]], [1, 2, 3], offset_dims=[1, 2], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
gather("along_axis", (2, 5), [[[3], [0], [1]], [[4], [4], [2]]], [1, 1], operand_batching_dims=[0], start_indices_batching_dims=[0], collapsed_slice_dims=[1], start_index_map=[1], index_vector_dim=2)
gather("along_axis_of_three", (2, 5, 3), [[[3], [0]], [[4], [1]]], [1, 1, 3], offset_dims=[2], operand_batching_dims=[0], start_indices_batching_dims=[0], collapsed_slice_dims=[1], start_index_map=[1], index_vector_dim=2)


def scatter(name, shape, indices, updates, body, unknown=(), dtype=np.float32, index_dtype=np.int32, **axes):
    def build(tf, raw, x, at, new):
        return raw.XlaScatter(operand=x, scatter_indices=at, updates=new, update_computation=function(body, *[tf.as_dtype(dtype)] * 2),
                              dimension_numbers=numbers("ScatterDimensionNumbers", **axes), indices_are_sorted=False)
    more = {} if dtype != np.int32 else {"low": -9, "high": 9}
    compiled(f"scatter_{name}", build, unknown, x=fed(*shape, dtype=dtype, **more), at=fed(values=np.array(indices).tolist(), dtype=index_dtype), new=fed(*updates, dtype=dtype, **more))


def second(x, y):
    return y


rows = dict(update_window_dims=[1], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1)
scatter("rows", (5, 3), [[2], [0]], (2, 3), second, {"x": (0,), "at": (0,), "new": (0,)}, **rows)
scatter("rows_outside", (5, 3), [[2], [5], [-1], [0]], (4, 3), second, **rows)
scatter("sums", (5, 3), [[2], [0], [2], [9]], (4, 3), added, **rows)
scatter("differences", (5, 3), [[2], [0], [2]], (3, 3), lambda x, y: x - y, **rows)
scatter("products", (5, 3), [[2], [0], [2]], (3, 3), lambda x, y: x * y, **rows)
scatter("least", (5, 3), [[2], [0], [2]], (3, 3), least, **rows)
scatter("most_of_integers", (5, 3), [[2], [0], [2]], (3, 3), lambda x, y: most(y, x), dtype=np.int32, **rows)
scatter("any", (5, 3), [[2], [0], [2]], (3, 3), lambda x, y: __import__("tensorflow").logical_or(x, y), dtype=np.bool_, **rows)
scatter("columns", (3, 5), [[2], [0]], (3, 2), added, update_window_dims=[0], inserted_window_dims=[1], scatter_dims_to_operand_dims=[1], index_vector_dim=1)
scatter("elements", (4, 5), [[1, 2], [3, 0], [1, 2], [4, 0]], (4,), added, inserted_window_dims=[0, 1], scatter_dims_to_operand_dims=[0, 1], index_vector_dim=1)
scatter("element", (4, 5), [3, 1], (), second, inserted_window_dims=[0, 1], scatter_dims_to_operand_dims=[0, 1], index_vector_dim=0)
scatter("windows", (6, 7), [[1, 2], [4, 4], [5, 6]], (3, 2, 3), added, update_window_dims=[1, 2], scatter_dims_to_operand_dims=[0, 1], index_vector_dim=1, index_dtype=np.int64)
scatter("window_of_rows", (6, 2), [3], (2, 2), second, update_window_dims=[0, 1], scatter_dims_to_operand_dims=[0], index_vector_dim=0)
scatter("parts_of_others", (5, 4), [[1], [3]], (2, 2), added, update_window_dims=[1], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1)
scatter("along_axis", (2, 5), [[[3], [0], [1]], [[4], [4], [2]]], (2, 3), added, inserted_window_dims=[1], input_batching_dims=[0], scatter_indices_batching_dims=[0],
        scatter_dims_to_operand_dims=[1], index_vector_dim=2)
compiled("scatter_constant_places", lambda tf, raw, x, new: raw.XlaScatter(operand=x, scatter_indices=[[2], [0]], updates=new, update_computation=function(second),
                                                                           dimension_numbers=numbers("ScatterDimensionNumbers", **rows), indices_are_sorted=True), x=fed(5, 3), new=fed(2, 3))


# Order.

compiled("sort", lambda tf, raw, x: raw.XlaSort(input=x), unknown=(0,), x=fed(3, 7))
compiled("key_value_sort", lambda tf, raw, x, y: raw.XlaKeyValueSort(keys=x, values=y), x=fed(9, dtype=np.int32, low=-99, high=99), y=fed(9))


def in_total_order(tf, x):
    """As JAX makes bits of a number, so that they have its order."""
    x = tf.where(tf.equal(x, 0.0), tf.zeros([]), x)
    x = tf.where(tf.not_equal(x, x), tf.constant(np.nan, tf.float32), x)
    bits = tf.bitcast(x, tf.int32)
    sign = tf.bitcast(tf.bitwise.right_shift(bits, 31), tf.uint32)
    return tf.bitwise.bitwise_xor(bits, tf.bitcast(tf.bitwise.right_shift(sign, 1), tf.int32))


compiled("less_in_total_order", lambda tf, raw, x, y: tf.less(in_total_order(tf, x), in_total_order(tf, y)), x=fed(values=[0.5, -2, 0, 0.5, -0.25, 3]), y=fed(6))
compiled("less_of_other_bits", lambda tf, raw, x, y: tf.less(tf.bitwise.bitwise_xor(x, tf.bitwise.right_shift(x, 31)), tf.bitwise.bitwise_xor(y, tf.bitwise.right_shift(y, 31))),
         x=fed(5, dtype=np.int32, low=-9, high=9), y=fed(5, dtype=np.int32, low=-9, high=9))
compiled("equal_in_total_order", lambda tf, raw, x, y: tf.equal(in_total_order(tf, x), in_total_order(tf, y)), x=fed(values=[0.5, -2, 0, -1]), y=fed(values=[0.5, 2, -0.0, -1]))


def sort(name, comparator, inputs, axis=-1, unknown=()):
    def build(tf, raw, *operands):
        types = [operand.dtype for operand in operands for _ in range(2)]
        return raw.XlaVariadicSort(inputs=list(operands), dimension=axis, comparator=function(lambda *elements: comparator(tf, *elements), *types), is_stable=True)
    compiled(f"sort_{name}", build, unknown, **inputs)


sort("ascending", lambda tf, a, b: tf.less(a, b), dict(x=fed(3, 7)), 1, (0, 1))
sort("descending", lambda tf, a, b: tf.greater(a, b), dict(x=fed(3, 7)), 0)
sort("turned", lambda tf, a, b: tf.less(b, a), dict(x=fed(3, 7)), 1)
sort("by_jax", lambda tf, a, b, c, d: tf.less(in_total_order(tf, a), in_total_order(tf, b)), dict(x=fed(values=[[0.5, -2, 0, 0.5, -0.25, 3]]), y=fed(1, 6)), 1)
sort("by_second", lambda tf, a, b, c, d: tf.less(c, d), dict(x=fed(3, 7), y=fed(3, 7, dtype=np.int32, low=-99, high=99)), 1)
sort("by_two", lambda tf, a, b, c, d, e, f: tf.logical_or(tf.less(a, b), tf.logical_and(tf.equal(a, b), tf.greater(c, d))),
     dict(x=fed(3, 9, dtype=np.int32, low=0, high=3), y=fed(3, 9), z=fed(3, 9)), 1)


# What passes its input on, and control flow.

compiled("broadcast_helper", lambda tf, raw, x, y: raw.XlaBroadcastHelper(lhs=x, rhs=y, broadcast_dims=[1]), x=fed(2, 3, 4), y=fed(3))
compiled("sharding", lambda tf, raw, x: raw.XlaSharding(input=x), unknown=(0,), x=fed(2, 3))
compiled("optimization_barrier", lambda tf, raw, x, y: [one * 2 for one in raw.XlaOptimizationBarrier(input=[x, y])], x=fed(2, 3), y=fed(4))
compiled("reduce_precision_to_bf16", lambda tf, raw, x: raw.XlaReducePrecision(operand=x, exponent_bits=8, mantissa_bits=7) - x, x=fed(2, 300, low=-9, high=9))
compiled("reduce_precision", lambda tf, raw, x: raw.XlaReducePrecision(operand=x, exponent_bits=8, mantissa_bits=23), x=fed(2, 3))


def branches(tf, raw, which, x):
    then, other = (tf.function(body, autograph=False).get_concrete_function(tf.TensorSpec([2, 3], tf.float32)) for body in (lambda x: [x * 2], lambda x: [x - 1]))
    return raw.XlaIf(cond=which, inputs=[x], then_branch=then, else_branch=other, Tout=[tf.float32])


def loop(tf, raw, x):
    specs = [tf.TensorSpec([], tf.int32), tf.TensorSpec([2, 3], tf.float32)]
    condition = tf.function(lambda i, x: i < 3, autograph=False).get_concrete_function(*specs)
    body = tf.function(lambda i, x: [i + 1, x * 2 + 1], autograph=False).get_concrete_function(*specs)
    return raw.XlaWhile(input=[0, x], cond=condition, body=body)


compiled("if", branches, same=lambda tf, raw, which, x: tf.cond(which, lambda: x * 2, lambda: x - 1), which=fed(values=True, dtype=np.bool_), x=fed(2, 3))
compiled("while", loop, x=fed(2, 3))
