"""Normalizations."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

for kind in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
    case(kind, unknown=(0, 1, 2), take=[0], x=fed(2, 3, 3, 4), scale=fixed(4, low=0.5, high=1.5), offset=fixed(4), mean=fixed(4), variance=fixed(4, low=0.5, high=1.5), is_training=False)
case("FusedBatchNormV3", "epsilon", take=[0], x=fed(2, 3, 3, 4), scale=fixed(4, low=0.5, high=1.5), offset=fixed(4), mean=fixed(4), variance=fixed(4, low=0.01, high=0.1), epsilon=0.01,
     is_training=False)
case("FusedBatchNormV3", "nchw", take=[0], x=fed(2, 4, 3, 3), scale=fixed(4, low=0.5, high=1.5), offset=fixed(4), mean=fixed(4), variance=fixed(4, low=0.5, high=1.5), is_training=False,
     data_format="NCHW")
case("FusedBatchNormV3", "training", take=[0], x=fed(2, 3, 3, 4), scale=fixed(4, low=0.5, high=1.5), offset=fixed(4), mean=np.zeros(0, np.float32), variance=np.zeros(0, np.float32),
     is_training=True)
case("LRN", unknown=(0, 1, 2), input=fed(1, 4, 4, 12))
case("LRN", "attributes", input=fed(1, 4, 4, 12), depth_radius=2, bias=2.0, alpha=0.3, beta=0.75)


def raw():
    import tensorflow as tf
    return tf.raw_ops


@family.graph("l2", unknown=(0,))
def l2(building):
    x = building.fed("x", fed(2, 3, 4))
    squares = raw().Sum(input=raw().Square(x=x), axis=[-1], keep_dims=True)
    return [raw().Mul(x=x, y=raw().Rsqrt(x=raw().Maximum(x=squares, y=1e-6)), name="result")]


@family.graph("layer", unknown=(0, 1))
def layer(building):
    x = building.fed("x", fed(2, 3, 8))
    mean = raw().Mean(input=x, axis=[2], keep_dims=True)
    variance = raw().Mean(input=raw().SquaredDifference(x=x, y=mean), axis=[2], keep_dims=True)
    scale = raw().Mul(x=raw().Rsqrt(x=raw().AddV2(x=variance, y=1e-3)), y=building.fixed(fixed(8, low=0.5, high=1.5), "gamma"))
    return [raw().AddV2(x=raw().Mul(x=x, y=scale), y=raw().Sub(x=building.fixed(fixed(8), "beta"), y=raw().Mul(x=mean, y=scale)), name="result")]


def normalized(t, m, v, beta, gamma):
    return raw().AddV2(x=raw().Mul(x=raw().Mul(x=raw().Sub(x=t, y=m), y=raw().Rsqrt(x=raw().AddV2(x=v, y=0.01))), y=gamma), y=beta)


def not_scaled(t, m, v, beta, gamma):
    return normalized(t, m, v, beta, 1.0)


for variant, now in (("", normalized), ("not_scaled", not_scaled)):
    family.old("BatchNormWithGlobalNormalization", variant, now, {"T": {"type": 1}, "variance_epsilon": {"f": 0.01}, "scale_after_normalization": {"b": not variant}},
               t=fed(2, 3, 4, 5), m=fixed(5), v=fixed(5, low=0.5, high=1.5), beta=fixed(5), gamma=fixed(5))


def statistics(name, unknown=(), **options):
    @family.graph("training_statistics" + name, unknown=unknown)
    def build(building):
        import tensorflow as tf
        whole = options.get("exponential_avg_factor", 1) == 1
        old = np.zeros(0, np.float32) if whole else np.float32([0.5, -1, 2, 0.25])
        y, mean, variance = raw().FusedBatchNormV3(x=building.fed("x", fed(2, 3, 3, 4)), scale=np.float32([1, 2, 0.5, 1]), offset=np.zeros(4, np.float32), mean=old, variance=np.abs(old), is_training=True, **options)[:3]
        return [tf.identity(y, "result_y"), tf.identity(mean, "result_mean"), tf.identity(variance, "result_variance")]


statistics("", unknown=(0, 1))
statistics("_over_time", exponential_avg_factor=0.75)
