"""Shapes: changing them, asking for them, joining and splitting along an axis, padding."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

case("Reshape", tensor=fed(2, 3, 4), shape=[4, 6])
case("Reshape", "minus_one", unknown=(0,), tensor=fed(2, 3, 4), shape=[-1, 12])
case("Reshape", "image", tensor=fed(1, 2, 3, 4), shape=[1, 24])
case("Reshape", "to_image", tensor=fed(2, 24), shape=np.array([2, 2, 3, 4], np.int64))
case("Reshape", "scalar", tensor=fed(1, 1), shape=np.array([], np.int32))
case("Squeeze", input=fed(1, 3, 1, 4))
case("Squeeze", "axes", unknown=(0,), input=fed(2, 1, 1, 4), axis=[1, -2])
case("ExpandDims", unknown=(0,), input=fed(2, 3), axis=1)
case("ExpandDims", "last", input=fed(2, 3), axis=-1)
case("Transpose", unknown=(0, 1), x=fed(2, 3, 4), perm=[2, 0, 1])
case("Transpose", "image", x=fed(1, 3, 4, 2), perm=[0, 3, 1, 2])
case("Shape", unknown=(0,), input=fed(2, 3, 4))
case("Shape", "int64", unknown=(0, 1), input=fed(2, 3, 4, 5), out_type=np.int64)
case("ShapeN", unknown=(0,), input=[fed(2, 3), fed(4)])
case("Size", unknown=(0,), input=fed(2, 3, 4))
case("Rank", unknown=(0,), input=fed(2, 3, 4))
case("Fill", dims=fed(values=[2, 3], dtype=np.int32), value=1.5)
case("Fill", "constant", dims=[2, 3], value=fed())
case("ZerosLike", unknown=(0,), x=fed(2, 3))
case("OnesLike", unknown=(0,), x=fed(2, 3, dtype=np.int32, low=-9, high=9))
case("Pack", values=[fed(2, 3), fed(2, 3)])
case("Pack", "axis", values=[fed(2, 3), fed(2, 3), fed(2, 3)], axis=-1)
case("Pack", "scalars", values=[fed(dtype=np.int32, low=0, high=9), fed(dtype=np.int32, low=0, high=9)])
case("Unpack", value=fed(3, 4), num=3)
case("Unpack", "axis", unknown=(0,), value=fed(3, 2, 4), num=2, axis=1)
case("ConcatV2", unknown={"values0": (0,), "values1": (0,)}, values=[fed(2, 3), fed(2, 4)], axis=1)
case("ConcatV2", "image", values=[fed(1, 3, 3, 2), fed(1, 3, 3, 5)], axis=-1)
case("ConcatV2", "constant", values=[fed(2, 3, dtype=np.int32, low=0, high=9), fixed(1, 3, dtype=np.int32, low=0, high=9)], axis=0)
case("Concat", concat_dim=1, values=[fed(2, 3), fed(2, 4)])
case("ParallelConcat", values=[fed(1, 3), fed(1, 3), fed(1, 3)], shape=[3, 3])
case("ConcatOffset", concat_dim=1, shape=[fed(values=[2, 3, 4], dtype=np.int32), fed(values=[2, 5, 4], dtype=np.int32), fed(values=[2, 1, 4], dtype=np.int32)])
case("ConcatOffset", "last", concat_dim=-1, shape=[fed(values=[2, 4], dtype=np.int32), fixed(values=[2, 1], dtype=np.int32)])
case("DataFormatDimMap", x=fed(values=[0, 1, 2, 3, -1, -3], dtype=np.int32))
case("DataFormatDimMap", "scalar", x=fed(values=1, dtype=np.int32), src_format="NCHW", dst_format="NHWC")
case("DataFormatVecPermute", x=fed(values=[7, 8, 9, 10], dtype=np.int32))
case("DataFormatVecPermute", "pairs", unknown=(0,), x=fed(values=[[7, 0], [8, 1], [9, 2], [10, 3]], dtype=np.int32), src_format="NCHW", dst_format="NHWC")
case("DataFormatVecPermute", "spatial", unknown=(0,), x=fed(values=[8, 9], dtype=np.int64))
case("DataFormatVecPermute", "reversed", x=fed(values=[8, 9], dtype=np.int32), src_format="NHWC", dst_format="WHNC")
case("Split", unknown=(0,), axis=1, value=fed(2, 6), num_split=3)
case("Split", "image", axis=3, value=fed(1, 2, 2, 6), num_split=2)
case("SplitV", unknown=(0,), value=fed(2, 6), size_splits=[1, 3, 2], axis=1, num_split=3)
case("SplitV", "rest", value=fed(2, 6), size_splits=[1, -1], axis=-1, num_split=2)
case("Tile", unknown=(0,), input=fed(2, 3), multiples=[2, 3])
case("Tile", "image", input=fed(1, 2, 2, 3), multiples=[1, 2, 1, 1])
case("Pad", unknown=(0, 1), input=fed(2, 3), paddings=[[1, 0], [2, 3]])
case("Pad", "image", unknown=(0, 1, 2), input=fed(1, 3, 3, 2), paddings=[[0, 0], [1, 2], [0, 1], [0, 0]])
case("PadV2", input=fed(2, 3), paddings=np.array([[1, 0], [2, 3]], np.int64), constant_values=1.5)
case("PadV2", "int32", input=fed(2, 3, dtype=np.int32, low=0, high=9), paddings=[[1, 0], [0, 2]], constant_values=-7)
case("MirrorPad", "reflect", unknown=(0,), input=fed(3, 4), paddings=[[1, 2], [0, 3]], mode="REFLECT")
case("MirrorPad", "symmetric", input=fed(3, 4), paddings=[[1, 2], [0, 3]], mode="SYMMETRIC")
case("BroadcastTo", unknown=(0,), input=fed(2, 1), shape=[3, 2, 4])
case("EnsureShape", input=fed(2, 3), shape=[2, 3])
case("SpaceToDepth", unknown=(0, 1, 2), input=fed(1, 4, 6, 3), block_size=2)
case("SpaceToDepth", "nchw", input=fed(1, 3, 4, 6), block_size=2, data_format="NCHW")
case("DepthToSpace", unknown=(0, 1, 2), input=fed(1, 2, 3, 12), block_size=2)
case("DepthToSpace", "nchw", input=fed(1, 12, 2, 3), block_size=2, data_format="NCHW")
case("SpaceToBatchND", unknown=(0,), input=fed(1, 4, 5, 3), block_shape=[2, 2], paddings=[[0, 0], [1, 0]])
case("BatchToSpaceND", unknown=(0,), input=fed(4, 2, 3, 3), block_shape=[2, 2], crops=[[0, 0], [1, 0]])
case("SpaceToBatch", input=fed(1, 4, 4, 3), paddings=[[0, 0], [0, 0]], block_size=2)
case("BatchToSpace", input=fed(4, 2, 2, 3), crops=[[0, 0], [0, 0]], block_size=2)
case("ExtractImagePatches", images=fed(1, 6, 6, 2), ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1, 1, 1, 1], padding="VALID")
case("ExtractImagePatches", "same_rates", images=fed(1, 6, 6, 2), ksizes=[1, 3, 3, 1], strides=[1, 1, 1, 1], rates=[1, 2, 2, 1], padding="SAME")
case("ExtractVolumePatches", unknown=(0,), input=fed(2, 4, 5, 6, 2), ksizes=[1, 2, 3, 2, 1], strides=[1, 1, 2, 3, 1], padding="VALID")
case("ExtractVolumePatches", "same", input=fed(2, 4, 5, 6, 2), ksizes=[1, 2, 3, 2, 1], strides=[1, 1, 2, 3, 1], padding="SAME")


@family.graph("batch_from_shape", unknown=(0, 1))
def batch_from_shape(building):
    """What Keras writes for Reshape: the sizes come from Shape, StridedSlice, Pack."""
    import tensorflow as tf
    x = building.fed("x", fed(2, 3, 4))
    shape = tf.raw_ops.Shape(input=x)
    batch = tf.raw_ops.StridedSlice(input=shape, begin=[0], end=[1], strides=[1], shrink_axis_mask=1)
    return [tf.raw_ops.Reshape(tensor=x, shape=tf.raw_ops.Pack(values=[batch, -1]), name="result")]


@family.graph("PlaceholderV2", unknown=(0,))
def old_placeholder(building):
    import tensorflow as tf
    x = building.fed("x", fed(2, 3))
    building.renamed["x"] = "PlaceholderV2"
    return [tf.raw_ops.Neg(x=x, name="result")]
