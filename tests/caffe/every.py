"""All networks and cases of layers by name: "network/lenet", "layer/relu"."""
import architectures
import net as caffe
import networks

NETWORKS = {"network/" + name: fill for name, fill in {**networks.NETWORKS, **architectures.ARCHITECTURES}.items()}
LAYERS = {"layer/" + case[0]: case[1:] for case in networks.LAYERS}
NAMES = [*NETWORKS, *LAYERS]


def build(name, spelled=None):
    """The network of that name. `spelled`: parameters by the type of the layer, which are written where a layer does not have them."""
    net = caffe.Net(seed=7 if name in NETWORKS else 3)
    net.spelled = spelled or {}
    if name in NETWORKS:
        NETWORKS[name](net)
    else:
        networks.fill_layer(net, *LAYERS[name])
    return net


def listed(path):
    """The rows of a list, case -> reason. Each row is "case: reason"."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split(": ", 1) for line in file.read().splitlines() if line and not line.startswith("#")]
    found = dict(rows)
    assert len(found) == len(rows) and found.keys() <= set(NAMES) and all(found.values()), path
    return found
