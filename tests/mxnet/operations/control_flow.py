"""Operators with sub-graphs, as Gluon exports them."""
from models import Family
from values import fed, fixed

family = Family(__name__)


def block(forward, make=None):
    """A block of Gluon with this forward function; `make` gives the layer that it calls."""
    from mxnet import gluon

    class Block(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.layer = make(gluon) if make else None

        def hybrid_forward(self, F, *inputs):
            return forward(F, self.layer, *inputs)
    return Block()


@family.gluon("foreach", {"options": ["--input_shape", "data[?,2,3],begin[2,3]"]}, data=fed(5, 2, 3), begin=fed(2, 3))
def foreach():
    """A cell whose weights are outside of the sub-graph."""
    def forward(F, cell, data, begin):
        rows, states = F.contrib.foreach(cell, data, [begin])
        return rows, states[0]
    return block(forward, lambda gluon: gluon.rnn.GRUCell(3, input_size=3))


@family.gluon("foreach_in_foreach", {"options": ["--input_shape", "data[?,4,3],begin[3]"]}, data=fed(5, 4, 3), begin=fed(3))
def foreach_in_foreach():
    def forward(F, _, data, begin):
        def of_rows(row, state):
            return F.tanh(row + state), row * 0.5 + state

        def of_parts(part, state):
            return F.contrib.foreach(of_rows, part, state)
        return F.contrib.foreach(of_parts, data, begin)
    return block(forward)


@family.graph("while_loop")
def while_loop(b):
    """MXNet does not say what is in the rows of steps that do not run, so all of them run."""
    sym = b.mx.sym
    rows, (last, total) = sym.contrib.while_loop(lambda number, data: number < 5, lambda number, data: (data * 2, (number + 1, sym.broadcast_add(data, number))),
                                                 [b.fed("number", fed(values=[0.0])), b.fed("data", fed(2, 3))], max_iterations=5)
    return [rows, last, total]


for name, least in (("then", 0.1), ("else", -2)):
    @family.graph("cond_" + name)
    def cond(b, least=least):
        sym, data, weights = b.mx.sym, b.fed("data", fed(2, 3, low=least, high=least + 1)), b.fixed(fixed(3, 3), "weights")
        return [sym.contrib.cond(sym.sum(data) > 0, lambda: sym.FullyConnected(data, weights, num_hidden=3, no_bias=True), lambda: data * 3 - 1)]
