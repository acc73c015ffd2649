"""Networks of nnet1 and nnet2: each component, and what people trained with them."""
from kaldi.files import Component
from kaldi.networks.build import Weights, chain1, chain2


def affine1(w, outputs, inputs):
    return Component("AffineTransform", outputs=outputs, W=w.matrix(outputs, inputs), b=w.vector(outputs))


def lstm1(w, projected, cells, inputs, type="LstmProjected", **more):
    return Component(type, outputs=projected, CellDim=cells, w_gifo_x=w.matrix(4 * cells, inputs), w_gifo_r=w.matrix(4 * cells, projected), b=w.vector(4 * cells),
                     peephole_i=w.vector(cells), peephole_f=w.vector(cells), peephole_o=w.vector(cells), w_r_m=w.matrix(projected, cells), **more)


def splice1(inputs, offsets):
    return Component("Splice", outputs=inputs * len(offsets), offsets=offsets)


def same1(type, dim, **more):
    return Component(type, outputs=dim, **more)


COMPONENTS1 = [
    ("affine", 6, lambda w: affine1(w, 5, 6)),
    ("linear", 6, lambda w: Component("LinearTransform", outputs=5, W=w.matrix(5, 6))),
    ("sigmoid", 6, lambda w: same1("Sigmoid", 6)),
    ("tanh", 6, lambda w: same1("Tanh", 6)),
    ("softmax", 6, lambda w: same1("Softmax", 6)),
    ("block_softmax", 6, lambda w: same1("BlockSoftmax", 6, block_dims=[4, 2])),
    ("recurrent", 6, lambda w: Component("RecurrentComponent", outputs=5, w_forward=w.matrix(5, 6), w_recurrent=w.matrix(5, 5), b=w.vector(5))),
    ("add_shift", 6, lambda w: same1("AddShift", 6, v=w.vector(6))),
    ("rescale", 6, lambda w: same1("Rescale", 6, v=w.vector(6))),
    ("splice", 4, lambda w: splice1(4, [-1, 0, 1])),
    ("splice_gaps", 4, lambda w: splice1(4, [-4, -1, 0, 2])),
    ("splice_unordered", 4, lambda w: splice1(4, [1, 0, -2])),
    ("copy", 6, lambda w: Component("Copy", outputs=8, **{"from": [3, 1, 2, 2, 6, 5, 4, 1]})),
    ("convolutional", 12, lambda w: Component("ConvolutionalComponent", outputs=9, PatchDim=2, PatchStep=2, PatchStride=6, Filters=w.matrix(3, 4), Bias=w.vector(3))),
    ("max_pooling", 24, lambda w: Component("MaxPoolingComponent", outputs=12, PoolSize=2, PoolStep=2, PoolStride=4)),
    ("max_pooling_overlapping", 20, lambda w: Component("MaxPoolingComponent", outputs=12, PoolSize=3, PoolStep=1, PoolStride=4)),
    ("lstm_projected", 6, lambda w: lstm1(w, 4, 5, 6)),
    ("lstm_projected_clipped", 6, lambda w: lstm1(w, 4, 5, 6, CellClip=0.3)),
    ("lstm_projected_unclipped", 6, lambda w: lstm1(w, 4, 5, 6, CellClip=0.0)),
    ("lstm_projected_streams", 6, lambda w: lstm1(w, 3, 6, 6, "LstmProjectedStreams", CellClip=50.0)),
]


def dnn1(seed, last="Softmax"):
    """The front of the recipes (frames, shift, scale), then layers of sigmoids."""
    w = Weights(seed)
    layers = [splice1(4, [-2, -1, 0, 1, 2]), same1("AddShift", 20, v=w.vector(20)), same1("Rescale", 20, v=w.vector(20, 0.1, 1.0))]
    inputs = 20
    for _ in range(2):
        layers += [affine1(w, 8, inputs), same1("Sigmoid", 8)]
        inputs = 8
    layers.append(affine1(w, 6, 8))
    if last:
        layers.append(same1(last, 6))
    return chain1(seed, 4, *layers)


def cnn1(seed):
    w = Weights(seed)
    return chain1(seed, 6, splice1(6, [-1, 0, 1]),
                  Component("ConvolutionalComponent", outputs=20, PatchDim=2, PatchStep=1, PatchStride=6, Filters=w.matrix(4, 6), Bias=w.vector(4)),
                  Component("MaxPoolingComponent", outputs=16, PoolSize=2, PoolStep=1, PoolStride=4), affine1(w, 6, 16), same1("Tanh", 6), affine1(w, 5, 6))


