"""Networks that cannot run frame by frame, or whose components IR cannot express."""
from kaldi.files import Component
from kaldi.networks.build import Network3, chain2
from kaldi.networks.chains import splice2


def of_layer(descriptor, component):
    def make(seed):
        net = Network3(seed, 4)
        return net.output(net.node("layer", descriptor, component(net))).made()
    return make


NETWORKS = {
    "refused/recurrence_from_the_end": of_layer("Append(input, IfDefined(Offset(layer, 1)))", lambda w: w.affine(3, 7)),
    "refused/distribute": of_layer("input", lambda w: Component("DistributeComponent", InputDim=4, OutputDim=2)),
    "refused/index_x": of_layer("Offset(input, 0, 1)", lambda w: w.affine(3, 4)),
    "refused/additive_noise": lambda seed: chain2(splice2(4, [0]), Component("AdditiveNoiseComponent", Dim=4, Stddev=0.1)),
}
