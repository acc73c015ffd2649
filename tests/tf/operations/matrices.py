"""Matrix products and linear algebra."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

case("MatMul", unknown=(0,), a=fed(2, 3), b=fixed(3, 4))
case("MatMul", "transpose_a", a=fed(3, 2), b=fixed(3, 4), transpose_a=True)
case("MatMul", "transpose_b", unknown=(0,), a=fed(2, 3), b=fixed(4, 3), transpose_b=True)
case("MatMul", "both", a=fed(3, 2), b=fed(4, 3), transpose_a=True, transpose_b=True)
case("MatMul", "int32", a=fed(2, 3, dtype=np.int32, low=-5, high=5), b=fed(3, 2, dtype=np.int32, low=-5, high=5))
case("BatchMatMul", unknown={"x": (0,), "y": (0,)}, x=fed(2, 3, 4), y=fed(2, 4, 5))
case("BatchMatMulV2", unknown=(0, 1), x=fed(2, 3, 4), y=fixed(4, 5))
case("BatchMatMulV2", "adjoints", x=fed(2, 1, 4, 3), y=fed(3, 5, 4), adj_x=True, adj_y=True)
case("BatchMatMulV3", x=fed(2, 3, 4), y=fed(4, 5), Tout=np.float32)
case("Einsum", "matrix", inputs=[fed(2, 3), fed(3, 4)], equation="ij,jk->ik")
case("Einsum", "heads", unknown={"inputs0": (0, 1)}, inputs=[fed(2, 3, 4), fixed(4, 2, 5)], equation="abc,cde->abde")
case("Einsum", "scores", unknown={"inputs0": (0,), "inputs1": (0,)}, inputs=[fed(2, 3, 2, 5), fed(2, 4, 2, 5)], equation="aecd,abcd->acbe")
case("Einsum", "transpose", inputs=[fed(2, 3, 4)], equation="abc->cab")
case("Einsum", "sum", inputs=[fed(2, 3, 4)], equation="abc->b")
case("Einsum", "ellipsis", inputs=[fed(2, 3, 4), fed(4, 5)], equation="...ij,jk->...ik")
case("Einsum", "diagonal", inputs=[fed(3, 3)], equation="ii->i")
case("MatrixInverse", input=fed(values=[[3.0, 1.0], [0.5, 2.0]]))
case("MatrixDeterminant", input=fed(values=[[3.0, 1.0], [0.5, 2.0]]))
case("MatrixSolve", matrix=fed(values=[[3.0, 1.0], [0.5, 2.0]]), rhs=fed(2, 2))
case("Cholesky", input=fed(values=[[3.0, 1.0], [1.0, 2.0]]))
case("SparseMatMul", a=fed(2, 3), b=fed(3, 4))
case("SparseMatMul", "transposed", unknown=(1,), a=fed(3, 2), b=fixed(4, 3), transpose_a=True, transpose_b=True)
SQUARE = [[3.0, 1.0, 0.5], [0.5, 2.0, -1.0], [1.0, 0.25, 4.0]]
case("MatrixSolve", "adjoint", matrix=fed(values=SQUARE), rhs=fed(3, 2), adjoint=True)
for variant, flags in {"lower": {}, "upper": {"lower": False}, "adjoint": {"adjoint": True}, "upper_adjoint": {"lower": False, "adjoint": True}}.items():
    case("MatrixTriangularSolve", variant, matrix=fed(values=SQUARE), rhs=fed(3, 2), **flags)
case("LogMatrixDeterminant", take=[0, 1], input=fed(values=[SQUARE, np.roll(SQUARE, 1, 0)]))
case("TridiagonalMatMul", unknown={"superdiag": (0,), "maindiag": (0,), "subdiag": (0,), "rhs": (0,)}, superdiag=fed(2, 1, 5), maindiag=fed(2, 1, 5), subdiag=fed(2, 1, 5), rhs=fed(2, 5, 3))
DIAGONALS = np.array([[[1, -0.5, 0.25, 1, 9], [4, 5, -4, 3, 6], [9, 1, 0.5, -1, 0.75]]] * 2) * np.array([1, -1.5]).reshape(2, 1, 1)
case("TridiagonalSolve", unknown={"diagonals": (0, 2), "rhs": (0, 1)}, diagonals=fed(values=DIAGONALS), rhs=fed(2, 5, 3))


def raw():
    import tensorflow as tf
    return tf.raw_ops


family.old("BatchMatrixInverse", "", lambda x: raw().MatrixInverse(input=x), x=fed(values=[SQUARE, SQUARE]))
family.old("BatchMatrixDeterminant", "", lambda x: raw().MatrixDeterminant(input=x), x=fed(values=[SQUARE, np.roll(SQUARE, 1, 0)]))
family.old("BatchMatrixSolve", "", lambda x, y: raw().MatrixSolve(matrix=x, rhs=y), x=fed(values=[SQUARE, SQUARE]), y=fed(2, 3, 2))
family.old("BatchMatrixTriangularSolve", "", lambda x, y: raw().MatrixTriangularSolve(matrix=x, rhs=y), x=fed(values=[SQUARE, SQUARE]), y=fed(2, 3, 2))


@family.graph("bias", unknown=(0,))
def bias(building):
    import tensorflow as tf
    product = tf.raw_ops.MatMul(a=building.fed("x", fed(2, 3)), b=building.fixed(fixed(3, 4), "weights"))
    return [tf.raw_ops.BiasAdd(value=product, bias=building.fixed(fixed(4), "bias"), name="result")]


@family.graph("fused_matmul")
def fused(building):
    """An operation that grappler leaves in some frozen graphs."""
    import tensorflow as tf
    x, weights, biases = building.fed("x", fed(2, 3)), building.fixed(fixed(3, 4), "weights"), building.fixed(fixed(4), "bias")
    if building.runs:
        return [tf.nn.relu(tf.matmul(x, weights) + biases)]
    from tensorflow.python.framework import ops
    graph = ops.get_default_graph()
    node = graph.create_op("_FusedMatMul", [x, weights, biases], [tf.float32], name="result",
                           attrs={"num_args": attr(i=1), "fused_ops": attr(list={"s": [b"BiasAdd", b"Relu"]}), "T": attr(type=1)})
    node.outputs[0].set_shape([2, 4])
    return [node.outputs[0]]


def attr(**value):
    import tensorflow as tf
    return tf.compat.v1.AttrValue(**value)
