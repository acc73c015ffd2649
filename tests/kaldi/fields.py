"""The fields of Kaldi's components, in the order of its Write() functions.

A row: the name of each field, a colon, how it is written, and after an equals sign what stands there unless the component says otherwise.
Fields with a question mark are written only where the component has them. U: what each updatable component begins with.
"""

KINDS = {"i": "int", "f": "float", "d": "double", "b": "bool", "I": "ints", "P": "pairs", "v": "vector", "m": "matrix", "V": "doubles", "M": "double_matrix"}

U = "?LearningRateFactor:f ?IsGradient:b ?MaxChange:f ?L2Regularize:f LearningRate:f=0.001"
STATISTICS3 = ("ValueAvg:v= DerivAvg:v= Count:d=0 OderivRms:v= OderivCount:d=0 NumDimsSelfRepaired:d=0 NumDimsProcessed:d=0 "
               "?SelfRepairLowerThreshold:f ?SelfRepairUpperThreshold:f ?SelfRepairScale:f")
NONLINEAR3 = "Dim:i ?BlockDim:i " + STATISTICS3
CLIPPED = "SelfRepairClippedProportionThreshold:f=1 SelfRepairTarget:f=0 SelfRepairScale:f=1"
GRU = "ValueAvg:v= DerivAvg:v= SelfRepairTotal:d=0 Count:d=0 SelfRepairThreshold:f=0.2 SelfRepairScale:f=1e-05 Alpha:f=4"
CONVOLUTION_MODEL = ("(ConvolutionModel NumFiltersIn:i NumFiltersOut:i HeightIn:i HeightOut:i HeightSubsampleOut:i=1 Offsets:P RequiredTimeOffsets:I "
                     ")ConvolutionModel")

