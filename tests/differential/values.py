"""The values of a random graph while it grows, whatever framework it is for."""
import numpy as np

FLOATS, INTEGERS = ("float32",), ("int64", "int32")
LARGEST = 4096  # elements of a value
#: Values of other types than these go no further.
TYPES = {"float32", "int64", "int32", "bool", "uint8", "int8"}


class Value:
    """`data`: a NumPy array, or a list of them for a sequence. `fixed`: a constant of the model. `open`: its sizes may be unknown to the converter."""

    def __init__(self, name, data, fixed=False, open=False):
        self.name, self.data, self.fixed, self.open = name, data, fixed, open

    @property
    def is_sequence(self):
        return isinstance(self.data, list)

    @property
    def shape(self):
        return self.data.shape

    @property
    def rank(self):
        return self.data.ndim

    @property
    def type(self):
        return self.data.dtype.name


def is_usable(data):
    """Whether a result may go into the graph: of a known type, neither empty nor large, of numbers that f32 tells apart."""
    if data.dtype.name not in TYPES or not 0 < data.size <= LARGEST:
        return False
    return np.all(np.abs(data) < 1e4) if data.dtype.kind == "f" else data.dtype.kind not in "iu" or np.all(np.abs(data.astype(float)) <= 1e6)


class Impossible(Exception):
    """This step cannot be made of the values that there are."""


class Values:
    """What a graph has so far, and how new values are drawn. `rng` decides everything."""

    def __init__(self, rng):
        self.rng = rng
        self.inputs, self.constants, self.values, self.count = [], [], [], 0
        self.open = rng.random() < 0.4

    def chance(self, of):
        return self.rng.random() < of

    def choice(self, items):
        return items[int(self.rng.integers(len(items)))]

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    # Values

    def draw(self, shape, type="float32", low=-2, high=2):
        if type == "bool":
            return self.rng.random(shape) < 0.5
        if type == "float32":
            return self.rng.uniform(low, high, shape).astype(np.float32)
        return self.rng.integers(int(low), int(high) + 1, shape).astype(type)

    def input(self, shape, type="float32", low=-2, high=2):
        value = Value(self.name("x"), self.draw(shape, type, low, high), open=self.open)
        self.inputs.append(value)
        self.values.append(value)
        return value

    def constant(self, data):
        value = Value(self.name("c"), np.asarray(data), True)
        self.constants.append(value)
        return value

    def given(self, data):
        """A constant, or sometimes an input: its values are unknown to the converter then, its sizes are not."""
        if self.chance(0.8):
            return self.constant(data)
        value = Value(self.name("x"), np.asarray(data))
        self.inputs.append(value)
        return value

    def pick(self, types=FLOATS, ranks=None, when=lambda value: True):
        """A value that is there. Later ones are likelier, so graphs grow deep."""
        found = [v for v in self.values if not v.is_sequence and v.type in types and (ranks is None or v.rank in ranks) and when(v)]
        if not found:
            raise Impossible
        weights = np.arange(1, len(found) + 1, dtype=float)
        return found[int(self.rng.choice(len(found), p=weights / weights.sum()))]

    def sequence(self):
        found = [v for v in self.values if v.is_sequence]
        if not found:
            raise Impossible
        return self.choice(found)

    def axis(self, value, negative=True):
        if value.rank == 0:
            raise Impossible
        axis = int(self.rng.integers(value.rank))
        return axis - value.rank if negative and self.chance(0.3) else axis

    def like(self, value, low=-2, high=2):
        """Another value that broadcasts with this one: of this graph, or new."""
        if self.chance(0.4):
            fits = [v for v in self.values if not v.is_sequence and v.type == value.type and broadcasts(v.shape, value.shape)]
            if fits:
                return self.choice(fits)
        shape = [1 if self.chance(0.3) else size for size in value.shape]
        return self.given(self.draw(shape[int(self.rng.integers(len(shape) + 1)):], value.type, low, high))


def broadcasts(a, b):
    return len(a) <= len(b) and all(x in (1, y) for x, y in zip(a[::-1], b[::-1]))
