"""Forms of files: matrices compressed and of doubles, texts with signs of their own, transition models, networks by themselves."""
from kaldi import compressed, stream
from kaldi.files import Component
from kaldi.networks import architectures
from kaldi.networks.build import Network3
from kaldi.networks.chains import affine1, affine2, chain1, chain2, same1, splice2
from kaldi.networks.build import Weights


def with_matrices(store):
    def make(seed):
        net = Network3(seed, 6)
        one, two = net.affine(8, 18), net.linear(5, 8)
        one.values["LinearParams"] = store(one["LinearParams"])
        two.values["Params"] = store(two["Params"])
        net.node("one", "Append(Offset(input, -1), input, Offset(input, 1))", one)
        net.node("two", "one", two)
        return net.output("two").made()
    return make


def doubles(seed):
    """Kaldi built with double precision."""
    net = Network3(seed, 4)
    net.node("one", "input", Component("NaturalGradientAffineComponent", LinearParams=stream.double(net.matrix(5, 4)), BiasParams=stream.double(net.vector(5))))
    net.node("two", "one", Component("FixedScaleComponent", Scales=stream.double(net.vector(5))))
    return net.output("two").made()


def doubles1(seed):
    w = Weights(seed)
    layer = Component("AffineTransform", outputs=5, W=stream.double(w.matrix(5, 4)), b=stream.double(w.vector(5)))
    return chain1(seed, 4, layer, same1("Sigmoid", 5))


def doubles2(seed):
    w = Weights(seed)
    return chain2(splice2(4, [-1, 0]), Component("AffineComponent", LinearParams=stream.double(w.matrix(5, 8)), BiasParams=stream.double(w.vector(5))))


def compressed1(seed):
    w = Weights(seed)
    layer = affine1(w, 5, 6)
    layer.values["W"] = compressed.columns(layer["W"])
    return chain1(seed, 6, layer)


def compressed2(seed):
    w = Weights(seed)
    layer = affine2(w, 5, 12)
    layer.values["LinearParams"] = compressed.two_bytes(layer["LinearParams"])
    return chain2(splice2(6, [-1, 1]), layer, transition="tuples", priors=w.positive(5))


BINARY = {
    "stored/compressed_columns": with_matrices(compressed.columns),
    "stored/compressed_two_bytes": with_matrices(compressed.two_bytes),
    "stored/compressed_one_byte": with_matrices(compressed.one_byte),
    "stored/compressed_nnet1": compressed1,
    "stored/compressed_nnet2": compressed2,
    "stored/doubles": doubles,
    "stored/doubles_nnet1": doubles1,
    "stored/doubles_nnet2": doubles2,
}


def renamed(make, form):
    """The same network behind the other transition model, or behind none."""
    def other(seed):
        network = make(seed)
        network.transition = form
        return network
    return other


BOTH = {
    "stored/raw": renamed(architectures.dnn, ""),
    "stored/triples": renamed(architectures.tdnn_subsampled, "triples"),
    "stored/tuples": renamed(architectures.tdnn_subsampled, "tuples"),
}
