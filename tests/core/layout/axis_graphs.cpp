// Operations with axes, after a convolution.
#include "tests/core/layout/layout_graphs.h"

namespace mo::test {
namespace {

template <bool KeepDims, int64_t... Axes>
void reduced(NhwcGraph& g) {
  const OutPort axes = g.i64({Axes...});
  g.result(g.op("ReduceSum", "sum", {conv_of(g), axes}, {{"keep_dims", KeepDims}}), "y");
}

}  // namespace

std::vector<LayoutGraph> axis_graphs() {
  return {
      {"reduce_keep_dims", reduced<true, 1, 2>},
      {"reduce_channels_keep_dims", reduced<true, -1>},
      {"reduce_channels", reduced<false, 3>},
      {"reduce_all_but_batch", reduced<false, 1, 2, 3>},
      {"reduce_rows", reduced<false, 1>},
      {"reduce_rows_and_channels", reduced<false, 1, 3>},
      {"split",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), axis = g.i64_scalar(3);
         const OutPort parts = g.op("Split", "split", {conv, axis}, {{"num_splits", 2}}, 2);
         g.result(g.op("ReLU", "relu", {parts}), "y0");
         g.result({&parts.node(), 1}, "y1");
       }},
      {"variadic_split",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), axis = g.i64_scalar(-2), lengths = g.i64({3, -1});
         const OutPort parts = g.op("VariadicSplit", "split", {conv, axis, lengths}, {}, 2);
         g.result(parts, "y0");
         g.result({&parts.node(), 1}, "y1");
       }},
      {"pad",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), begin = g.i64({0, 1, 2, 0}), end = g.i64({0, 0, 3, 4}),
                       value = g.f32({}, {7});
         g.result(g.op("Pad", "pad", {conv, begin, end, value}, {{"mode", "constant"}}), "y");
       }},
      {"gather",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), indices = g.i64({3, 0, 1}), axis = g.i64_scalar(3);
         g.result(g.op("Gather", "gather", {conv, indices, axis}), "y");
       }},
      {"gather_nd",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), indices = g.graph().constant(reshape(make_i64({0, 7, 2, 0, 1, 1}), {2, 3}));
         g.result(g.op("GatherND", "gather", {conv, indices}, {{"batch_dims", 0}}), "y");
       }},
      {"gather_elements",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g);
         const OutPort top =
             g.op("TopK", "top", {conv, g.i64_scalar(2)},
                  {{"axis", 3}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I32}}, 2);
         g.result(g.op("GatherElements", "gather", {conv, {&top.node(), 1}}, {{"axis", 3}}), "y");
       }},
      {"scatter_elements",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), updates = g.op("ReLU", "relu", {conv});
         const OutPort top =
             g.op("TopK", "top", {updates, g.i64_scalar(4)},
                  {{"axis", -1}, {"mode", "min"}, {"sort", "value"}, {"index_element_type", ElementType::I32}}, 2);
         const OutPort axis = g.i64_scalar(3);
         g.result(g.op("ScatterElementsUpdate", "scatter", {conv, {&top.node(), 1}, updates, axis}), "y");
       }},
      {"scatter_update",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), indices = g.i64({2, 0}), updates = g.weights({1, 8, 10, 2}),
                       axis = g.i64_scalar(3);
         g.result(g.op("ReLU", "relu", {g.op("ScatterUpdate", "scatter", {conv, indices, updates, axis})}), "y");
       }},
      {"cumsum",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), axis = g.i64_scalar(3);
         g.result(g.op("CumSum", "cumsum", {conv, axis}, {{"exclusive", false}, {"reverse", false}}), "y");
       }},
      {"tile",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), repeats = g.i64({1, 2, 1, 3});
         g.result(g.op("Tile", "tile", {conv, repeats}), "y");
       }},
      {"one_hot",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g);
         const OutPort top =
             g.op("TopK", "top", {conv, g.i64_scalar(1)},
                  {{"axis", 3}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I32}}, 2);
         const OutPort depth = g.i64_scalar(4), on = g.f32({}, {1}), off = g.f32({}, {-1});
         g.result(g.op("OneHot", "hot", {{&top.node(), 1}, depth, on, off}, {{"axis", -1}}), "y");
       }},
      {"softmax",
       [](NhwcGraph& g) {
         g.result(g.op("SoftMax", "softmax", {conv_of(g)}, {{"axis", -1}}), "y");
       }},
      {"log_softmax",
       [](NhwcGraph& g) {
         g.result(g.op("LogSoftmax", "softmax", {conv_of(g)}, {{"axis", 2}}), "y");
       }},
      {"concat_with_constant",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), more = g.weights({1, 8, 10, 2});
         g.result(g.op("Concat", "cat", {more, conv}, {{"axis", -1}}), "y");
       }},
      {"reverse_and_roll",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), shift = g.i64({2, 1}), axes = g.i64({3, 1});
         g.result(g.op("Roll", "roll", {conv, shift, axes}), "y");
       }},
      {"mvn",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), axes = g.i64({3});
         g.result(g.op("MVN", "mvn", {conv, axes},
                       {{"eps", 1e-5}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}}),
                  "y");
       }},
      {"normalize_l2",
       [](NhwcGraph& g) {
         const OutPort conv = conv_of(g), axes = g.i64({3});
         g.result(g.op("NormalizeL2", "norm", {conv, axes}, {{"eps", 1e-6}, {"eps_mode", "add"}}), "y");
       }},
      {"user_transpose",
       [](NhwcGraph& g) {
         const OutPort order = g.i64({0, 3, 1, 2});
         const OutPort turn = g.op("Transpose", "turn", {conv_of(g), order});
         g.result(g.op("ReLU", "relu", {turn}), "y");
       }},
  };
}

}  // namespace mo::test
