"""Parts of tensors that are overwritten: numbers and tensors, whole parts and every second, places that are fed."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case


def ints(*values, dtype=np.int32):
    return fed(values=list(values), dtype=dtype)


def put(variant, unknown=(), x=fed(4, 5, 6)):
    """The function gives where a value is written, and the value."""
    def take(what):
        def build(b):
            before = b.fed("x", x)
            return [b.paddle.static.setitem(before, *what(b, before))]
        family.graph("set_value_" + variant, unknown)(build)
        return what
    return take


@put("number", unknown=(0,))
def number(b, x):
    return np.s_[:, 1], 7.5


@put("numbers")
def numbers(b, x):
    return np.s_[1:3, :, 2:4], np.float32([3, -4])


@put("tensor", unknown=(0,))
def tensor(b, x):
    return np.s_[:, 1:3], b.fed("value", fed(2, 6))


@put("tensor_dropped")
def dropped(b, x):
    return np.s_[1, :, 2], b.fed("value", fed(5))


@put("steps")
def steps(b, x):
    return np.s_[::2, :, ::-3], b.fed("value", fed(2, 5, 2))


@put("backwards")
def backwards(b, x):
    return np.s_[::-1, 4:0:-2], b.fed("value", fed(4, 2, 6))


@put("all")
def everything(b, x):
    return np.s_[...], 2.0


@put("axis_added")
def added(b, x):
    return np.s_[None, 1, 2:4], b.fed("value", fed(1, 2, 6))


@put("place_fed")
def place(b, x):
    at = b.fed("at", ints(1))
    return (slice(at, at + 2), 3), -1.0


@put("index")
def index(b, x):
    return b.paddle.assign(np.int64([2, 0])), b.fed("value", fed(2, 5, 6))


@put("truth")
def where(b, x):
    return x > 0.5, b.paddle.full([1], 0.25)


@put("int64", x=fed(3, 4, dtype=np.int64, low=-9, high=9))
def integers(b, x):
    return np.s_[1, 1:3], 5


@put("bool", x=fed(3, 4, dtype=bool))
def truths(b, x):
    return np.s_[1:, ::2], True


PLACE = {"axes": [0, 2], "starts": [1, 0], "ends": [3, 6], "steps": [1, 2], "none_axes": []}
case("set_value", "old_values", attrs={**PLACE, "decrease_axes": [], "dtype": 5, "shape": [2, 1, 3], "values": [1.5, -2.0, 3.0, 4.0, 5.0, -6.0]}, Input=fed(4, 5, 6))
case("set_value", "lists_fed", attrs={**PLACE, "decrease_axes": [0], "dtype": 5, "shape": [1], "values": [0.5]}, Input=fed(4, 5, 6), StartsTensorList=[ints(2, dtype=np.int64),
        ints(1, dtype=np.int64)],
     EndsTensorList=[ints(3, dtype=np.int64), ints(6, dtype=np.int64)], StepsTensorList=[ints(1, dtype=np.int64), ints(3, dtype=np.int64)])


@family.graph("set_value_in_place")
def in_place(b):
    """Older programs write the variable itself."""
    y = b.paddle.assign(b.fed("x", fed(4, 5, 6)))
    before = y * 2
    b.op("set_value", {**PLACE, "decrease_axes": [], "dtype": 5, "shape": [1], "values": [1.5]}, same={"Out": "Input"}, Input=y)
    return [before, y * 3]
