"""Random numbers: their shapes and types."""
from models import Family
from values import fed

family = Family(__name__)


def added(kind, attrs, *shape):
    @family.graph(kind.lstrip("_"), random=True)
    def build(b):
        return [b.op("broadcast_add", b.op(kind, attrs=attrs), b.fed("data", fed(*shape)))]


added("_random_uniform", {"low": -1, "high": 2, "shape": (2, 3)}, 2, 3)
added("_random_normal", {"loc": 1, "scale": 2, "shape": (2, 3)}, 2, 3)
family.case("_random_uniform_like", unknown=(0,), attrs={"low": -1, "high": 2}, more={"random": True}, data=fed(2, 3))
family.case("_random_normal_like", attrs={"scale": 2}, more={"random": True}, data=fed(2, 3))
