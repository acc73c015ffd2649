"""Small networks of nnet3 as the recipes build them."""
from kaldi.files import Component
from kaldi.networks import layers
from kaldi.networks.build import Network3


def dnn(seed):
    net = Network3(seed, 5)
    below, size = layers.lda(net, [-2, -1, 0, 1, 2], 5)
    for name in ("relu1", "relu2"):
        below, size = layers.relu_batchnorm(net, name, below, size, 8, "renorm"), 8
    return layers.output(net, "output", below, 8, 6).made(transition="triples", contexts=(2, 2), priors=net.positive(6))


def tdnn(seed, ivector=0):
    net = Network3(seed, 5, ivector)
    below, size = layers.lda(net, [-1, 0, 1], 5, ivector)
    below = layers.relu_batchnorm(net, "tdnn1", below, size, 8)
    for number, offsets in enumerate(([-1, 0, 1], [-1, 0, 1], [-3, 0, 3], [-6, -3, 0]), 2):
        below = layers.relu_batchnorm(net, f"tdnn{number}", layers.spliced(below, offsets), 8 * len(offsets), 8)
    return layers.output(net, "output", below, 8, 6).made(transition="tuples", contexts=(12, 6))


def tdnn_subsampled(seed):
    """nnet3 recipes of before chain models: layers of one source with gaps, and a delayed output."""
    net = Network3(seed, 4)
    below = layers.relu_batchnorm(net, "tdnn1", layers.spliced("input", [-2, -1, 0, 1, 2]), 20, 6, "renorm")
    below = layers.relu_batchnorm(net, "tdnn2", layers.spliced(below, [-1, 2]), 12, 6, "renorm")
    below = layers.relu_batchnorm(net, "tdnn3", layers.spliced(below, [-3, 4]), 12, 6, "renorm")
    return layers.output(net, "output", below, 6, 5).made()


def pnorm_tdnn(seed):
    net = Network3(seed, 4)
    below, size = layers.lda(net, [-2, -1, 0, 1], 4)
    for name in ("one", "two"):
        net.node(f"{name}.affine", layers.spliced(below, [-1, 1]) if name == "two" else below, net.affine(12, size * (2 if name == "two" else 1)))
        net.node(f"{name}.pnorm", f"{name}.affine", Component("PnormComponent", InputDim=12, OutputDim=4))
        below, size = net.node(f"{name}.norm", f"{name}.pnorm", Component("NormalizeComponent", InputDim=4)), 4
    net.node("final", below, net.affine(6, 4))
    net.node("softmax", "final", Component("SoftmaxComponent", Dim=6))
    return net.output("softmax").made(transition="tuples")


def chain_tdnnf(seed, ivector=0):
    net = Network3(seed, 5, ivector)
    if ivector:
        below, size = layers.lda(net, [-1, 0, 1], 5, ivector)
    else:
        below, size = layers.lda(net, [-1, 0, 1], 5)
    below = layers.relu_batchnorm(net, "tdnn1", below, size, 8)
    for number, stride in enumerate((1, 1, 0, 3), 2):
        below = layers.tdnnf(net, f"tdnnf{number}", below, 8, 3, stride, 0.66 if number < 5 else 0.75)
    net.node("prefinal-l", below, net.linear(4, 8, OrthonormalConstraint=-1.0))
    for name, log_softmax in (("output", False), ("output-xent", True)):
        last = layers.prefinal(net, f"prefinal-{name}", "prefinal-l", 4, 8, 4)
        layers.output(net, name, last, 4, 6, log_softmax)
    return net.made(transition="tuples", contexts=(6, 6))


def chain_idct(seed):
    """Current recipes: cepstra back to a spectrum, with masks of training in between, and the i-vector beside."""
    net = Network3(seed, 6, 3)
    net.node("idct", "input", net.affine(6, 6, "FixedAffineComponent"))
    net.node("batchnorm0", "idct", net.batch_norm(6))
    net.node("spec-augment", "batchnorm0", Component("GeneralDropoutComponent", Dim=6, BlockDim=6, SpecAugmentMaxProportion=0.5, SpecAugmentMaxRegions=2))
    net.node("spec-augment.time-mask", "spec-augment", Component("SpecAugmentTimeMaskComponent", Dim=6))
    net.node("delta", layers.spliced("spec-augment.time-mask", [-1, 0, 1]), net.affine(9, 18, "FixedAffineComponent"))
    below = layers.relu_batchnorm(net, "tdnn1", "Append(delta, Scale(0.4, ReplaceIndex(ivector, t, 0)))", 12, 8)
    below = layers.tdnnf(net, "tdnnf2", below, 8, 3, 1)
    below = layers.tdnnf(net, "tdnnf3", below, 8, 3, 3)
    return layers.output(net, "output", below, 8, 5, log_softmax=False).made(transition="tuples")


