"""Sub-graphs that become one operation: which layers are left, and that the numbers are those of ONNX Runtime."""
import xml.etree.ElementTree as ET

import numpy as np
import onnx.parser
import pytest

import judge

# name: (inputs, initializers, statements giving y, the layers but Const, Parameter and Result)
FRONT = {
    "softplus": ("float[N,3] x", "float one = {1}", "e = Exp(x) s = Add(one, e) y = Log(s)", "SoftPlus"),
    "softplus_not_2": ("float[N,3] x", "float two = {2}", "e = Exp(x) s = Add(e, two) y = Log(s)", "Exp Add Log"),
    "mish": ("float[N,3] x", "", "p = Softplus(x) t = Tanh(p) y = Mul(x, t)", "Mish"),
    "mish_of_log": ("float[N,3] x", "float one = {1}", "e = Exp(x) s = Add(e, one) p = Log(s) t = Tanh(p) y = Mul(t, x)", "Mish"),
    "mish_not_other": ("float[N,3] x, float[N,3] z", "", "p = Softplus(z) t = Tanh(p) y = Mul(x, t)", "SoftPlus Tanh Multiply"),
    "swish": ("float[N,3] x", "", "s = Sigmoid(x) y = Mul(s, x)", "Swish"),
    "swish_beta": ("float[N,3] x", "float b = {1.702}", "m = Mul(b, x) s = Sigmoid(m) y = Mul(x, s)", "Swish"),
    "swish_exp": ("float[N,3] x", "float one = {1}", "n = Neg(x) e = Exp(n) s = Add(one, e) y = Div(x, s)", "Swish"),
    "swish_exp_beta": ("float[N,3] x", "float one = {1}, float b = {0.5}",
                       "m = Mul(x, b) n = Neg(m) e = Exp(n) s = Add(e, one) y = Div(x, s)", "Swish"),
    "swish_not_other": ("float[N,3] x, float[N,3] z", "", "s = Sigmoid(z) y = Mul(s, x)", "Sigmoid Multiply"),
    "swish_not_shifted": ("float[N,3] x", "float b = {0.5}", "m = Add(x, b) s = Sigmoid(m) y = Mul(x, s)", "Add Sigmoid Multiply"),
    "hswish_clamp": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}",
                     "p = Add(x, a) r = Clip(p, b, c) m = Mul(x, r) y = Div(m, c)", "HSwish"),
    "hswish_clamp_sixth": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}, float d = {0.16666667}",
                           "p = Add(a, x) r = Clip(p, b, c) m = Mul(r, d) y = Mul(x, m)", "HSwish"),
    "hswish_min_max": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}",
                       "p = Add(x, a) q = Max(p, b) r = Min(q, c) m = Div(r, c) y = Mul(m, x)", "HSwish"),
    "hswish_relu": ("float[N,3] x", "float a = {3}, float c = {6}",
                    "p = Add(x, a) q = Relu(p) r = Min(c, q) m = Mul(r, x) y = Div(m, c)", "HSwish"),
    "hswish_not_5": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}, float d = {5}",
                     "p = Add(x, a) r = Clip(p, b, c) m = Mul(x, r) y = Div(m, d)", "Add Clamp Multiply Divide"),
    "hsigmoid_clamp": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}",
                       "p = Add(x, a) r = Clip(p, b, c) y = Div(r, c)", "HSigmoid"),
    "hsigmoid_min_max": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {6}, float d = {0.16666667}",
                         "p = Add(x, a) q = Max(b, p) r = Min(q, c) y = Mul(r, d)", "HSigmoid"),
    "hsigmoid_relu": ("float[N,3] x", "float a = {3}, float c = {6}", "p = Add(x, a) q = Relu(p) r = Min(q, c) y = Div(r, c)", "HSigmoid"),
    "hsigmoid_relu_sixth": ("float[N,3] x", "float a = {3}, float c = {6}, float d = {0.16666667}",
                            "p = Add(x, a) q = Relu(p) r = Min(q, c) y = Mul(r, d)", "HSigmoid"),
    "hsigmoid_not_7": ("float[N,3] x", "float a = {3}, float b = {0}, float c = {7}, float d = {6}",
                       "p = Add(x, a) r = Clip(p, b, c) y = Div(r, d)", "Add Clamp Divide"),
    "gelu_erf": ("float[N,3] x", "float r = {1.4142135}, float one = {1}, float h = {0.5}",
                 "d = Div(x, r) e = Erf(d) s = Add(e, one) m = Mul(x, s) y = Mul(m, h)", "Gelu"),
    "gelu_erf_half_last": ("float[N,3] x", "float r = {0.70710677}, float one = {1}, float h = {0.5}",
                           "d = Mul(r, x) e = Erf(d) s = Add(one, e) m = Mul(h, s) y = Mul(x, m)", "Gelu"),
    "gelu_erf_half_first": ("float[N,3] x", "float r = {1.4142135}, float one = {1}, float two = {2}",
                            "g = Div(x, two) d = Div(x, r) e = Erf(d) s = Add(e, one) y = Mul(g, s)", "Gelu"),
    "gelu_erf_not_scaled": ("float[N,3] x", "float r = {1.5}, float one = {1}, float h = {0.5}",
                            "d = Div(x, r) e = Erf(d) s = Add(e, one) m = Mul(x, s) y = Mul(m, h)", "Divide Erf Add Multiply Multiply"),
    "gelu_tanh": ("float[N,3] x", "float a = {0.044715}, float r = {0.7978846}, float one = {1}, float h = {0.5}, float k = {3}",
                  "c = Pow(x, k) d = Mul(c, a) p = Add(x, d) q = Mul(p, r) t = Tanh(q) s = Add(t, one) m = Mul(x, s) y = Mul(m, h)", "Gelu"),
    "gelu_tanh_factored": ("float[N,3] x", "float a = {0.044715}, float r = {0.7978846}, float one = {1}, float h = {0.5}",
                           "g = Mul(x, h) c = Mul(x, x) d = Mul(c, a) p = Add(one, d) u = Mul(x, r) q = Mul(u, p) t = Tanh(q) s = Add(one, t) y = Mul(g, s)", "Gelu"),
    "gelu_tanh_not_square": ("float[N,3] x", "float a = {0.044715}, float r = {0.7978846}, float one = {1}, float h = {0.5}, float k = {2}",
                             "c = Pow(x, k) d = Mul(c, a) p = Add(x, d) q = Mul(p, r) t = Tanh(q) s = Add(t, one) m = Mul(x, s) y = Mul(m, h)",
                             "Power Multiply Add Multiply Tanh Add Multiply Multiply"),
    "layer_norm": ("float[N,3,8] x", "float two = {2}, float eps = {1e-5}, float[8] g = {1,2,3,4,5,6,7,8}, float[8] b = {8,7,6,5,4,3,2,1}",
                   "m = ReduceMean<axes=[-1]>(x) d = Sub(x, m) q = Pow(d, two) v = ReduceMean<axes=[-1]>(q) w = Add(v, eps) r = Sqrt(w) n = Div(d, r) o = Mul(n, g) y = Add(o, b)",
                   "MVN Multiply Add"),
    "layer_norm_twice": ("float[N,3,8] x", "float[1] eps = {1e-5}",
                         "m = ReduceMean<axes=[1,2]>(x) d = Sub(x, m) c = Sub(x, m) q = Mul(c, c) v = ReduceMean<axes=[1,2]>(q) w = Add(eps, v) r = Sqrt(w) y = Div(d, r)", "MVN"),
    "layer_norm_not_axes": ("float[N,3,8] x", "float two = {2}, float eps = {1e-5}",
                            "m = ReduceMean<axes=[-1]>(x) d = Sub(x, m) q = Pow(d, two) v = ReduceMean<axes=[1]>(q) w = Add(v, eps) r = Sqrt(w) y = Div(d, r)",
                            "ReduceMean Subtract Power ReduceMean Add Sqrt Divide"),
    "softmax": ("float[N,3,8] x", "int64[1] a = {-1}",
                "m = ReduceMax<axes=[-1]>(x) d = Sub(x, m) e = Exp(d) s = ReduceSum(e, a) y = Div(e, s)", "SoftMax"),
    "softmax_not_axes": ("float[N,3,8] x", "int64[1] a = {-1}",
                         "m = ReduceMax<axes=[1]>(x) d = Sub(x, m) e = Exp(d) s = ReduceSum(e, a) y = Div(e, s)",
                         "ReduceMax Subtract Exp ReduceSum Divide"),
}


