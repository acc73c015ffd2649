"""Functions of the model, and operators that ONNX defines by functions, against ONNX Runtime."""
import numpy as np
import onnx
import pytest
from onnx import AttributeProto as A, TensorProto as T, helper as h, numpy_helper as nh

import judge

RNG = np.random.default_rng(3)
X = RNG.standard_normal((2, 3, 4), dtype=np.float32)
OPSETS = [h.make_opsetid("", 20), h.make_opsetid("local", 1)]


def function(name, inputs, outputs, nodes, attributes=(), defaults=(), domain="local", overload="", opsets=OPSETS):
    return h.make_function(domain, name, inputs, outputs, nodes, opsets, list(attributes),
                           attribute_protos=list(defaults), overload=overload)


def call(op, inputs, outputs, name=None, overload="", **attributes):
    return h.make_node(op, inputs, outputs, name, domain="local", overload=overload or None, **attributes)


def refers(node, name, to, kind):
    """`node` with an attribute that refers to one of the function around it."""
    node.attribute.append(A(name=name, ref_attr_name=to, type=kind))
    return node


def check(tmp_path, nodes, functions, feeds=None, outputs=("y",), initializers=(), want=None, kinds=None):
    feeds = {"x": X} if feeds is None else feeds
    graph = h.make_graph(nodes, "g", [h.make_tensor_value_info(k, h.np_dtype_to_tensor_dtype(v.dtype), v.shape) for k, v in feeds.items()],
                         [h.make_tensor_value_info(o, (kinds or {}).get(o, T.FLOAT), None) for o in outputs], list(initializers))
    model = h.make_model(graph, opset_imports=OPSETS, functions=functions, ir_version=10)
    path = str(tmp_path / "m.onnx")
    onnx.save(model, path)
    xml = judge.convert(path, tmp_path)
    if want is None:
        judge.assert_same(path, xml, feeds, 1e-5)
        return xml
    got = judge.in_openvino(xml, feeds)
    for name, array in want.items():
        assert judge.relative_error(got[name], array) < 1e-5
    return xml


REFERENCES = {
    "float": (A.FLOAT, lambda: [refers(h.make_node("LeakyRelu", ["a"], ["b"]), "alpha", "p", A.FLOAT)], 0.25),
    "int": (A.INT, lambda: [refers(h.make_node("Softmax", ["a"], ["b"]), "axis", "p", A.INT)], 1),
    "ints": (A.INTS, lambda: [refers(h.make_node("Transpose", ["a"], ["b"]), "perm", "p", A.INTS)], [1, 2, 0]),
    "string": (A.STRING, lambda: [refers(h.make_node("Gelu", ["a"], ["b"]), "approximate", "p", A.STRING)], "tanh"),
    "tensor": (A.TENSOR, lambda: [refers(h.make_node("Constant", [], ["c"]), "value", "p", A.TENSOR),
                                  h.make_node("Add", ["a", "c"], ["b"])], nh.from_array(X[0] + 1)),
    "floats": (A.FLOATS, lambda: [refers(h.make_node("Constant", [], ["c"]), "value_floats", "p", A.FLOATS),
                                  h.make_node("Add", ["a", "c"], ["b"])], [1.0, 2.0, 3.0, 4.0]),
}


@pytest.mark.parametrize("how", ["given", "default", "nested"])
@pytest.mark.parametrize("kind", REFERENCES)
def test_reference_to_an_attribute(tmp_path, kind, how):
    proto, make, value = REFERENCES[kind]
    nodes = make()
    if how == "default":
        functions = [function("F", ["a"], ["b"], nodes, defaults=[h.make_attribute("p", value)])]
        check(tmp_path, [call("F", ["x"], ["y"])], functions)
    elif how == "given":
        check(tmp_path, [call("F", ["x"], ["y"], p=value)], [function("F", ["a"], ["b"], nodes, ["p"])])
    else:
        outer = [refers(call("F", ["a"], ["b"]), "p", "q", proto)]
        functions = [function("F", ["a"], ["b"], nodes, ["p"]), function("G", ["a"], ["b"], outer, ["q"])]
        check(tmp_path, [call("G", ["x"], ["y"], q=value)], functions)


def test_the_calls_attribute_wins_over_the_default(tmp_path):
    leaky = refers(h.make_node("LeakyRelu", ["a"], ["b"]), "alpha", "slope", A.FLOAT)
    f = function("F", ["a"], ["b"], [leaky], defaults=[h.make_attribute("slope", 0.5)])
    check(tmp_path, [call("F", ["x"], ["m"]), call("F", ["m"], ["y"], slope=0.125)], [f])


