"""Products of matrices, rows of tables, sums along axes."""
import numpy as np

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
FULL = (("", {"num_hidden": 4}, (2, 3)), ("flat", {"num_hidden": 4}, (2, 3, 2, 2)), ("last", {"num_hidden": 4, "flatten": False}, (2, 3, 5)), ("no_bias", {"num_hidden": 4, "no_bias": True}, (2, 3)),
        ("last_no_bias", {"num_hidden": 4, "flatten": False, "no_bias": True}, (2, 3, 5)))
for variant, attrs, shape in FULL:
    case("FullyConnected", variant, unknown=(0,), attrs=attrs, data=fed(*shape))
IDS = fed(values=[[0, 2, 1], [4, 0.0, 3]])
case("Embedding", unknown=(0, 1), attrs={"input_dim": 5, "output_dim": 3}, data=IDS, weight=fixed(5, 3))
case("Embedding", "outside", attrs={"input_dim": 5, "output_dim": 3}, data=fed(values=[-2, 0, 1.9, 7]), weight=fixed(5, 3))
case("Embedding", "int32", attrs={"input_dim": 5, "output_dim": 3}, data=fed(values=[[0, 2, 1]], dtype=np.int32), weight=fixed(5, 3))
case("_contrib_SparseEmbedding", attrs={"input_dim": 5, "output_dim": 3}, data=IDS, weight=fixed(5, 3))
DOTS = (("", (2, 3), (3, 4), False, False), ("transposed", (3, 2), (4, 3), True, True), ("vectors", (4,), (4,), False, False), ("matrix_vector", (3, 4), (4,), False, False), ("vector_matrix", (4,), (4, 5), False, False),
        ("deep", (2, 3, 4), (4, 5, 2), False, False), ("deep_transposed", (4, 2, 3), (5, 6, 4), True, True), ("rows", (2, 3, 4), (4, 5), False, False), ("columns", (2, 3, 4), (5, 2, 4), False, True))
for variant, left, right, first, second in DOTS:
    case("dot", variant, unknown=(0,) if not first else (), attrs={"transpose_a": first, "transpose_b": second}, lhs=fed(*left), rhs=fed(*right))
case("dot", "weights", attrs={}, lhs=fed(2, 3), rhs=fixed(3, 4))
for variant, left, right, first, second in (("", (2, 3, 4), (2, 4, 5), False, False), ("transposed", (2, 4, 3), (2, 5, 4), True, True)):
    case("batch_dot", variant, attrs={"transpose_a": first, "transpose_b": second}, lhs=fed(*left), rhs=fed(*right))
case("_linalg_gemm", attrs={"alpha": 2.0, "beta": 0.5, "transpose_b": True}, A=fed(2, 3, 4), B=fed(2, 5, 4), C=fed(2, 3, 5))
case("_linalg_gemm2", attrs={}, A=fed(2, 3, 4), B=fed(2, 4, 5))
case("_linalg_gemm2", "alpha", attrs={"alpha": 0.125, "transpose_a": True}, A=fed(2, 4, 3), B=fed(2, 4, 5))
case("_linalg_syrk", attrs={"alpha": 2.0}, A=fed(2, 3, 4))
case("_linalg_syrk", "transposed", attrs={"transpose": True}, A=fed(2, 3, 4))
MATRICES = fed(values=[[[1, 2], [3, 4]], [[2, 0.5], [0.25, 1]]])
case("_linalg_det", A=MATRICES, take=(0,))
case("_linalg_inverse", A=MATRICES)
case("_linalg_slogdet", A=MATRICES, take=(0, 1))
case("_linalg_potrf", A=fed(values=[[[2, 1], [1, 2]]]), more={"refused": "IR has no decompositions of matrices"})

AXES = (("", {}), ("axis", {"axis": 1}), ("axes", {"axis": (0, 2)}), ("keepdims", {"axis": -1, "keepdims": True}), ("exclude", {"axis": 1, "exclude": True}), ("exclude_keepdims", {"axis": (0, -1), "exclude": True, "keepdims": True}),
        ("none", {"axis": None, "keepdims": True}), ("all", {"axis": (0, 1, 2)}))
for variant, attrs in AXES:
    case("sum", variant, unknown=(0, 2), attrs=attrs, data=fed(2, 3, 4))
for kind in ("mean", "max", "min", "prod", "nansum", "nanprod"):
    for variant, attrs in AXES[:2] + AXES[4:5]:
        case(kind, variant, attrs=attrs, data=fed(2, 3, 4))
case("sum", "line", attrs={"axis": 0}, data=fed(5))
HOLES = fed(values=[[1, np.nan, 2], [np.nan, np.nan, -3]])
case("nansum", "holes", attrs={"axis": 1}, data=HOLES)
case("nanprod", "holes", attrs={"axis": 1}, data=HOLES)
case("_square_sum", attrs={"axis": 1}, data=fed(2, 3), more={"expected": lambda data: [(data * data).sum(1)]})
for variant, attrs in (("", {}), ("l1", {"ord": 1}), ("axis", {"axis": 1, "keepdims": True}), ("l1_axes", {"ord": 1, "axis": (1, 2)})):
    case("norm", variant, attrs=attrs, data=fed(2, 3, 4))
for variant, attrs in (("", {}), ("axis", {"axis": 1}), ("type", {"axis": 0, "dtype": "float64"})):
    case("cumsum", variant, attrs=attrs, a=fed(2, 3))
case("moments", attrs={"axes": (0, 2)}, take=(0, 1), data=fed(2, 3, 4))
case("moments", "keepdims", attrs={"axes": (1,), "keepdims": True}, take=(0, 1), data=fed(2, 3, 4))