NNET3 = {
    **dict.fromkeys("SigmoidComponent TanhComponent SoftmaxComponent LogSoftmaxComponent RectifiedLinearComponent".split(), NONLINEAR3),
    "NormalizeComponent": "InputDim:i ?BlockDim:i TargetRms:f=1 AddLogStddev:b=0",
    "BatchNormComponent": "Dim:i BlockDim:i Epsilon:f=0.001 TargetRms:f=1 TestMode:b=1 Count:d=1000 StatsMean:v StatsVar:v",
    "PnormComponent": "InputDim:i OutputDim:i",
    "DropoutComponent": "Dim:i DropoutProportion:f=0 DropoutPerFrame:b=0 TestMode:b=1",
    "DropoutMaskComponent": "OutputDim:i DropoutProportion:f=0 ?TestMode:b ?Continuous:",
    "GeneralDropoutComponent": "Dim:i BlockDim:i TimePeriod:i=0 DropoutProportion:f=0 ?SpecAugmentMaxProportion:f ?SpecAugmentMaxRegions:i ?TestMode: ?Continuous:",
    "SpecAugmentTimeMaskComponent": "Dim:i ZeroedProportion:f=0.2 TimeMaskMaxFrames:i=10 ?TestMode:",
    "ElementwiseProductComponent": "InputDim:i OutputDim:i",
    "NoOpComponent": "Dim:i BackpropScale:f=1",
    "ClipGradientComponent": f"Dim:i ClippingThreshold:f=30 NormBasedClipping:b=1 {CLIPPED} NumElementsClipped:i=0 NumElementsProcessed:i=0 NumSelfRepaired:i=0 NumBackpropped:i=0",
    "BackpropTruncationComponent": "Dim:i Scale:f=1 ClippingThreshold:f=30 ZeroingThreshold:f=15 ZeroingInterval:i=20 RecurrenceInterval:i=1 "
                                   "NumElementsClipped:d=0 NumElementsZeroed:d=0 NumElementsProcessed:d=0 NumZeroingBoundaries:d=0",
    "AffineComponent": U + " LinearParams:m BiasParams:v ?OrthonormalConstraint:f",
    "NaturalGradientAffineComponent": U + " LinearParams:m BiasParams:v RankIn:i=20 RankOut:i=80 ?OrthonormalConstraint:f UpdatePeriod:i=4 NumSamplesHistory:f=2000 Alpha:f=4",
    "LinearComponent": U + " Params:m ?OrthonormalConstraint:f UseNaturalGradient:b=1 RankInOut:ii=20,80 Alpha:f=4 NumSamplesHistory:f=2000 UpdatePeriod:i=4",
    "FixedAffineComponent": "LinearParams:m BiasParams:v",
    "FixedScaleComponent": "Scales:v",
    "FixedBiasComponent": "Bias:v",
    "RepeatedAffineComponent": U + " NumRepeats:i LinearParams:m BiasParams:v",
    "NaturalGradientRepeatedAffineComponent": U + " NumRepeats:i LinearParams:m BiasParams:v",
    "BlockAffineComponent": U + " NumBlocks:i LinearParams:m BiasParams:v",
    "PerElementScaleComponent": U + " Params:v",
    "NaturalGradientPerElementScaleComponent": U + " Params:v IsGradient:b=0 Rank:i=8 UpdatePeriod:i=10 NumSamplesHistory:f=2000 Alpha:f=4",
    "PerElementOffsetComponent": U + " Offsets:v Dim:i UseNaturalGradient:b=0",
    "ScaleAndOffsetComponent": U + " Dim:i Scales:v Offsets:v UseNaturalGradient:b=1 Rank:i=20",
    "SumGroupComponent": "Sizes:I",
    "SumBlockComponent": "InputDim:i OutputDim:i Scale:f=1",
    "PermuteComponent": "ColumnMap:I",
    "DistributeComponent": "InputDim:i OutputDim:i",
    "ConstantComponent": U + " Output:v IsUpdatable:b=1 UseNaturalGradient:b=1",
    "ConstantFunctionComponent": U + " InputDim:i Output:v IsUpdatable:b=1 UseNaturalGradient:b=1",
    "ConvolutionComponent": U + " InputXDim:i InputYDim:i InputZDim:i FiltXDim:i FiltYDim:i FiltXStep:i FiltYStep:i InputVectorization:i FilterParams:m BiasParams:v IsGradient:b=0",
    "MaxpoolingComponent": "InputXDim:i InputYDim:i InputZDim:i PoolXSize:i PoolYSize:i PoolZSize:i PoolXStep:i PoolYStep:i PoolZStep:i",
    "TdnnComponent": U + " TimeOffsets:I LinearParams:m BiasParams:v= OrthonormalConstraint:f=0 UseNaturalGradient:b=1 NumSamplesHistory:f=2000 AlphaInOut:ff=4,4 RankInOut:ii=20,80",
    "TimeHeightConvolutionComponent": U + f" +Model {CONVOLUTION_MODEL} LinearParams:m BiasParams:v MaxMemoryMb:f=200 UseNaturalGradient:b=1 NumMinibatchesHistory:f=4 AlphaInOut:ff=4,4 RankInOut:ii=20,80",
    "RestrictedAttentionComponent": "NumHeads:i KeyDim:i ValueDim:i NumLeftInputs:i NumRightInputs:i TimeStride:i=1 NumLeftInputsRequired:i=0 NumRightInputsRequired:i=0 "
                                    "OutputContext:b=1 KeyScale:f StatsCount:d=0 EntropyStats:V= PosteriorStats:M=",
    "LstmNonlinearityComponent": U + " Params:m ValueAvg:m= DerivAvg:m= SelfRepairConfig:v= SelfRepairProb:v= ?UseDropout:b Count:d=0",
    "GruNonlinearityComponent": U + f" CellDim:i RecurrentDim:i w_h:m {GRU} RankInOut:ii=20,80 UpdatePeriod:i=4",
    "OutputGruNonlinearityComponent": U + f" CellDim:i w_h:v {GRU} Rank:i=20 UpdatePeriod:i=4",
    "StatisticsExtractionComponent": "InputDim:i InputPeriod:i=1 OutputPeriod:i=1 IncludeVarinance:b=1",
    "StatisticsPoolingComponent": "InputDim:i InputPeriod:i=1 LeftContext:i RightContext:i NumLogCountFeatures:i=0 OutputStddevs:b=0 VarianceFloor:f=1e-10",
    "CompositeComponent": U + " MaxRowsProcess:i=2048 *NumComponents",
}

