// Operations that depend on the order of elements, and their surroundings.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

OutPort reshaped(NhwcGraph& g, const std::string& name, OutPort x, const Ints& shape) {
  return g.op("Reshape", name, {x, g.i64(shape)}, {{"special_zero", false}});
}
OutPort product(NhwcGraph& g, const std::string& name, OutPort a, OutPort b, bool transpose_b = false) {
  return g.op("MatMul", name, {a, b}, {{"transpose_a", false}, {"transpose_b", transpose_b}});
}

void sliced(NhwcGraph& g, const Ints& begin, const Ints& end, const Ints& begin_mask, const Ints& end_mask,
            const Ints& new_axis, const Ints& shrink, const Ints& ellipsis) {
  const OutPort conv = conv_of(g), from = g.i64(begin), to = g.i64(end), step = g.i64(Ints(begin.size(), 1));
  g.result(g.op("StridedSlice", "slice", {conv, from, to, step},
                {{"begin_mask", begin_mask},
                 {"end_mask", end_mask},
                 {"new_axis_mask", new_axis},
                 {"shrink_axis_mask", shrink},
                 {"ellipsis_mask", ellipsis}}),
           "y");
}

}  // namespace

std::vector<LayoutGraph> reshaping_graphs() {
  return {
      {"reshape_4d_to_4d_conv",
       [](NhwcGraph& g) {
         g.result(g.conv("conv2", reshaped(g, "resh", conv_of(g), {1, 4, 20, 4}), {2, 4, 3, 3}), "y");
       }},
      {"reshape_of_pooled",
       [](NhwcGraph& g) {
         const OutPort mean = g.op("ReduceMean", "mean", {conv_of(g), g.i64({1, 2})}, {{"keep_dims", true}});
         const OutPort flat = reshaped(g, "flat", mean, {-1, 4});
         g.result(product(g, "fc", flat, g.weights({4, 5})), "y");
       }},
      {"squeeze",
       [](NhwcGraph& g) {
         const OutPort mean = g.op("ReduceMean", "mean", {conv_of(g), g.i64({1, 2})}, {{"keep_dims", true}});
         const OutPort flat = g.op("Squeeze", "flat", {mean, g.i64({1, 2})});
         g.result(g.op("SoftMax", "softmax", {flat}, {{"axis", 1}}), "y");
       }},
      {"squeeze_batch",
       [](NhwcGraph& g) {
         g.result(g.op("Squeeze", "flat", {conv_of(g), g.i64({0})}), "y");
       }},
      {"squeeze_every_one",
       [](NhwcGraph& g) {
         const OutPort mean = g.op("ReduceMean", "mean", {conv_of(g), g.i64({1})}, {{"keep_dims", true}});
         g.result(g.op("Squeeze", "flat", {mean}), "y");
       }},
      {"unsqueeze",
       [](NhwcGraph& g) {
         const OutPort more = g.op("Unsqueeze", "more", {conv_of(g), g.i64({1})});
         g.result(g.op("ReLU", "relu", {more}), "y");
       }},
      {"unsqueeze_to_image",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 10, 3});
         const OutPort conv = g.conv("conv", g.op("Unsqueeze", "more", {x, g.i64({1})}), {4, 3, 1, 3});
         g.result(g.op("Squeeze", "less", {conv, g.i64({1})}), "y");
       }},
      {"slice_plain",
       [](NhwcGraph& g) {
         sliced(g, {0, 1, 0, 1}, {0, 5, 0, 3}, {1, 0, 1, 0}, {1, 0, 1, 0}, {}, {}, {});
       }},
      {"slice_short",
       [](NhwcGraph& g) {
         sliced(g, {0, 1}, {0, 5}, {1, 0}, {1, 0}, {}, {}, {});
       }},
      {"slice_new_axis",
       [](NhwcGraph& g) {
         sliced(g, {0, 0, 1}, {0, 0, 5}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0});
       }},
      {"slice_shrink_batch", [](NhwcGraph& g) { sliced(g, {0}, {1}, {0}, {0}, {0}, {1}, {0}); }},
      {"slice_ellipsis",
       [](NhwcGraph& g) {
         sliced(g, {0, 1}, {0, 3}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0});
       }},
      {"slice_by_axes",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), from = g.i64({1, 2}), to = g.i64({3, 9}), step = g.i64({1, 3}),
                       axes = g.i64({3, 2});
         g.result(g.op("Slice", "slice", {conv, from, to, step, axes}), "y");
       }},
      {"pack",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {1, 8, 10, 3}), a = g.conv("a", x, {4, 3, 3, 3}),
                       b = g.conv("b", x, {4, 3, 1, 1});
         const OutPort first = g.op("Unsqueeze", "pack/a", {a, g.i64({0})}),
                       second = g.op("Unsqueeze", "pack/b", {b, g.i64({0})});
         g.result(g.op("Concat", "pack", {first, second}, {{"axis", 0}}), "y");
       }},
      {"matmul_on_channels",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), wide = product(g, "wide", conv, g.weights({4, 6}));
         const OutPort active = g.op("Gelu", "gelu", {wide}, {{"approximation_mode", "TANH"}});
         const OutPort narrow = product(g, "narrow", active, g.weights({6, 4}));
         const OutPort sum = g.op("Add", "sum", {conv, narrow});
         g.result(g.conv("conv2", sum, {2, 4, 3, 3}), "y");
       }},
      {"attention",
       [](NhwcGraph& g) {
         const OutPort tokens = reshaped(g, "tokens", conv_of(g), {1, 4, 20, 4});
         const OutPort products = product(g, "qk", tokens, tokens, true);
         const OutPort scaled = g.op("Mul", "scaled", {products, g.f32({}, {0.5F})});
         const OutPort weights = g.op("SoftMax", "softmax", {scaled}, {{"axis", -1}});
         const OutPort values = product(g, "values", weights, tokens);
         g.result(g.conv("conv2", reshaped(g, "image", values, {1, 8, 10, 4}), {2, 4, 3, 3}), "y");
       }},
      {"matmul_chain",
       [](NhwcGraph& g) {
         OutPort x = g.conv("stem", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3});
         for (const std::string layer : {"a", "b", "c"}) {
           const OutPort dense = product(g, layer + "/dense", x, g.weights({4, 4}));
           x = g.op("Add", layer + "/add", {x, g.op("ReLU", layer + "/relu", {dense})});
         }
         g.result(g.conv("head", x, {2, 4, 1, 1}), "y");
       }},
      {"einsum_channels",
       [](NhwcGraph& g) {
         const OutPort w = g.weights({4, 5});
         const OutPort y = g.op("Einsum", "einsum", {conv_of(g), w}, {{"equation", "nhwc,cd->nhwd"}});
         g.result(g.conv("conv2", y, {2, 5, 1, 1}), "y");
       }},
      {"einsum_ellipsis",
       [](NhwcGraph& g) {
         const OutPort w = g.weights({8, 5});
         g.result(g.op("ReLU", "relu", {g.op("Einsum", "einsum", {conv_of(g), w}, {{"equation", "ab...,bd->a...d"}})}),
                  "y");
       }},
      {"matmul_only",
       [](NhwcGraph& g) {
         const OutPort x = g.input("x", {2, 3, 4, 5}), y = product(g, "dense", x, g.weights({5, 6}));
         g.result(g.op("Add", "add", {y, g.weights({6})}), "y");
       }},
  };
}

}  // namespace mo::test
