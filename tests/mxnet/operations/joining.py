"""Tensors joined, repeated and broadcast."""
from models import Family
from values import fed

family = Family(__name__)
case = family.case
case("Concat", unknown={"args0": (0,), "args1": (0,)}, attrs={"num_args": 2}, args=[fed(2, 3, 4), fed(2, 5, 4)])
case("Concat", "dim", attrs={"num_args": 3, "dim": 2}, args=[fed(2, 3, 1), fed(2, 3, 4), fed(2, 3, 2)])
case("Concat", "negative", attrs={"num_args": 2, "dim": -1}, args=[fed(2, 3), fed(2, 1)])
case("Concat", "one", attrs={"num_args": 1, "dim": 0}, args=[fed(2, 3)])
case("stack", unknown={"args0": (0,), "args1": (0,)}, attrs={"num_args": 2}, args=[fed(2, 3), fed(2, 3)])
case("stack", "axis", attrs={"num_args": 3, "axis": -1}, args=[fed(2, 3), fed(2, 3), fed(2, 3)])
case("tile", unknown=(0,), attrs={"reps": (2, 1, 3)}, data=fed(2, 3, 4))
case("tile", "fewer", attrs={"reps": (2,)}, data=fed(2, 3))
case("tile", "more", attrs={"reps": (2, 3, 1)}, data=fed(2, 3))
case("repeat", unknown=(0,), attrs={"repeats": 2, "axis": 1}, data=fed(2, 3, 4))
case("repeat", "flat", unknown=(0,), attrs={"repeats": 3}, data=fed(2, 3))
case("repeat", "negative", attrs={"repeats": 2, "axis": -1}, data=fed(2, 3))
case("broadcast_to", attrs={"shape": (2, 3, 4)}, data=fed(2, 1, 4))
case("broadcast_to", "keep", unknown=(0,), attrs={"shape": (0, 3, 0)}, data=fed(2, 1, 4))
case("broadcast_like", unknown={"rhs": (0, 1)}, lhs=fed(1, 1, 4), rhs=fed(2, 3, 4))
case("broadcast_like", "axes", attrs={"lhs_axes": (1,), "rhs_axes": (-1,)}, lhs=fed(2, 1, 4), rhs=fed(5, 3))
case("broadcast_axis", unknown=(0,), attrs={"axis": 1, "size": 3}, data=fed(2, 1, 4))
case("broadcast_axis", "two", attrs={"axis": (0, 2), "size": (2, 5)}, data=fed(1, 3, 1))
case("_rnn_param_concat", attrs={"num_args": 2, "dim": 0}, args=[fed(3), fed(4)])