def test_an_attribute_that_the_call_leaves_out_is_the_operators_own_default(tmp_path):
    leaky = refers(h.make_node("LeakyRelu", ["a"], ["b"]), "alpha", "slope", A.FLOAT)
    check(tmp_path, [call("F", ["x"], ["y"])], [function("F", ["a"], ["b"], [leaky], ["slope"])])


def test_overloads(tmp_path):
    functions = [function("F", ["a"], ["b"], [h.make_node("Exp", ["a"], ["b"])], overload="exp"),
                 function("F", ["a"], ["b"], [h.make_node("Neg", ["a"], ["b"])], overload="neg"),
                 function("F", ["a"], ["b"], [h.make_node("Abs", ["a"], ["b"])]),
                 function("G", ["a"], ["b"], [call("F", ["a"], ["m"], overload="neg"), call("F", ["m"], ["b"], overload="exp")])]
    nodes = [call("G", ["x"], ["g"]), call("F", ["g"], ["n"], overload="neg"), call("F", ["n"], ["y"])]
    check(tmp_path, nodes, functions, want={"y": np.exp(-X)})


def test_inputs_that_the_call_leaves_out(tmp_path):
    f = function("F", ["a", "low", "high"], ["b"], [h.make_node("Clip", ["a", "low", "high"], ["b"])])
    low = nh.from_array(np.float32(-0.25), "l")
    nodes = [call("F", ["x"], ["p"]), call("F", ["p", "l"], ["q"]), call("F", ["q", "", "h"], ["y"])]
    check(tmp_path, nodes, [f], initializers=[low, nh.from_array(np.float32(0.5), "h")])


def test_an_absent_input_stays_absent_in_the_functions_it_is_passed_to(tmp_path):
    f = function("F", ["a", "low", "high"], ["b"], [h.make_node("Clip", ["a", "low", "high"], ["b"])])
    g = function("G", ["a", "low", "high"], ["b"], [call("F", ["a", "low", "high"], ["b"])])
    check(tmp_path, [call("G", ["x", "", "h"], ["y"])], [f, g], initializers=[nh.from_array(np.float32(0.5), "h")])


def test_outputs_that_the_call_leaves_out(tmp_path):
    nodes = [h.make_node("Exp", ["a"], ["e"]), h.make_node("Neg", ["a"], ["n"]), h.make_node("Abs", ["a"], ["b"])]
    f = function("F", ["a"], ["e", "n", "b"], nodes)
    want = {"y": np.exp(-X), "z": np.abs(X)}
    check(tmp_path, [call("F", ["x"], ["", "m"]), call("F", ["m"], ["y", "", "z"])], [f], outputs=("y", "z"), want=want)


def test_names_inside_and_outside_may_be_the_same(tmp_path):
    """Every call has tensors and nodes of its own, whatever the graph around has."""
    nodes = [h.make_node("Exp", ["x"], ["t"], "n"), h.make_node("Neg", ["t"], ["y"], "n")]
    f = function("F", ["x"], ["y"], nodes)
    outer = [h.make_node("Abs", ["x"], ["t"], "n"), call("F", ["t"], ["u"], "n"), call("F", ["u"], ["y"], "n")]
    check(tmp_path, outer, [f], want={"y": -np.exp(-np.exp(np.abs(X)))})


def test_an_output_that_is_an_input(tmp_path):
    f = function("F", ["a"], ["a", "b"], [h.make_node("Neg", ["a"], ["b"])])
    check(tmp_path, [call("F", ["x"], ["p", "q"]), h.make_node("Mul", ["p", "q"], ["y"])], [f], want={"y": -X * X})


def test_the_order_of_nodes_does_not_matter(tmp_path):
    f = function("F", ["a"], ["b"], [h.make_node("Exp", ["m"], ["b"]), h.make_node("Neg", ["a"], ["m"])])
    check(tmp_path, [call("F", ["m"], ["y"]), h.make_node("Abs", ["x"], ["m"])], [f], want={"y": np.exp(-np.abs(X))})


def test_a_function_wins_over_the_operator_of_its_name(tmp_path):
    f = function("Relu", ["a"], ["b"], [h.make_node("Neg", ["a"], ["b"])], domain="")
    check(tmp_path, [h.make_node("Relu", ["x"], ["y"])], [f], want={"y": -X})


