"""Files of other versions of Kaldi, by what its Read() functions still take: fields that are no more, fields that were not yet, and other tags at the end."""
from kaldi.files import Component
from kaldi.networks.build import Network3, Weights, chain1, chain2
from kaldi.networks.chains import affine2, splice2

NONLINEAR = "Dim:i ValueAvg:v DerivAvg:v Count:d"


def statistics(w, dim):
    return dict(ValueAvg=w.vector(dim), DerivAvg=w.vector(dim), Count=8.0)


def nnet3(seed):
    """Components in a row as they were about 2015."""
    net = Network3(seed, 6)
    rows = [
        ("natural", Component("NaturalGradientAffineComponent", LinearParams=net.matrix(6, 6), BiasParams=net.vector(6), MaxChangePerSample=0.1, end="<NaturalGradientAffineComponent>",
                              row="LearningRate:f=0.001 LinearParams:m BiasParams:v RankIn:i=20 RankOut:i=80 UpdatePeriod:i=4 NumSamplesHistory:f=2000 Alpha:f=4 MaxChangePerSample:f "
                                  "IsGradient:b=0 UpdateCount:d=7 ActiveScalingCount:d=3 MaxChangeScaleStats:d=0.5")),
        ("affine", Component("AffineComponent", LinearParams=net.matrix(6, 6), BiasParams=net.vector(6), row="LearningRate:f=0.001 LinearParams:m BiasParams:v IsGradient:b=0")),
        ("sigmoid", Component("SigmoidComponent", Dim=6, row=NONLINEAR, **statistics(net, 6))),
        ("no_op", Component("NoOpComponent", Dim=6, row=NONLINEAR, **statistics(net, 6))),
        ("no_op_repaired", Component("NoOpComponent", Dim=6, row=NONLINEAR + " NumDimsSelfRepaired:d=0 NumDimsProcessed:d=0", **statistics(net, 6))),
        ("normalize", Component("NormalizeComponent", Dim=6, row=NONLINEAR, **statistics(net, 6))),
        ("normalize_rms", Component("NormalizeComponent", Dim=6, TargetRms=0.5, row="Dim:i TargetRms:f AddLogStddev:b=0 ValueAvg:v DerivAvg:v Count:d", **statistics(net, 6))),
        ("clip", Component("ClipGradientComponent", Dim=6, row="Dim:i ClippingThreshold:f=15 NormBasedClipping:b=1 NumElementsClipped:i=0 NumElementsProcessed:i=0")),
        ("truncation", Component("BackpropTruncationComponent", Dim=6, row="Dim:i ClippingThreshold:f=15 ZeroingThreshold:f=1 ZeroingInterval:i=20 RecurrenceInterval:i=1 NumElementsClipped:d=0 "
                                                                           "NumElementsZeroed:d=0 NumElementsProcessed:d=0 NumZeroingBoundaries:d=0")),
        ("scale", Component("NaturalGradientPerElementScaleComponent", Params=net.vector(6), row="LearningRate:f=0.001 Params:v IsGradient:b=0 Rank:i=8 UpdatePeriod:i=10 NumSamplesHistory:f=2000 "
                                                                                                "Alpha:f=4 MaxChangePerMinibatch:f=0.5")),
        ("scale_plain", Component("PerElementScaleComponent", Params=net.vector(6), row="LearningRate:f=0.001 Params:v IsGradient:b=0")),
        ("offset", Component("PerElementOffsetComponent", Offsets=net.vector(6), row="LearningRate:f=0.001 Offsets:v IsGradient:b=0")),
        ("dropout", Component("DropoutComponent", Dim=6, row="Dim:i DropoutProportion:f=0")),
        ("groups", Component("SumGroupComponent", Sizes=[1, 2, 3], end="<SumGroupComponent>")),
    ]
    below = "input"
    for name, component in rows:
        below = net.node(name, below, component)
    return net.output(below).made()


def updatable(seed):
    """The header with all that it may have, and with a learning rate only."""
    net = Network3(seed, 4)
    net.node("all", "input", net.affine(4, 4, LearningRateFactor=0.25, IsGradient=True, MaxChange=0.75, L2Regularize=0.01))
    net.node("rate", "all", net.linear(4, 4))
    net.node("tdnn", "rate", net.tdnn(3, 4, [-1, 0], LearningRateFactor=0.5))
    return net.output("tdnn").made()


def nnet2(seed):
    w = Weights(seed)
    splice = splice2(4, [-2, -1, 0, 1])
    splice.row, splice.values["LeftContext"], splice.values["RightContext"] = "InputDim:i LeftContext:i RightContext:i ConstComponentDim:i=0", 2, 1
    online = affine2(w, 6, 16)
    online.row = "LearningRate:f=0.001 LinearParams:m BiasParams:v Rank:i=40 NumSamplesHistory:f=2000 Alpha:f=4 MaxChangePerSample:f=0.1"
    plain = affine2(w, 5, 6, "AffineComponent")
    plain.row = "LearningRate:f=0.001 LinearParams:m BiasParams:v AvgInput:v= AvgInputCount:f=0"
    return chain2(splice, online, plain, Component("SumGroupComponent", Sizes=[2, 2, 1], end="<SumGroupComponent>"))


def nnet1(seed):
    """Tags in lower case, no mark at the end of a component, no coefficients."""
    w = Weights(seed)
    layers = []
    for outputs, inputs in ((6, 4), (5, 6)):
        layers.append(Component("AffineTransform", outputs=outputs, W=w.matrix(outputs, inputs), b=w.vector(outputs), row="| [W]:m [b]:v", tag="<affinetransform>", end=""))
        layers.append(Component("Sigmoid", outputs=outputs, tag="<sigmoid>", end=""))
    return chain1(seed, 4, *layers)


def lstm1(fields):
    """Coefficients in another order, and those that were before: gradients clipped by one threshold."""
    def make(seed):
        w = Weights(seed)
        cells, projected, inputs = 5, 3, 4
        return chain1(seed, inputs, Component(
            "LstmProjected", outputs=projected, CellDim=cells, tag="<LstmProjectedStreams>", CellClip=0.4 if "CellClip" in fields else 50.0, w_gifo_x=w.matrix(4 * cells, inputs),
            w_gifo_r=w.matrix(4 * cells, projected), b=w.vector(4 * cells), peephole_i=w.vector(cells), peephole_f=w.vector(cells), peephole_o=w.vector(cells), w_r_m=w.matrix(projected, cells),
            row=f"CellDim:i {fields} | [w_gifo_x]:m [w_gifo_r]:m [b]:v [peephole_i]:v [peephole_f]:v [peephole_o]:v [w_r_m]:m"))
    return make


NETWORKS = {
    "old/nnet3": nnet3,
    "old/nnet3_updatable": updatable,
    "old/nnet2": nnet2,
    "old/nnet1": nnet1,
    "old/nnet1_lstm": lstm1("ClipGradient:f=5"),
    "old/nnet1_lstm_clip_first": lstm1("CellClip:f=50 LearnRateCoef:f=1"),
    "old/nnet1_lstm_without_fields": lstm1(""),
}
