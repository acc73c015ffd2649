"""Each component of nnet3 alone: (name, inputs, the component)."""
from kaldi.files import Component
from kaldi.networks.build import Network3


def alone(seed, inputs, component):
    net = Network3(seed, inputs)
    return net.output(net.node("layer", "input", component(net))).made()


def update(values, **more):
    return {**dict(LearningRateFactor=0.5, MaxChange=0.75, L2Regularize=0.01), **values, **more}


def convolution(w, offsets, required, filters=(2, 3), heights=(4, 4), subsample=1):
    return Component("TimeHeightConvolutionComponent", MaxChange=0.75, NumFiltersIn=filters[0], NumFiltersOut=filters[1], HeightIn=heights[0], HeightOut=heights[1],
                     HeightSubsampleOut=subsample, Offsets=offsets, RequiredTimeOffsets=required,
                     LinearParams=w.matrix(filters[1], filters[0] * len(offsets)), BiasParams=w.vector(filters[1]))


def square(times, heights=(-1, 0, 1)):
    return [(time, height) for time in times for height in heights]


def attention(heads, key, value, left, right, stride=1, required=None, context=True):
    left_required, right_required = (left, right) if required is None else required
    size = heads * (2 * key + value + left + 1 + right)
    return size, lambda w: Component("RestrictedAttentionComponent", NumHeads=heads, KeyDim=key, ValueDim=value, NumLeftInputs=left, NumRightInputs=right, TimeStride=stride,
                                     NumLeftInputsRequired=left_required, NumRightInputsRequired=right_required, OutputContext=context, KeyScale=key ** -0.5,
                                     StatsCount=7.0, EntropyStats=[0.5] * heads, PosteriorStats=[[0.25] * (left + 1 + right)] * heads)


def lstm(cells, dropout):
    return 5 * cells + (3 if dropout else 0), lambda w: Component(
        "LstmNonlinearityComponent", MaxChange=0.75, Params=w.matrix(3, cells, 0.5), ValueAvg=w.matrix(5, cells), DerivAvg=w.matrix(5, cells),
        SelfRepairConfig=w.positive(10), SelfRepairProb=w.positive(5), Count=9.0, **(dict(UseDropout=True) if dropout else {}))


