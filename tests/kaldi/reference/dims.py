"""How many values a component of nnet3 gives."""

SAME = "Sigmoid Tanh Softmax LogSoftmax RectifiedLinear BatchNorm Dropout GeneralDropout SpecAugmentTimeMask NoOp ClipGradient BackpropTruncation PerElementOffset ScaleAndOffset"


def attention(c):
    context = c["NumLeftInputs"] + 1 + c["NumRightInputs"]
    return c["NumHeads"] * (c["ValueDim"] + (context if c.get("OutputContext", True) else 0))


def convolution(c):
    steps = [(c[f"Input{axis}Dim"] - c[f"Filt{axis}Dim"]) // c[f"Filt{axis}Step"] + 1 for axis in "XY"]
    return steps[0] * steps[1] * c["FilterParams"].shape[0]


def max_pooling(c):
    product = 1
    for axis in "XYZ":
        product *= (c[f"Input{axis}Dim"] - c[f"Pool{axis}Size"]) // c[f"Pool{axis}Step"] + 1
    return product


DIMS = {
    **{f"{name}Component": lambda c: c["Dim"] for name in SAME.split()},
    **{f"{name}Component": lambda c: c["OutputDim"] for name in "Pnorm ElementwiseProduct SumBlock DropoutMask Distribute".split()},
    **{f"{name}Component": lambda c: c["LinearParams"].shape[0] for name in "Affine NaturalGradientAffine FixedAffine BlockAffine Tdnn".split()},
    **{f"{name}Component": lambda c: c["LinearParams"].shape[0] * c["NumRepeats"] for name in ("RepeatedAffine", "NaturalGradientRepeatedAffine")},
    **{f"{name}Component": lambda c: len(c["Output"]) for name in ("Constant", "ConstantFunction")},
    **{f"{name}Component": lambda c: len(c["Params"]) for name in ("PerElementScale", "NaturalGradientPerElementScale")},
    **{f"{name}Component": lambda c: 2 * c["CellDim"] for name in ("GruNonlinearity", "OutputGruNonlinearity")},
    "NormalizeComponent": lambda c: c["InputDim"] + (c["InputDim"] // c.get("BlockDim", c["InputDim"]) if c.get("AddLogStddev") else 0),
    "LinearComponent": lambda c: c["Params"].shape[0],
    "FixedScaleComponent": lambda c: len(c["Scales"]),
    "FixedBiasComponent": lambda c: len(c["Bias"]),
    "SumGroupComponent": lambda c: len(c["Sizes"]),
    "PermuteComponent": lambda c: len(c["ColumnMap"]),
    "ConvolutionComponent": convolution,
    "MaxpoolingComponent": max_pooling,
    "TimeHeightConvolutionComponent": lambda c: c["HeightOut"] * c["NumFiltersOut"],
    "RestrictedAttentionComponent": attention,
    "LstmNonlinearityComponent": lambda c: 2 * c["Params"].shape[1],
    "StatisticsExtractionComponent": lambda c: 1 + c["InputDim"] * (2 if c.get("IncludeVarinance", True) else 1),
    "StatisticsPoolingComponent": lambda c: c["InputDim"] - 1 + c.get("NumLogCountFeatures", 0),
    "CompositeComponent": lambda c: of_component(c.parts[-1]),
}


def of_component(component):
    return int(DIMS[component.type](component))