def cnn_tdnn(seed):
    """Pictures of 4 filters over 6 heights; the i-vector as filters beside them."""
    net = Network3(seed, 6, 3)
    net.node("idct", "input", net.affine(6, 6, "FixedAffineComponent"))
    net.node("batchnorm0", "idct", net.batch_norm(6))
    net.node("ivector-linear", "ReplaceIndex(ivector, t, 0)", net.linear(6, 3))
    net.node("ivector-batchnorm", "ivector-linear", net.batch_norm(6, rms=0.025))
    net.node("combine", "Append(batchnorm0, ivector-batchnorm)", Component("PermuteComponent", ColumnMap=[0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]))
    below = layers.convolution(net, "cnn1", "combine", (2, 3), (6, 6))
    below = layers.convolution(net, "cnn2", below, (3, 4), (6, 3), 2)
    below = layers.convolution(net, "cnn3", below, (4, 2), (3, 3), required=[0])
    net.node("tdnnf4.linear", below, net.tdnn(3, 6, [0], bias=False))
    net.node("tdnnf4.affine", "tdnnf4.linear", net.tdnn(8, 3, [0]))
    net.node("tdnnf4.relu", "tdnnf4.affine", net.relu(8))
    net.node("tdnnf4.batchnorm", "tdnnf4.relu", net.batch_norm(8))
    below = layers.tdnnf(net, "tdnnf5", "tdnnf4.batchnorm", 8, 3, 3)
    return layers.output(net, "output", below, 8, 5, log_softmax=False).made()


def cnn_pooled(seed):
    """The convolution of old recipes: a picture of the frames around, pooled."""
    net = Network3(seed, 6)
    net.node("conv", layers.spliced("input", [-1, 0, 1]), Component("ConvolutionComponent", InputXDim=3, InputYDim=6, InputZDim=1, FiltXDim=2, FiltYDim=3, FiltXStep=1, FiltYStep=1,
                                                                    InputVectorization=1, FilterParams=net.matrix(4, 6), BiasParams=net.vector(4)))
    net.node("pool", "conv", Component("MaxpoolingComponent", InputXDim=2, InputYDim=4, InputZDim=4, PoolXSize=1, PoolYSize=2, PoolZSize=1, PoolXStep=1, PoolYStep=2, PoolZStep=1))
    below = layers.relu_batchnorm(net, "relu1", "pool", 16, 6, "renorm")
    return layers.output(net, "output", below, 6, 5).made()


def recurrent(layer, *sizes, **more):
    """Two layers of one kind, over frames spliced, with an output that comes later."""
    def make(seed):
        net = Network3(seed, 4)
        below, size = layers.lda(net, [-1, 0, 1], 4)
        for number in (1, 2):
            below = layer(net, f"r{number}", below, size, *sizes, **more)
            size = sizes[1] if len(sizes) > 1 else sizes[0]
        return layers.output(net, "output", below, size, 5, offset=2).made()
    return make


def lstm_straight(seed):
    """Over the input itself, without any context."""
    net = Network3(seed, 4)
    below = layers.fast_lstm(net, "lstm", "input", 4, 5)
    return net.output(below).made()


def lstm_stacked_past(seed):
    """A delay of three frames over a layer of past frames: states start at the first frame that can be computed."""
    net = Network3(seed, 4)
    net.node("tdnn", layers.spliced("input", [-3, 0]), net.affine(6, 8))
    below = layers.fast_lstmp(net, "lstm", "tdnn", 6, 5, 4, 2, delay=3)
    return layers.output(net, "output", below, 4, 5, log_softmax=False).made()