COMPONENTS = [
    ("sigmoid", 6, lambda w: w.nonlinear("SigmoidComponent", 6)),
    ("tanh", 6, lambda w: w.nonlinear("TanhComponent", 6, SelfRepairLowerThreshold=0.05, SelfRepairUpperThreshold=0.95)),
    ("softmax", 6, lambda w: w.nonlinear("SoftmaxComponent", 6)),
    ("log_softmax", 6, lambda w: Component("LogSoftmaxComponent", Dim=6)),
    ("relu", 6, lambda w: w.relu(6)),
    ("relu_blocks", 6, lambda w: Component("RectifiedLinearComponent", Dim=6, BlockDim=3, ValueAvg=w.positive(3), DerivAvg=w.positive(3), Count=4.0)),
    ("normalize", 6, lambda w: Component("NormalizeComponent", InputDim=6)),
    ("normalize_rms", 6, lambda w: Component("NormalizeComponent", InputDim=6, TargetRms=0.5)),
    ("normalize_blocks", 6, lambda w: Component("NormalizeComponent", InputDim=6, BlockDim=2, TargetRms=2.0)),
    ("normalize_log_stddev", 6, lambda w: Component("NormalizeComponent", InputDim=6, AddLogStddev=True)),
    ("normalize_blocks_log_stddev", 6, lambda w: Component("NormalizeComponent", InputDim=6, BlockDim=3, TargetRms=0.5, AddLogStddev=True)),
    ("batch_norm", 6, lambda w: w.batch_norm(6)),
    ("batch_norm_blocks", 6, lambda w: w.batch_norm(6, 2, rms=0.5)),
    ("batch_norm_trained", 6, lambda w: Component("BatchNormComponent", Dim=6, BlockDim=6, TestMode=False, Epsilon=0.1, StatsMean=w.vector(6), StatsVar=w.positive(6))),
    ("pnorm", 6, lambda w: Component("PnormComponent", InputDim=6, OutputDim=2)),
    ("elementwise_product", 6, lambda w: Component("ElementwiseProductComponent", InputDim=6, OutputDim=3)),
    ("elementwise_product_of_three", 6, lambda w: Component("ElementwiseProductComponent", InputDim=6, OutputDim=2)),
    ("no_op", 6, lambda w: Component("NoOpComponent", Dim=6, BackpropScale=0.5)),
    ("clip_gradient", 6, lambda w: Component("ClipGradientComponent", Dim=6)),
    ("backprop_truncation", 6, lambda w: Component("BackpropTruncationComponent", Dim=6, Scale=0.9)),
    ("affine", 6, lambda w: w.affine(5, 6, "AffineComponent", OrthonormalConstraint=-1.0)),
    ("affine_natural", 6, lambda w: w.affine(5, 6, **update({}))),
    ("linear", 6, lambda w: w.linear(5, 6, OrthonormalConstraint=-1.0, MaxChange=0.75)),
    ("fixed_affine", 6, lambda w: w.affine(5, 6, "FixedAffineComponent")),
    ("fixed_scale", 6, lambda w: Component("FixedScaleComponent", Scales=w.vector(6))),
    ("fixed_bias", 6, lambda w: Component("FixedBiasComponent", Bias=w.vector(6))),
    ("repeated_affine", 6, lambda w: Component("RepeatedAffineComponent", NumRepeats=3, LinearParams=w.matrix(4, 2), BiasParams=w.vector(4))),
    ("repeated_affine_natural", 6, lambda w: Component("NaturalGradientRepeatedAffineComponent", NumRepeats=2, LinearParams=w.matrix(2, 3), BiasParams=w.vector(2))),
    ("block_affine", 6, lambda w: Component("BlockAffineComponent", NumBlocks=3, LinearParams=w.matrix(12, 2), BiasParams=w.vector(12))),
    ("per_element_scale", 6, lambda w: Component("PerElementScaleComponent", Params=w.vector(6))),
    ("per_element_scale_natural", 6, lambda w: Component("NaturalGradientPerElementScaleComponent", Params=w.vector(6))),
    ("per_element_offset", 6, lambda w: Component("PerElementOffsetComponent", Offsets=w.vector(6), Dim=6)),
    ("per_element_offset_tiled", 6, lambda w: Component("PerElementOffsetComponent", Offsets=w.vector(2), Dim=6)),
    ("scale_and_offset", 6, lambda w: Component("ScaleAndOffsetComponent", Dim=6, Scales=w.vector(6), Offsets=w.vector(6))),
    ("scale_and_offset_tiled", 6, lambda w: Component("ScaleAndOffsetComponent", Dim=6, Scales=[1e-6, -1e-6, 0.5], Offsets=w.vector(3))),
    ("sum_group", 6, lambda w: Component("SumGroupComponent", Sizes=[1, 3, 2])),
    ("sum_block", 6, lambda w: Component("SumBlockComponent", InputDim=6, OutputDim=2, Scale=0.5)),
    ("permute", 6, lambda w: Component("PermuteComponent", ColumnMap=[2, 0, 5, 1, 4, 3])),
    ("constant_function", 6, lambda w: Component("ConstantFunctionComponent", InputDim=6, Output=w.vector(4))),
    ("dropout", 6, lambda w: Component("DropoutComponent", Dim=6, DropoutProportion=0.0)),
    ("dropout_general", 6, lambda w: Component("GeneralDropoutComponent", Dim=6, BlockDim=6, DropoutProportion=0.1, Continuous=None)),
    ("dropout_general_in_test", 6, lambda w: Component("GeneralDropoutComponent", Dim=6, BlockDim=3, TimePeriod=2, DropoutProportion=0.1, TestMode=None)),
    ("spec_augment", 6, lambda w: Component("GeneralDropoutComponent", Dim=6, BlockDim=6, SpecAugmentMaxProportion=0.5, SpecAugmentMaxRegions=2)),
    ("spec_augment_time_mask", 6, lambda w: Component("SpecAugmentTimeMaskComponent", Dim=6)),
    ("convolution", 12, lambda w: Component("ConvolutionComponent", InputXDim=2, InputYDim=3, InputZDim=2, FiltXDim=1, FiltYDim=2, FiltXStep=1, FiltYStep=1, InputVectorization=1,
                                            FilterParams=w.matrix(3, 4), BiasParams=w.vector(3))),
    ("convolution_steps_yzx", 40, lambda w: Component("ConvolutionComponent", InputXDim=4, InputYDim=5, InputZDim=2, FiltXDim=2, FiltYDim=3, FiltXStep=2, FiltYStep=2, InputVectorization=0,
                                                      FilterParams=w.matrix(3, 12), BiasParams=w.vector(3))),
    ("max_pooling", 24, lambda w: Component("MaxpoolingComponent", InputXDim=2, InputYDim=4, InputZDim=3, PoolXSize=1, PoolYSize=2, PoolZSize=1, PoolXStep=1, PoolYStep=2, PoolZStep=1)),
    ("max_pooling_over_all", 60, lambda w: Component("MaxpoolingComponent", InputXDim=3, InputYDim=5, InputZDim=4, PoolXSize=2, PoolYSize=3, PoolZSize=2, PoolXStep=1, PoolYStep=2, PoolZStep=2)),
    ("tdnn", 6, lambda w: w.tdnn(5, 6, [-1, 0, 1], MaxChange=0.75, L2Regularize=0.01)),
    ("tdnn_gaps", 4, lambda w: w.tdnn(5, 4, [-3, 0, 3])),
    ("tdnn_past", 4, lambda w: w.tdnn(5, 4, [-1, 0], bias=False, OrthonormalConstraint=-1.0)),
    ("tdnn_future", 4, lambda w: w.tdnn(5, 4, [0, 1])),
    ("tdnn_one_frame", 4, lambda w: w.tdnn(5, 4, [0])),
    ("time_height_convolution", 8, lambda w: convolution(w, square((-1, 0, 1)), [-1, 0, 1])),
    ("time_height_convolution_subsampled", 16, lambda w: convolution(w, square((-1, 0, 1)), [-1, 0, 1], (2, 3), (8, 4), 2)),
    ("time_height_convolution_optional", 8, lambda w: convolution(w, square((-1, 0, 1)), [0])),
    ("time_height_convolution_strided", 8, lambda w: convolution(w, square((-3, 0, 3), (0, 1)), [-3, 0, 3], (2, 2), (4, 3))),
    ("time_height_convolution_irregular", 8, lambda w: convolution(w, [(-1, 0), (0, -1), (0, 0), (0, 2)], [-1, 0])),
    ("time_height_convolution_one_frame", 8, lambda w: convolution(w, [(0, -1), (0, 0), (0, 1)], [0], (2, 1))),
    ("attention", *attention(1, 3, 2, 2, 1)),
    ("attention_heads", *attention(2, 2, 3, 1, 1)),
    ("attention_stride", *attention(2, 2, 2, 2, 1, stride=3)),
    ("attention_optional", *attention(1, 2, 2, 3, 1, required=(1, 0))),
    ("attention_without_context", *attention(2, 3, 2, 2, 2, context=False)),
    ("lstm_nonlinearity", *lstm(3, False)),
    ("lstm_nonlinearity_dropout", *lstm(2, True)),
    ("gru_nonlinearity", 16, lambda w: Component("GruNonlinearityComponent", CellDim=4, RecurrentDim=4, w_h=w.matrix(4, 4))),
    ("gru_nonlinearity_projected", 16, lambda w: Component("GruNonlinearityComponent", CellDim=4, RecurrentDim=2, w_h=w.matrix(4, 2))),
    ("output_gru_nonlinearity", 12, lambda w: Component("OutputGruNonlinearityComponent", CellDim=4, w_h=w.vector(4))),
    ("composite", 6, lambda w: Component("CompositeComponent", [w.affine(8, 6, "AffineComponent"), w.relu(8), Component("NormalizeComponent", InputDim=8), Component("PnormComponent", InputDim=8, OutputDim=4)])),
]