def lstm_layers1(seed):
    w = Weights(seed)
    return chain1(seed, 5, lstm1(w, 4, 6, 5), lstm1(w, 3, 5, 4), affine1(w, 6, 3), same1("Softmax", 6))


def spliced_lstm1(seed):
    """States start at the first frame that is whole."""
    w = Weights(seed)
    return chain1(seed, 4, splice1(4, [-1, 0, 1]), lstm1(w, 4, 5, 12), affine1(w, 6, 4))


def parallel1(seed):
    w = Weights(seed)
    parts = [chain1(seed, 4, affine1(w, 3, 4), same1("Sigmoid", 3)), chain1(seed, 2, affine1(w, 4, 2), same1("Tanh", 4), affine1(w, 2, 4))]
    return chain1(seed, 6, same1("AddShift", 6, v=w.vector(6)), Component("ParallelComponent", parts, outputs=5), affine1(w, 4, 5), same1("Softmax", 4))


def parallel_deep1(seed):
    """One in another."""
    w = Weights(seed)
    inner = Component("ParallelComponent", [chain1(seed, 2, affine1(w, 2, 2)), chain1(seed, 2, same1("Tanh", 2))], outputs=4)
    return chain1(seed, 6, Component("ParallelComponent", [chain1(seed, 4, inner, same1("Sigmoid", 4)), chain1(seed, 2, affine1(w, 3, 2))], outputs=7), affine1(w, 5, 7))


NETWORKS = {f"nnet1/{name}": (lambda seed, inputs=inputs, make=make: chain1(seed, inputs, make(Weights(seed)))) for name, inputs, make in COMPONENTS1}
NETWORKS |= {"nnet1/network_dnn": dnn1, "nnet1/network_dnn_without_softmax": lambda seed: dnn1(seed, None), "nnet1/network_cnn": cnn1, "nnet1/network_lstm": lstm_layers1,
             "nnet1/network_spliced_lstm": spliced_lstm1, "nnet1/network_parallel": parallel1, "nnet1/network_parallel_deep": parallel_deep1}


def nonlinear2(w, type, dim):
    return Component(type, Dim=dim, ValueSum=w.vector(dim), DerivSum=w.vector(dim), Count=100.0)


def affine2(w, outputs, inputs, type="AffineComponentPreconditionedOnline"):
    return Component(type, LinearParams=w.matrix(outputs, inputs), BiasParams=w.vector(outputs))


def splice2(inputs, context, constant=0):
    return Component("SpliceComponent", InputDim=inputs, Context=context, ConstComponentDim=constant)