NONLINEAR2 = "Dim:i ValueSum:v= DerivSum:v= Count:d=0"
AFFINE2 = "LearningRate:f=0.001 LinearParams:m BiasParams:v"
NNET2 = {
    **dict.fromkeys("SigmoidComponent TanhComponent SoftmaxComponent LogSoftmaxComponent RectifiedLinearComponent NormalizeComponent SoftHingeComponent".split(), NONLINEAR2),
    "AffineComponent": AFFINE2 + " ?AvgInput:v ?AvgInputCount:f IsGradient:b=0",
    "AffineComponentPreconditioned": AFFINE2 + " Alpha:f=0.1 MaxChange:f=10",
    "AffineComponentPreconditionedOnline": AFFINE2 + " RankIn:i=20 RankOut:i=80 UpdatePeriod:i=4 NumSamplesHistory:f=2000 Alpha:f=4 MaxChangePerSample:f=0.1",
    "BlockAffineComponent": "LearningRate:f=0.001 NumBlocks:i LinearParams:m BiasParams:v",
    "BlockAffineComponentPreconditioned": "LearningRate:f=0.001 NumBlocks:i LinearParams:m BiasParams:v Alpha:f=4 IsGradient:b=0",
    "FixedAffineComponent": "LinearParams:m BiasParams:v",
    "FixedLinearComponent": "CuMatrix:m",
    "FixedScaleComponent": "Scales:v",
    "FixedBiasComponent": "Bias:v",
    "PnormComponent": "InputDim:i OutputDim:i P:f=2",
    "MaxoutComponent": "InputDim:i OutputDim:i",
    "PowerComponent": "InputDim:i OutputDim:i Power:f",
    "ScaleComponent": "Dim:i Scale:f",
    "SumGroupComponent": "Sizes:I",
    "PermuteComponent": "Reorder:I",
    "DctComponent": "Dim:i DctDim:i Reorder:b DctKeepDim:i",
    "DropoutComponent": "Dim:i DropoutScale:f=0 DropoutProportion:f=0.5",
    "AdditiveNoiseComponent": "Dim:i Stddev:f",
    "SpliceComponent": "InputDim:i Context:I ConstComponentDim:i=0",
    "SpliceMaxComponent": "Dim:i Context:I",
    "Convolutional1dComponent": "LearningRate:f=0.001 PatchDim:i PatchStep:i PatchStride:i AppendedConv:b=0 FilterParams:m BiasParams:v IsGradient:b=0",
    "MaxpoolingComponent": "InputDim:i OutputDim:i PoolSize:i PoolStride:i",
}

LEARN = "LearnRateCoef:f=1 BiasLearnRateCoef:f=1"
# Names in brackets: values without a token. |: a line break of texts.
NNET1 = {
    **dict.fromkeys("Sigmoid Tanh Softmax HiddenSoftmax LengthNormComponent".split(), ""),
    "AffineTransform": f"{LEARN} MaxNorm:f=0 | [W]:m [b]:v",
    "LinearTransform": "LearnRateCoef:f=1 | [W]:m",
    "AddShift": "LearnRateCoef:f=1 [v]:v",
    "Rescale": "LearnRateCoef:f=1 [v]:v",
    "Splice": "[offsets]:I",
    "Copy": "[from]:I",
    "ParametricRelu": "AlphaLearnRateCoef:f=0 BetaLearnRateCoef:f=0 | [alpha]:v [beta]:v",
    "ConvolutionalComponent": f"PatchDim:i PatchStep:i PatchStride:i | {LEARN} MaxNorm:f=0 | Filters:m Bias:v",
    "MaxPoolingComponent": "PoolSize:i PoolStep:i PoolStride:i",
    "AveragePoolingComponent": "PoolSize:i PoolStep:i PoolStride:i",
    "LstmProjected": f"CellDim:i {LEARN} CellClip:f=50 DiffClip:f=1 CellDiffClip:f=0 GradClip:f=250 | [w_gifo_x]:m [w_gifo_r]:m [b]:v [peephole_i]:v [peephole_f]:v [peephole_o]:v [w_r_m]:m",
    "RecurrentComponent": f"GradClip:f=0 {LEARN} | [w_forward]:m [w_recurrent]:m [b]:v",
    "BlockSoftmax": "[block_dims]:I",
    "ParallelComponent": "*NestedNnetCount",
}
NNET1["LstmProjectedStreams"] = NNET1["LstmProjected"]

TABLES = {"nnet1": NNET1, "nnet2": NNET2, "nnet3": NNET3}
