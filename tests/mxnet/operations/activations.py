"""Activations, softmax, and the heads of classifiers and regressions."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign"):
    case("Activation", kind, unknown=(0, 1) if kind == "relu" else (), attrs={"act_type": kind}, data=fed(2, 3, low=-3, high=3))
for kind, attrs in (("leaky", {}), ("elu", {"slope": 0.5}), ("selu", {}), ("gelu", {}), ("rrelu", {}), ("leaky_zero", {"slope": 0.0})):
    case("LeakyReLU", kind, attrs={"act_type": kind.split("_")[0], **attrs}, take=(0,) if kind == "rrelu" else None, data=fed(2, 3, low=-3, high=3))
case("LeakyReLU", "usual", data=fed(2, 3, low=-3, high=3))
for variant, shape in (("prelu", (2, 3, 4, 5)), ("prelu_rows", (2, 3)), ("prelu_sequence", (2, 3, 4))):
    case("LeakyReLU", variant, unknown=(0,), attrs={"act_type": "prelu"}, data=fed(*shape), gamma=fixed(3, low=0.1, high=0.4))
case("LeakyReLU", "prelu_shared", attrs={"act_type": "prelu"}, data=fed(2, 3, 4, 5), gamma=fixed(1, low=0.1, high=0.4))
case("hard_sigmoid", data=fed(2, 3, low=-4, high=4))
case("hard_sigmoid", "numbers", attrs={"alpha": 0.3, "beta": "4e-1"}, data=fed(2, 3, low=-4, high=4))
case("softmax", unknown=(0, 1), data=fed(2, 3, low=-3, high=3))
case("softmax", "axis", attrs={"axis": 1, "temperature": 2.0}, data=fed(2, 3, 4, low=-3, high=3))
case("softmax", "none", attrs={"temperature": None, "dtype": None, "use_length": False}, data=fed(2, 3, low=-3, high=3))
case("softmax", "length", unknown=(0, 1), attrs={"use_length": True}, data=fed(2, 3, low=-3, high=3), length=fed(values=[2, 0], dtype=np.int32))
case("softmax", "length_axis", attrs={"use_length": True, "axis": 1}, data=fed(2, 3, 4, low=-3, high=3), length=fed(values=[[2, 1, 3, 0], [1, 1, 1, 2]], dtype=np.int32))
case("softmin", attrs={"temperature": 2.0}, data=fed(2, 3, low=-3, high=3))
case("log_softmax", unknown=(0,), data=fed(2, 3, low=-3, high=3))
case("log_softmax", "axis", attrs={"axis": 1, "temperature": 0.5}, data=fed(2, 3, 4, low=-3, high=3))
case("SoftmaxActivation", data=fed(2, 3))
case("SoftmaxActivation", "channel", unknown=(0, 2), attrs={"mode": "channel"}, data=fed(2, 3, 4, 5))
case("SoftmaxActivation", "instance", data=fed(2, 3, 2, 3))
case("SoftmaxOutput", unknown=(0,), data=fed(2, 3))
case("SoftmaxOutput", "multi_output", attrs={"multi_output": True}, data=fed(2, 3, 4))
case("SoftmaxOutput", "preserve_shape", attrs={"preserve_shape": True}, data=fed(2, 3, 4))
case("SoftmaxOutput", "flat", data=fed(2, 3, 4), more={"plain": True})
for kind in ("LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput"):
    case(kind, unknown=(0,), data=fed(2, 3))
case("SVMOutput", data=fed(2, 3))
case("MakeLoss", data=fed(2, 3, low=0))
case("make_loss", data=fed(2, 3, low=0))
case("Dropout", unknown=(0,), attrs={"p": 0.5}, take=(0,), data=fed(2, 3))
case("Dropout", "axes", attrs={"p": 0.5, "axes": (1,)}, take=(0,), data=fed(2, 3))
case("Dropout", "always", attrs={"p": 0.5, "mode": "always"}, take=(0,), data=fed(2, 3), more={"refused": "it drops elements in inference"})


def renamed(name, kind, other, expected):
    """An operator that MXNet 1 does not have on a processor, in place of one with the same attributes."""
    def change(text):
        for node in text["nodes"]:
            if node["op"] == kind:
                node["op"] = other

    @family.graph(name, change=change, expected=expected)
    def build(b):
        return [b.op(kind, b.fed("data", fed(2, 3, low=-3, high=3)))]


renamed("log_sigmoid", "sigmoid", "log_sigmoid", lambda data: [-np.log1p(np.exp(-data))])
renamed("mish", "sigmoid", "mish", lambda data: [data * np.tanh(np.log1p(np.exp(data)))])
case("softmax_cross_entropy", "loss", data=fed(2, 3), label=fixed(values=[1, 2]))
case("IdentityAttachKLSparseReg", attrs={"penalty": 0.01}, data=fed(2, 3, low=0.1, high=0.9))