def tdnn_lstm(seed, ivector=3):
    net = Network3(seed, 5, ivector)
    below, size = layers.lda(net, [-2, -1, 0, 1, 2], 5, ivector)
    below = layers.relu_batchnorm(net, "tdnn1", below, size, 6, "renorm")
    below = layers.relu_batchnorm(net, "tdnn2", layers.spliced(below, [-1, 0, 1]), 18, 6, "renorm")
    below = layers.fast_lstmp(net, "lstm1", below, 6, 5, 4, 2, delay=3, dropout=True)
    below = layers.relu_batchnorm(net, "tdnn3", layers.spliced(below, [-3, 0, 3]), 12, 6, "renorm")
    below = layers.fast_lstmp(net, "lstm2", below, 6, 5, 4, 2, delay=3)
    layers.output(net, "output", below, 4, 6, log_softmax=False, offset=1)
    layers.output(net, "output-xent", below, 4, 6, offset=1)
    return net.made(transition="tuples")


def attention(seed):
    net = Network3(seed, 5)
    below, size = layers.lda(net, [-1, 0, 1], 5)
    below = layers.relu_batchnorm(net, "tdnn1", below, size, 6)
    below, size = layers.attention(net, "attention1", below, 6, 2, 3, 2, 3, 1, 3, (1, 0))
    below = layers.relu_batchnorm(net, "tdnn2", layers.spliced(below, [-1, 1]), 2 * size, 6)
    return layers.output(net, "output", below, 6, 5).made()


def xvector_to(last, extra=None):
    """Over all frames of an utterance."""
    def make(seed):
        net = Network3(seed, 4)
        below = layers.relu_batchnorm(net, "tdnn1", layers.spliced("input", [-2, -1, 0, 1, 2]), 20, 6)
        below = layers.relu_batchnorm(net, "tdnn2", layers.spliced(below, [-2, 0, 2]), 18, 6)
        below = layers.relu_batchnorm(net, "tdnn3", below, 6, 5)
        net.node("stats-extraction", below, Component("StatisticsExtractionComponent", InputDim=5, InputPeriod=1, OutputPeriod=1))
        net.node("stats-pooling", "stats-extraction", Component("StatisticsPoolingComponent", InputDim=11, LeftContext=0, RightContext=10000, OutputStddevs=True))
        net.node("tdnn6.affine", "Round(stats-pooling, 1)", net.affine(6, 10))
        if last == "tdnn6.affine":
            return net.output("tdnn6.affine").made()
        net.node("tdnn6.relu", "tdnn6.affine", net.relu(6))
        net.node("tdnn6.batchnorm", "tdnn6.relu", net.batch_norm(6))
        below = layers.relu_batchnorm(net, "tdnn7", "tdnn6.batchnorm", 6, 6)
        return layers.output(net, "output", below, 6, 4).made()
    return make


ARCHITECTURES = {
    "dnn": dnn,
    "tdnn": tdnn,
    "tdnn_ivector": lambda seed: tdnn(seed, 3),
    "tdnn_subsampled": tdnn_subsampled,
    "tdnn_pnorm": pnorm_tdnn,
    "chain_tdnnf": chain_tdnnf,
    "chain_tdnnf_ivector": lambda seed: chain_tdnnf(seed, 3),
    "chain_idct": chain_idct,
    "cnn_tdnn": cnn_tdnn,
    "cnn_pooled": cnn_pooled,
    "lstm_straight": lstm_straight,
    "lstm_stacked_past": lstm_stacked_past,
    "fast_lstm": recurrent(layers.fast_lstm, 5),
    "fast_lstm_delay": recurrent(layers.fast_lstm, 5, delay=3),
    "fast_lstmp": recurrent(layers.fast_lstmp, 5, 4, 2),
    "fast_lstmp_dropout": recurrent(layers.fast_lstmp, 5, 4, 2, delay=2, dropout=True),
    "lstmp": recurrent(layers.lstmp, 5, 4, 2),
    "lstmp_delay": recurrent(layers.lstmp, 4, 3, 3, delay=3),
    "tdnn_lstm": tdnn_lstm,
    "gru": recurrent(layers.gru, 5),
    "pgru": recurrent(layers.pgru, 5, 4, 2),
    "pgru_norm": recurrent(layers.pgru, 5, 4, 2, delay=3, norm=True),
    "opgru": recurrent(layers.opgru, 5, 4, 2),
    "opgru_norm": recurrent(layers.opgru, 5, 4, 2, delay=3, norm=True),
    "attention": attention,
    "xvector": xvector_to("output"),
    "xvector_embedding": xvector_to("tdnn6.affine"),
}
NETWORKS = {f"architecture/{name}": make for name, make in ARCHITECTURES.items()}