NETWORKS = {f"nnet3/{name}": (lambda seed, inputs=inputs, component=component: alone(seed, inputs, component)) for name, inputs, component in COMPONENTS}


def without_input(component):
    """Added to the input: by itself it is no function of it."""
    def make(seed):
        net = Network3(seed)
        net.node("mask", "mask" if component(net).type == "DropoutMaskComponent" else "input", component(net))
        net.node("product", "Append(mask, input)", Component("ElementwiseProductComponent", InputDim=12, OutputDim=6))
        return net.output("product").made()
    return make


NETWORKS |= {
    "nnet3/constant": without_input(lambda w: Component("ConstantComponent", Output=w.vector(6))),
    "nnet3/dropout_mask": without_input(lambda w: Component("DropoutMaskComponent", OutputDim=6, DropoutProportion=0.2, TestMode=True)),
    "nnet3/dropout_mask_continuous": without_input(lambda w: Component("DropoutMaskComponent", OutputDim=6, DropoutProportion=0.2, TestMode=True, Continuous=None)),
    "nnet3/dropout_mask_none": without_input(lambda w: Component("DropoutMaskComponent", OutputDim=6)),
}


def statistics(pool, extraction=(1, 1), deviations=True, counts=0, round_to=None):
    """As the layer of the recipes: `pool` is left, right. The result is read at multiples of the output period."""
    def make(seed):
        net = Network3(seed, 4)
        size = 1 + 4 * (2 if deviations else 1)
        net.node("extraction", "input", Component("StatisticsExtractionComponent", InputDim=4, InputPeriod=extraction[0], OutputPeriod=extraction[1], IncludeVarinance=deviations))
        net.node("pooling", "extraction", Component("StatisticsPoolingComponent", InputDim=size, InputPeriod=extraction[1], LeftContext=pool[0], RightContext=pool[1],
                                                    NumLogCountFeatures=counts, OutputStddevs=deviations, VarianceFloor=1e-3))
        period = round_to or extraction[1]
        net.node("affine", f"Round(pooling, {period})" if round_to is not False else "pooling", net.affine(5, size - 1 + counts))
        return net.output("affine").made()
    return make


NETWORKS |= {
    "nnet3/statistics": statistics((4, 0), round_to=False),
    "nnet3/statistics_both_sides": statistics((3, 3), counts=1),
    "nnet3/statistics_periods": statistics((9, 0), (1, 3)),
    "nnet3/statistics_periods_both_sides": statistics((9, 9), (1, 3), counts=2),
    "nnet3/statistics_input_period": statistics((8, 4), (2, 4)),
    "nnet3/statistics_means": statistics((5, 2), deviations=False),
}


def extraction_alone(period):
    def make(seed):
        net = Network3(seed, 3)
        net.node("extraction", "input", Component("StatisticsExtractionComponent", InputDim=3, InputPeriod=1, OutputPeriod=period))
        return net.output("extraction").made()
    return make


NETWORKS |= {"nnet3/statistics_extraction": extraction_alone(1), "nnet3/statistics_extraction_period": extraction_alone(4)}