def test_nodes_are_of_the_operator_set_of_their_function(tmp_path):
    """Softmax of operator set 11 takes all dimensions from its axis on together."""
    f = function("F", ["a"], ["b"], [h.make_node("Softmax", ["a"], ["b"], axis=1)], opsets=[h.make_opsetid("", 11)])
    power = np.exp(X)
    check(tmp_path, [call("F", ["x"], ["y"])], [f], want={"y": power / power.sum((1, 2), keepdims=True)})


def test_value_info_of_a_function_means_nothing(tmp_path):
    f = function("F", ["a"], ["b"], [h.make_node("Exp", ["a"], ["m"]), h.make_node("Neg", ["m"], ["b"])])
    f.value_info.append(h.make_tensor_value_info("m", T.INT64, [7]))
    check(tmp_path, [call("F", ["x"], ["y"])], [f], want={"y": -np.exp(X)})


def test_sparse_constant(tmp_path):
    sparse = h.make_sparse_tensor(nh.from_array(np.float32([2, 3]), "v"), nh.from_array(np.int64([1, 10]), "i"), [3, 4])
    constant = h.make_node("Constant", [], ["c"])
    constant.attribute.append(A(name="sparse_value", type=A.SPARSE_TENSOR, sparse_tensor=sparse))
    check(tmp_path, [constant, h.make_node("Add", ["x", "c"], ["y"])], [])


@pytest.mark.parametrize("alpha", [None, 0.5])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_operator_that_is_a_function(tmp_path, alpha, dtype):
    node = h.make_node("ThresholdedRelu", ["x"], ["y"], **({} if alpha is None else {"alpha": alpha}))
    kind = h.np_dtype_to_tensor_dtype(np.dtype(dtype))
    limit = 1 if alpha is None else alpha
    xml = check(tmp_path, [node], [], {"x": X.astype(dtype)}, want={"y": np.where(X.astype(dtype) > limit, X.astype(dtype), 0)}, kinds={"y": kind})
    text = open(xml).read()
    assert text.count("<layer ") == 6 and text.count('type="Select"') == 1  # two constants, and no Convert


# Bodies

TRUE = np.array(True)
ZERO = nh.from_array(np.zeros_like(X))


def body(nodes, outputs, inputs=(), name="body"):
    return h.make_graph(nodes, name, [h.make_tensor_value_info(n, t, s) for n, t, s in inputs],
                        [h.make_tensor_value_info(o, t, None) for o, t in outputs])


def branch(nodes, output="o"):
    return body(nodes, [(output, T.FLOAT)])


@pytest.mark.parametrize("condition", [True, False])
def test_reference_inside_the_body_of_a_function(tmp_path, condition):
    then = branch([refers(h.make_node("LeakyRelu", ["a"], ["o"]), "alpha", "p", A.FLOAT)])
    other = branch([refers(h.make_node("Elu", ["a"], ["o"]), "alpha", "p", A.FLOAT)])
    f = function("F", ["a", "c"], ["b"], [h.make_node("If", ["c"], ["b"], then_branch=then, else_branch=other)], ["p"])
    check(tmp_path, [call("F", ["x", "c"], ["y"], p=0.25)], [f], {"x": X, "c": np.array(condition)})


def test_body_of_a_function_in_a_body_reads_both(tmp_path):
    """A call in a branch: the function's own branch reads tensors of the function, whose inputs come from outside of the first branch."""
    inner = h.make_node("If", ["c"], ["b"], then_branch=branch([h.make_node("Mul", ["a", "twice"], ["o"])]),
                        else_branch=branch([h.make_node("Neg", ["twice"], ["o"])]))
    f = function("F", ["a", "c"], ["b"], [h.make_node("Add", ["a", "a"], ["twice"]), inner])
    nodes = [h.make_node("Abs", ["x"], ["m"]),
             h.make_node("If", ["c"], ["y"], then_branch=branch([call("F", ["m", "c"], ["o"])]), else_branch=branch([h.make_node("Exp", ["m"], ["o"])]))]
    check(tmp_path, nodes, [f], {"x": X, "c": TRUE}, want={"y": 2 * X * X})