TABLE = "float[10,2] t = {" + ",".join(map(str, range(20))) + "}"
SHAPED = {
    "l2_max": ("float[N,3,4] x", "float eps = {1e-6}, float two = {2}, int64[1] a = {1}",
               "q = Pow(x, two) s = ReduceSum(q, a) m = Max(s, eps) r = Sqrt(m) y = Div(x, r)", "NormalizeL2"),
    "l2_add": ("float[N,3,4] x", "float eps = {1e-6}, int64[1] a = {-1}",
               "q = Mul(x, x) s = ReduceSum(q, a) m = Add(eps, s) r = Sqrt(m) i = Reciprocal(r) y = Mul(x, i)", "NormalizeL2"),
    "l2_expanded": ("float[N,3,4] x", "float eps = {1e-12}",
                    "l = ReduceL2<axes=[1]>(x) m = Clip(l, eps) s = Shape(x) e = Expand(m, s) y = Div(x, e)", "NormalizeL2"),
    "l2_not_other": ("float[N,3,4] x, float[N,3,4] z", "float eps = {1e-6}, int64[1] a = {1}",
                     "q = Mul(z, z) s = ReduceSum(q, a) m = Max(s, eps) r = Sqrt(m) y = Div(x, r)",
                     "Multiply ReduceSum Maximum Sqrt Divide"),
    "l2_not_flat": ("float[N,3,4] x", "float eps = {1e-6}, int64[1] w = {2}",
                    "l = ReduceL2<axes=[2], keepdims=0>(x) m = Max(l, eps) k = Unsqueeze(m, w) y = Div(x, k)",
                    "ReduceL2 Maximum Unsqueeze Divide"),
    "prelu": ("float[N,3,4] x", "float a = {0.25}", "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(a, q) y = Sub(p, m)", "PReLU"),
    "prelu_channels": ("float[N,3,4] x", "float[3,1] a = {-0.25, 0.5, -1}",
                       "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(q, a) y = Add(m, p)", "PReLU"),
    "prelu_negated": ("float[N,3,4] x", "float a = {0.25}", "p = Relu(x) n = Neg(x) q = Relu(n) r = Neg(q) m = Mul(a, r) y = Add(p, m)", "PReLU"),
    "prelu_last_axis": ("float[N,3,4] x", "float[4] a = {1,2,3,4}",
                        "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(a, q) y = Sub(p, m)", "PReLU"),
    "prelu_square": ("float[1,3,3,3] x", "float[3] a = {1,-2,3}", "p = Relu(x) n = Neg(x) q = Relu(n) m = Mul(a, q) y = Sub(p, m)", "PReLU"),
    "equal_operations": ("float[N,3,4] x", "int64[1] b = {0}, int64[1] e = {2}, int64[1] a = {1}",
                         "p = Slice(x, b, e, a) q = Slice(x, b, e, a) r = Sin(p) t = Cos(q) y = Sub(r, t)", "Slice Sin Cos Subtract"),
    "reshapes": ("float[N,3,4] x", "int64[2] a = {-1, 2}, int64[3] b = {-1, 6, 2}",
                 "r = Reshape(x, a) y = Reshape(r, b)", "Reshape"),
    "reshapes_not_copied": ("float[N,3,4] x", "int64[2] a = {0, 12}, int64[2] b = {0, -1}, int64[3] c = {-1, 4, 3}",
                            "q = Reshape(x, c) r = Reshape(q, a) s = Relu(r) y = Reshape(s, b)", "Reshape Reshape ReLU"),
    "reshape_redundant": ("float[N,3,4] x", "int64[3] a = {0, -1, 4}", "r = Relu(x) y = Reshape(r, a)", "ReLU"),
    "reshape_by_own_shape": ("float[N,3,4] x", "", "r = Relu(x) s = Shape(r) y = Reshape(r, s)", "ReLU"),
    "transposes": ("float[N,3,4] x", "", "r = Transpose<perm=[2,0,1]>(x) y = Transpose<perm=[0,2,1]>(r)", "Transpose"),
    "transposes_cancel": ("float[N,3,4] x", "", "r = Transpose<perm=[2,0,1]>(x) s = Transpose<perm=[1,2,0]>(r) y = Relu(s)", "ReLU"),
    "transposes_shared": ("float[N,3,4] x", "", "r = Transpose<perm=[2,0,1]>(x) s = Transpose<perm=[0,2,1]>(r) t = Transpose<perm=[0,2,1]>(s) y = Mul(t, r)",
                          "Transpose Multiply"),
    "transpose_of_factor": ("float[N,3,4] x, float[N,5,4] z", "float[4,1] d = {1,2,3,4}", "t = Transpose<perm=[0,2,1]>(z) q = Div(t, d) y = MatMul(x, q)", "Divide MatMul"),
    "transpose_left_out": ("float[N,1,7,5] x", "int64[3] p = {0,-1,5}", "s = Sin(x) t = Transpose<perm=[0,2,3,1]>(s) y = Reshape(t, p)", "Sin Reshape"),
    "transpose_needed": ("float[N,1,T,5] x", "int64[4] p = {0,0,1,-1}", "s = Sin(x) t = Transpose<perm=[0,2,3,1]>(s) y = Reshape(t, p)", "Sin Reshape Transpose"),
    "transpose_rotated": ("float[N,6,1,1] x", "int64[5] p = {0,2,3,1,1}", "r = Reshape(x, p) y = Transpose<perm=[0,3,4,1,2]>(r)", "Reshape"),
    "neutral": ("float[N,3,4] x", "float[4] zero = {0,0,0,0}, float one = {1}", "r = Relu(x) s = Add(zero, r) y = Mul(s, one)", "ReLU"),
    "neutral_not_wider": ("float[N,1,4] x", "float[3,1] zero = {0,0,0}", "r = Relu(x) y = Add(r, zero)", "ReLU Add"),
    "neutral_not_reversed": ("float[N,3,4] x", "float one = {1}", "a = Abs(x) r = Sqrt(a) y = Div(one, r)", "Abs Sqrt Divide"),
    "shapes_merge": ("float[N,3,4] x", "int64 i = {0}, int64[1] j = {0}, int64[1] k = {2}, float h = {1}",
                     "s = Shape(x) a = Gather(s, i) b = Unsqueeze(a, j) t = Shape(x) c = Gather(t, i) d = Unsqueeze(c, j) "
                     "p = Concat<axis=0>(b, k) q = Concat<axis=0>(d, k) e = Expand(h, p) f = Expand(h, q) y = Add(e, f)",
                     "ShapeOf Gather Concat Broadcast Broadcast Add"),
    "heads": ("float[N,S,8] x", "int64 i = {0}, int64 k = {1}, int64[1] j = {0}, int64[1] h = {2}, int64[1] d = {4}",
              "r = Relu(x) s = Shape(r) a = Gather(s, i) b = Unsqueeze(a, j) t = Shape(r) c = Gather(t, k) e = Unsqueeze(c, j) "
              "p = Concat<axis=0>(b, e, h, d) y = Reshape(r, p)", "ReLU Reshape"),
    "heads_swapped": ("float[N,S,8] x", "int64 i = {0}, int64 k = {1}, int64[1] j = {0}, int64[1] h = {8}",
                      "s = Shape(x) a = Gather(s, i) b = Unsqueeze(a, j) c = Gather(s, k) e = Unsqueeze(c, j) p = Concat<axis=0>(e, h, b) y = Reshape(x, p)",
                      "ShapeOf Gather Gather Concat Reshape"),
    "heads_moved": ("float[N,S,8] x", "int64 i = {0}, int64 k = {1}, int64[1] j = {0}, int64[1] h = {2}, int64[1] d = {4}",
                    "s = Shape(x) a = Gather(s, i) b = Unsqueeze(a, j) c = Gather(s, k) e = Unsqueeze(c, j) p = Concat<axis=0>(b, h, e, d) y = Reshape(x, p)", "Reshape"),
    "heads_not_one": ("float[N,S,8] x", "int64[1] i = {0}, int64[1] m = {-1}",
                      "s = Shape(x) a = Gather(s, i) p = Concat<axis=0>(a, m) y = Reshape(x, p)", "ShapeOf Gather Concat Reshape"),
    "heads_not_swapped": ("float[N,S,8] x", "int64[3] i = {1, 0, 2}", "s = Shape(x) p = Gather(s, i) y = Reshape(x, p)", "ShapeOf Gather Reshape"),
    "attention": ("float[N,2,5,8] q, float[N,2,4,8] k, float[N,2,4,8] v, float[N,1,5,4] m", "float d = {2.8284271}",
                  "t = Transpose<perm=[0,1,3,2]>(k) p = MatMul(q, t) s = Div(p, d) a = Add(s, m) w = Softmax<axis=-1>(a) y = MatMul(w, v)",
                  "ScaledDotProductAttention"),
    "attention_heads": ("float[N,S,16] q, float[N,T,16] k, float[N,2,T,8] v", "float d = {0.5}, int64[4] h = {0, 0, 2, 8}",
                        "b = Reshape(k, h) t = Transpose<perm=[0,2,3,1]>(b) c = Reshape(q, h) u = Transpose<perm=[0,2,1,3]>(c) "
                        "p = MatMul(u, t) s = Mul(d, p) w = Softmax<axis=3>(s) y = MatMul(w, v)",
                        "Reshape Reshape Transpose Transpose ScaledDotProductAttention"),
    "attention_not_scaled": ("float[N,5,8] q, float[N,8,4] t, float[N,4,8] v, float[5,4] m", "",
                             "p = MatMul(q, t) a = Add(m, p) w = Softmax<axis=-1>(a) y = MatMul(w, v)", "Transpose ScaledDotProductAttention"),
    "attention_mask_of_one_row": ("float[N,2,S,8] q, float[N,2,8,T] t, float[N,2,T,8] v, float[N,1,1,T] m", "",
                                  "p = MatMul(q, t) a = Add(p, m) w = Softmax<axis=-1>(a) y = MatMul(w, v)",
                                  "ShapeOf ShapeOf Gather Gather Concat Broadcast Transpose ScaledDotProductAttention"),
    "attention_mask_of_one_column": ("float[N,2,5,8] q, float[N,2,8,4] t, float[N,2,4,8] v, float[5,1] m", "",
                                     "p = MatMul(q, t) a = Add(m, p) w = Softmax<axis=-1>(a) y = MatMul(w, v)",
                                     "Broadcast Transpose ScaledDotProductAttention"),
    "attention_mask_of_keys": ("float[N,2,5,8] q, float[N,2,8,T] t, float[N,2,T,8] v, float[T] m", "",
                               "p = MatMul(q, t) a = Add(p, m) w = Softmax<axis=-1>(a) y = MatMul(w, v)",
                               "ShapeOf Gather Concat Broadcast Transpose ScaledDotProductAttention"),
    "attention_mask_shared": ("float[N,S,8] x, float[N,1,S] m", "",
                              "p = Transpose<perm=[0,2,1]>(x) q = MatMul(x, p) a = Add(q, m) w = Softmax<axis=-1>(a) z = MatMul(w, x) "
                              "r = Transpose<perm=[0,2,1]>(z) s = MatMul(z, r) b = Add(s, m) v = Softmax<axis=-1>(b) y = MatMul(v, z)",
                              "ShapeOf Gather Broadcast ScaledDotProductAttention ScaledDotProductAttention"),
    "attention_mask_as_long_as_x": ("float[N,S,8] x", "float[8,1] c = {1,-1,2,-2,3,-3,4,-4}",
                                    "h = MatMul(x, c) g = Transpose<perm=[0,2,1]>(h) n = Add(h, g) p = Transpose<perm=[0,2,1]>(x) "
                                    "q = MatMul(x, p) a = Add(q, n) w = Softmax<axis=-1>(a) y = MatMul(w, x)",
                                    "MatMul Transpose Add ScaledDotProductAttention"),
    "attention_of_static_shape": ("float[3,2,5,8] q, float[1,2,8,4] t, float[3,2,4,6] v, float[5,1] m", "",
                                  "p = MatMul(q, t) a = Add(m, p) w = Softmax<axis=-1>(a) y = MatMul(w, v)",
                                  "Broadcast Transpose ScaledDotProductAttention"),
    "attention_not_of_other_sizes": ("float[N,2,5,8] q, float[N,2,8,4] t, float[N,2,4,6] v", "",
                                     "p = MatMul(q, t) w = Softmax<axis=-1>(p) y = MatMul(w, v)", "MatMul SoftMax MatMul"),
    "attention_not_of_shared_heads": ("float[N,2,5,8] q, float[N,1,8,4] t, float[N,2,4,8] v", "",
                                      "p = MatMul(q, t) w = Softmax<axis=-1>(p) y = MatMul(w, v)", "MatMul SoftMax MatMul"),
    "attention_not_by_rows": ("float[N,2,S,8] q, float[N,2,8,T] t, float[N,2,T,6] v", "",
                              "p = MatMul(q, t) w = Softmax<axis=2>(p) y = MatMul(w, v)", "MatMul SoftMax MatMul"),
    "attention_not_shared": ("float[N,2,S,8] q, float[N,2,8,S] t, float[N,2,S,S] v", "",
                             "p = MatMul(q, t) w = Softmax<axis=-1>(p) o = MatMul(w, v) y = Add(o, w)", "MatMul SoftMax MatMul Add"),
    "attention_not_masked_before": ("float[N,2,S,8] q, float[N,2,8,T] t, float[N,2,T,6] v, float[N,1,1,T] m", "float d = {0.5}",
                                    "p = MatMul(q, t) a = Add(p, m) s = Mul(a, d) w = Softmax<axis=-1>(s) y = MatMul(w, v)",
                                    "MatMul Add Multiply SoftMax MatMul"),
    "positions": ("float[N,S,2] x", f"int64[1,9] r = {{1,2,3,4,5,6,7,8,9}}, {TABLE}, int64[1] z = {{0}}, int64[1] o = {{1}}",
                  "s = Shape(x) e = Gather(s, o) p = Slice(r, z, e, o) g = Gather(t, p) y = Add(x, g)", "ShapeOf StridedSlice Add"),
    "positions_of_columns": ("float[N,2,S] x", f"int64[9] r = {{1,2,3,4,5,6,7,8,9}}, {TABLE}, int64[1] z = {{0}}, int64[1] o = {{2}}, int64[1] i = {{1}}",
                             "s = Shape(x) e = Gather(s, o) p = Slice(r, i, e) u = Transpose(t) g = Gather<axis=1>(u, p) c = Slice(x, i, e, o) y = Add(c, g)",
                             "ShapeOf Gather Slice Slice Add"),
    "positions_not_consecutive": ("float[N,S,2] x", f"int64[1,9] r = {{1,2,3,5,4,6,7,8,9}}, {TABLE}, int64[1] z = {{0}}, int64[1] o = {{1}}",
                                  "s = Shape(x) e = Gather(s, o) p = Slice(r, z, e, o) g = Gather(t, p) y = Add(x, g)", "ShapeOf Gather Slice Gather Add"),
    "positions_not_shared": ("float[N,S,2] x", f"int64[1,9] r = {{1,2,3,4,5,6,7,8,9}}, {TABLE}, int64[1] z = {{0}}, int64[1] o = {{1}}, int64[1] m = {{2}}",
                             "s = Shape(x) e = Gather(s, o) p = Slice(r, z, e, o) g = Gather(t, p) c = Cast<to=1>(p) l = Unsqueeze(c, m) a = Add(x, g) y = Add(a, l)",
                             "ShapeOf Gather Slice Gather Convert Unsqueeze Add Add"),
    "slice_not_along_another_axis": ("float[N,S,2] x, float[N,9,S] z", "int64[1] z0 = {0}, int64[1] o = {1}, int64[1] w = {2}",
                                     "s = Shape(x) e = Gather(s, o) y = Slice(z, z0, e, w)", "ShapeOf Gather Slice"),
    "slice_not_of_fewer_dimensions": ("float[N,S,2] x, float[9,9] z", "int64[1] z0 = {0}, int64[1] o = {1}",
                                      "s = Shape(x) e = Gather(s, o) y = Slice(z, z0, e, o)", "ShapeOf Gather Slice"),
    "rows": ("float[N,S,4] x", "int64[2] r = {-1, 4}, int64[2] i = {0, 1}, int64[1] n = {2}, float[4,2] w = {1,2,3,4,5,6,7,8}, float[2] b = {-1,2}",
             "s = Shape(x) d = Gather(s, i) p = Concat<axis=0>(d, n) f = Reshape(x, r) m = MatMul(f, w) a = Add(m, b) t = Tanh(a) y = Reshape(t, p)", "MatMul Add Tanh"),
    "rows_of_one_open_dimension": ("float[N,3,4] x", "int64[2] r = {-1, 4}, int64[3] p = {-1, 3, 2}, float[4,2] w = {1,2,3,4,5,6,7,8}",
                                   "f = Reshape(x, r) m = MatMul(f, w) y = Reshape(m, p)", "MatMul"),
    "rows_not_swapped": ("float[N,S,4] x", "int64[2] r = {-1, 4}, int64[2] i = {1, 0}, int64[1] n = {2}, float[4,2] w = {1,2,3,4,5,6,7,8}",
                         "s = Shape(x) d = Gather(s, i) p = Concat<axis=0>(d, n) f = Reshape(x, r) m = MatMul(f, w) y = Reshape(m, p)",
                         "ShapeOf Gather Concat Reshape MatMul Reshape"),
    "rows_not_of_a_sum_by_row": ("float[2,3,4] x", "int64[2] r = {-1, 4}, int64[3] p = {2, 3, 2}, float[4,2] w = {1,2,3,4,5,6,7,8}, float[6,1] b = {1,2,3,4,5,6}",
                                 "f = Reshape(x, r) m = MatMul(f, w) a = Add(m, b) y = Reshape(a, p)", "Reshape MatMul Add Reshape"),
    "moments": ("float[N,3,8] x", "float e = {1e-3}, float h = {-0.5}, float[8] g = {1,2,3,4,5,6,7,8}, float[8] b = {8,7,6,5,4,3,2,1}",
                "m = ReduceMean<axes=[-1]>(x) c = Sub(x, m) q = Mul(c, c) v = ReduceMean<axes=[-1]>(q) a = Add(v, e) r = Pow(a, h) s = Mul(r, g) "
                "p = Mul(x, s) t = Mul(m, s) u = Sub(b, t) y = Add(u, p)", "MVN Multiply Add"),
    "moments_negated": ("float[N,3,8] x", "float e = {1e-3}, float two = {2}, float[8] g = {1,2,3,4,5,6,7,8}",
                        "m = ReduceMean<axes=[-1]>(x) c = Sub(x, m) q = Pow(c, two) v = ReduceMean<axes=[-1]>(q) a = Add(e, v) w = Sqrt(a) r = Reciprocal(w) s = Mul(g, r) "
                        "p = Mul(s, x) n = Neg(m) t = Mul(n, s) y = Add(p, t)", "MVN Multiply"),
    "moments_of_first_axes": ("float[N,3,8] x", "float e = {1e-3}, float h = {-0.5}, float[8] b = {8,7,6,5,4,3,2,1}",
                              "m = ReduceMean<axes=[0,1], keepdims=0>(x) c = Sub(x, m) q = Mul(c, c) v = ReduceMean<axes=[0,1], keepdims=0>(q) a = Add(v, e) r = Pow(a, h) "
                              "p = Mul(x, r) t = Mul(m, r) u = Sub(b, t) y = Add(p, u)", "MVN Add"),
    "moments_not_of_one_mean": ("float[N,3,8] x, float[N,3,1] k", "float e = {1e-3}, float h = {-0.5}",
                                "m = ReduceMean<axes=[-1]>(x) c = Sub(x, m) q = Mul(c, c) v = ReduceMean<axes=[-1]>(q) a = Add(v, e) r = Pow(a, h) p = Mul(x, r) n = Neg(k) t = Mul(n, r) y = Add(p, t)",
                                "ReduceMean Subtract Multiply ReduceMean Add Power Multiply Negative Multiply Add"),
    "dimension_of_weights": ("float[N,S,4] x", "int64 i = {-1}, float[4,2] w = {1,2,3,4,5,6,7,8}, float[2] b = {1,2}",
                             "m = MatMul(x, w) a = Add(m, b) s = Shape(a) d = Gather(s, i) f = Cast<to=1>(d) r = Sqrt(f) y = Div(a, r)", "MatMul Add Divide"),
    "dimension_of_heads": ("float[N,S,8] x", "int64 i = {-1}, int64[4] h = {0, 0, 2, -1}, float[8,8] w = {" + ",".join(map(str, range(64))) + "}",
                           "m = MatMul(x, w) r = Reshape(m, h) t = Transpose<perm=[0,2,1,3]>(r) s = Shape(t) d = Gather(s, i) f = Cast<to=1>(d) y = Mul(t, f)",
                           "MatMul Reshape Transpose Multiply"),
    "dimension_not_of_input": ("float[N,3,4] x", "int64 i = {1}", "s = Shape(x) d = Gather(s, i) f = Cast<to=1>(d) y = Div(x, f)", "ShapeOf Gather Convert Divide"),
    "shape_of_transposed": ("float[N,S,4] x", "int64 i = {1}", "t = Transpose<perm=[1,0,2]>(x) s = Shape(t) d = Gather(s, i) f = Cast<to=1>(d) u = Transpose<perm=[1,0,2]>(t) r = Relu(u) y = Mul(r, f)",
                            "ShapeOf Gather Convert ReLU Multiply"),
    "full_like": ("float[N,S] x", "float c = {0.5}", "r = Relu(x) s = Shape(r) e = Expand(c, s) y = Min(r, e)", "ReLU Minimum"),
    "full_like_not_wider": ("float[N,S] x, float[1,S] z", "float c = {0.5}", "s = Shape(x) e = Expand(c, s) y = Add(z, e)", "ShapeOf Broadcast Add"),
    "expanded": ("float[1,1,4] x, float[N,3] z", "int64[2] i = {0, 1}, int64[1] n = {4}, int64[3] o = {1,1,1}, int64 k = {-1}",
                 "s = Shape(z) d = Gather(s, i) p = Concat<axis=0>(d, n) m = Mul(o, k) q = Equal(p, m) r = Where(q, o, p) y = Expand(x, r)", "ShapeOf Gather Concat Broadcast"),
    "shuffle": ("float[N,4,6,6] x", "int64[5] a = {0, 2, 2, 6, 6}, int64[4] b = {0, 4, 6, 6}, float[1,4,1,1] w = {1, 2, 3, 4}",
                "r = Relu(x) s = Reshape(r, a) t = Transpose<perm=[0,2,1,3,4]>(s) u = Reshape(t, b) y = Conv(u, w)",
                "ShuffleChannels ReLU Convolution"),
}