# Those that name their input size; others stand behind one that does.
COMPONENTS2 = [
    ("affine", 6, lambda w: affine2(w, 5, 6, "AffineComponent")),
    ("affine_preconditioned", 6, lambda w: affine2(w, 5, 6, "AffineComponentPreconditioned")),
    ("affine_online", 6, lambda w: affine2(w, 5, 6)),
    ("sigmoid", 6, lambda w: nonlinear2(w, "SigmoidComponent", 6)),
    ("tanh", 6, lambda w: nonlinear2(w, "TanhComponent", 6)),
    ("softmax", 6, lambda w: nonlinear2(w, "SoftmaxComponent", 6)),
    ("log_softmax", 6, lambda w: nonlinear2(w, "LogSoftmaxComponent", 6)),
    ("relu", 6, lambda w: nonlinear2(w, "RectifiedLinearComponent", 6)),
    ("normalize", 6, lambda w: nonlinear2(w, "NormalizeComponent", 6)),
    ("pnorm", 6, lambda w: Component("PnormComponent", InputDim=6, OutputDim=3)),
    ("pnorm_cubes", 6, lambda w: Component("PnormComponent", InputDim=6, OutputDim=2, P=3.0)),
    ("pnorm_sums", 6, lambda w: Component("PnormComponent", InputDim=6, OutputDim=2, P=1.0)),
    ("sum_group", 6, lambda w: Component("SumGroupComponent", Sizes=[2, 1, 3])),
    ("fixed_affine", 6, lambda w: affine2(w, 6, 6, "FixedAffineComponent")),
    ("fixed_scale", 6, lambda w: Component("FixedScaleComponent", Scales=w.vector(6))),
    ("fixed_bias", 6, lambda w: Component("FixedBiasComponent", Bias=w.vector(6))),
    ("convolutional1d", 12, lambda w: Component("Convolutional1dComponent", PatchDim=2, PatchStep=2, PatchStride=6, FilterParams=w.matrix(3, 4), BiasParams=w.vector(3))),
    ("convolutional1d_appended", 12, lambda w: Component("Convolutional1dComponent", PatchDim=3, PatchStep=1, PatchStride=6, AppendedConv=True, FilterParams=w.matrix(3, 6), BiasParams=w.vector(3))),
    ("max_pooling", 24, lambda w: Component("MaxpoolingComponent", InputDim=24, OutputDim=12, PoolSize=2, PoolStride=4)),
    ("permute", 6, lambda w: Component("PermuteComponent", Reorder=[2, 0, 5, 1, 4, 3])),
    ("block_affine", 6, lambda w: Component("BlockAffineComponent", NumBlocks=2, LinearParams=w.matrix(8, 3), BiasParams=w.vector(8))),
    ("maxout", 6, lambda w: Component("MaxoutComponent", InputDim=6, OutputDim=2)),
    ("scale", 6, lambda w: Component("ScaleComponent", Dim=6, Scale=0.3)),
    ("power", 6, lambda w: Component("PowerComponent", InputDim=6, OutputDim=6, Power=2.0)),
    ("soft_hinge", 6, lambda w: nonlinear2(w, "SoftHingeComponent", 6)),
    ("fixed_linear", 6, lambda w: Component("FixedLinearComponent", CuMatrix=w.matrix(4, 6))),
    ("splice", 4, lambda w: splice2(4, [-1, 0, 1])),
    ("splice_gaps", 4, lambda w: splice2(4, [-5, -1, 0, 3])),
    ("splice_constant", 6, lambda w: splice2(6, [-2, 0, 2], 2)),
    ("splice_max", 4, lambda w: Component("SpliceMaxComponent", Dim=4, Context=[-2, 0, 1])),
    ("dct", 6, lambda w: Component("DctComponent", Dim=6, DctDim=3, Reorder=False, DctKeepDim=2)),
    ("dct_reordered", 6, lambda w: Component("DctComponent", Dim=6, DctDim=3, Reorder=True, DctKeepDim=3)),
]


def alone2(seed, inputs, make):
    return chain2(splice2(inputs, [0]), make(Weights(seed)))


def pnorm_network2(seed):
    """Frames spliced twice, p-norms, and pdfs that share weights."""
    w = Weights(seed)
    layers = [splice2(4, [-2, -1, 0, 1]), affine2(w, 16, 16, "FixedAffineComponent"), affine2(w, 12, 16), Component("PnormComponent", InputDim=12, OutputDim=4), nonlinear2(w, "NormalizeComponent", 4),
              splice2(4, [-2, 1]), affine2(w, 12, 8), Component("PnormComponent", InputDim=12, OutputDim=4), nonlinear2(w, "NormalizeComponent", 4), affine2(w, 8, 4),
              nonlinear2(w, "SoftmaxComponent", 8), Component("SumGroupComponent", Sizes=[2, 1, 1, 3, 1])]
    return chain2(*layers, transition="triples", priors=w.positive(5))


def tanh_network2(seed):
    """With the i-vector of the frame, which is not spliced."""
    w = Weights(seed)
    layers = [splice2(6, [-3, -1, 0, 2], 2), affine2(w, 10, 18, "FixedAffineComponent"), affine2(w, 8, 10, "AffineComponentPreconditioned"), nonlinear2(w, "TanhComponent", 8),
              affine2(w, 6, 8, "AffineComponent"), nonlinear2(w, "SoftmaxComponent", 6)]
    return chain2(*layers, transition="tuples", priors=w.positive(6))


NETWORKS |= {f"nnet2/{name}": (lambda seed, inputs=inputs, make=make: alone2(seed, inputs, make)) for name, inputs, make in COMPONENTS2 if not name.startswith("splice")}
NETWORKS |= {f"nnet2/{name}": (lambda seed, make=make: chain2(make(Weights(seed)))) for name, inputs, make in COMPONENTS2 if name.startswith("splice")}
NETWORKS |= {"nnet2/network_pnorm": pnorm_network2, "nnet2/network_tanh": tanh_network2}