def test_absent_input_inside_the_body_of_a_function(tmp_path):
    then = branch([h.make_node("Clip", ["a", "low", "high"], ["o"])])
    other = branch([h.make_node("Neg", ["a"], ["o"])])
    f = function("F", ["a", "c", "low", "high"], ["b"], [h.make_node("If", ["c"], ["b"], then_branch=then, else_branch=other)])
    check(tmp_path, [call("F", ["x", "c", "", "h"], ["y"])], [f], {"x": X, "c": TRUE},
          initializers=[nh.from_array(np.float32(0.5), "h")], want={"y": np.minimum(X, 0.5)})


def conditional(then, other, domain="local"):
    """A function whose branches come from the call."""
    node = h.make_node("If", ["c"], ["b"])
    for name, to in (("then_branch", then), ("else_branch", other)):
        refers(node, name, to, A.GRAPH)
    return function("Choose", ["c"], ["b"], [node], sorted({then, other}))


@pytest.mark.parametrize("condition", [True, False])
def test_bodies_passed_to_a_function(tmp_path, condition):
    """They read the tensors around the call, not those of the function, which have the same names."""
    f = conditional("p", "q")
    f.node.append(h.make_node("Constant", [], ["x"], value_float=100.0))
    nodes = [h.make_node("Exp", ["x"], ["e"]),
             call("Choose", ["c"], ["y"], p=branch([h.make_node("Add", ["x", "e"], ["o"])]), q=branch([h.make_node("Sub", ["x", "e"], ["o"])]))]
    want = X + np.exp(X) if condition else X - np.exp(X)
    check(tmp_path, nodes, [f], {"x": X, "c": np.array(condition)}, want={"y": want})


def test_bodies_passed_on(tmp_path):
    """A function wraps the call in a body of its own, through which the passed bodies read tensors from outside."""
    inner = refers(refers(call("Choose", ["c"], ["o"]), "p", "r", A.GRAPH), "q", "s", A.GRAPH)
    wrapped = h.make_node("If", ["c"], ["b"], then_branch=branch([inner]), else_branch=branch([h.make_node("Constant", [], ["o"], value=ZERO)]))
    g = function("G", ["c"], ["b"], [wrapped], ["r", "s"])
    nodes = [h.make_node("Exp", ["x"], ["e"]),
             call("G", ["c"], ["m"], r=branch([h.make_node("Mul", ["e", "x"], ["o"])]), s=branch([h.make_node("Neg", ["e"], ["o"])])),
             h.make_node("Add", ["m", "e"], ["y"])]
    check(tmp_path, nodes, [conditional("p", "q"), g], {"x": X, "c": TRUE}, want={"y": np.exp(X) * X + np.exp(X)})


def test_one_body_in_two_places_and_by_default(tmp_path):
    default = h.make_attribute("q", branch([h.make_node("Constant", [], ["o"], value=ZERO)]))
    f = conditional("p", "q")
    del f.attribute[:]
    f.attribute.append("p")
    f.attribute_proto.append(default)
    twice = function("Twice", ["c"], ["b"], [refers(call("Choose", ["c"], ["m"]), "p", "p", A.GRAPH), refers(call("Choose", ["c"], ["n"]), "p", "p", A.GRAPH),
                                             h.make_node("Add", ["m", "n"], ["b"])], ["p"])
    nodes = [call("Twice", ["c"], ["m"], p=branch([h.make_node("Exp", ["x"], ["o"])])), call("Twice", ["d"], ["n"], p=branch([h.make_node("Exp", ["x"], ["o"])])),
             h.make_node("Mul", ["m", "n"], ["y"])]
    check(tmp_path, nodes, [f, twice], {"x": X, "c": TRUE, "d": np.array(False)}, want={"y": 2 * np.exp(X) * 0})


def test_loop_whose_body_is_passed_to_a_function(tmp_path):
    loop = refers(h.make_node("Loop", ["n", "", "a"], ["b"]), "body", "p", A.GRAPH)
    f = function("F", ["n", "a"], ["b"], [loop], ["p"])
    nodes = [h.make_node("Identity", ["go"], ["o_go"]), h.make_node("Add", ["carried", "e"], ["o"])]
    step = body(nodes, [("o_go", T.BOOL), ("o", T.FLOAT)], [("i", T.INT64, []), ("go", T.BOOL, []), ("carried", T.FLOAT, None)])
    main = [h.make_node("Exp", ["x"], ["e"]), call("F", ["n", "x"], ["y"], p=step)]
    check(tmp_path, main, [f], {"x": X, "n": np.array(3)}, want={"y": X + 3 * np.exp(X)})