def model_of(inputs, initializers, statements, path):
    statements = statements.replace(") ", ")\n")
    text = (f'<ir_version: 8, opset_import: ["" : 13]>\nagraph ({inputs}) => (y)\n'
            + (f"<{initializers}>" if initializers else "") + f" {{\n{statements}\n}}")
    model = onnx.parser.parse_model(text)
    model = onnx.shape_inference.infer_shapes(model)
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    onnx.save(model, path)
    return model


def check(case, tmp_path):
    inputs, initializers, statements, layers = case
    path = str(tmp_path / "m.onnx")
    model = model_of(inputs, initializers, statements, path)
    xml = judge.convert(path, tmp_path)
    types = [l.get("type") for l in ET.parse(xml).getroot().find("layers")]
    left = sorted(t for t in types if t not in ("Const", "Parameter", "Result"))
    rng = np.random.default_rng(3)
    for batch in (1, 5):
        feeds = {}
        for value in model.graph.input:
            shape = [d.dim_value or {"N": batch, "T": 4}.get(d.dim_param, 7) for d in value.type.tensor_type.shape.dim]
            feeds[value.name] = np.asarray(4 * rng.standard_normal(shape), np.float32)
        judge.assert_same(path, xml, feeds, 2e-5 if "Gelu" not in layers else 5e-4)
    assert left == sorted(layers.split())
    return path, xml, feeds


@pytest.mark.parametrize("name", FRONT)
def test_front(name, tmp_path):
    check(FRONT[name], tmp_path)


@pytest.mark.parametrize("name", SHAPED)
def test_shaped(name, tmp_path):
    check(SHAPED[name], tmp_path)


@pytest.mark.parametrize("name", [name for name in SHAPED if name.startswith(("attention", "positions"))])
def test_in_2023_3(name, tmp_path):
    """The first runtime that has ScaledDotProductAttention repeats no row of a mask by itself."""
    path, xml, feeds = check(SHAPED[name], tmp_path)
    got = judge.in_openvino_2023(xml, feeds, tmp_path)
    for output, want in judge.in_onnxruntime(path, feeds).items():
        assert judge.relative_error(got[output], want) < 2e-5
