// Operators that passes over programs have made of several: sums, products, activations and norms.

#include "core/base/text.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {

void extract_conv2d(Node& node);

namespace {

OutPort aligned_result(Builder& b, const char* operation, OutPort x, OutPort y, int64_t axis) {
  return b.op("Aligned", {x, y}, {{"operation", operation}, {"axis", axis}});
}

void refuse_scales(const Node& node, std::initializer_list<const char*> factors) {
  for (const char* factor : factors)
    if (node.get_float(factor, 1) != 1) throw Error(Code::UnsupportedForm, msg(factor, " is ", node.get_float(factor)));
}

}  // namespace

/// Weights may have four more rows and columns, which do not count.
void extract_fc(Node& node) {
  Builder b(node);
  OutPort weights = required(node, "W");
  if (node.get_bool("padding_weights")) {
    const OutPort begin = b.i64({0, 0}), end = b.i64({-4, -4}), step = b.i64({1, 1}), axes = b.i64({0, 1});
    weights = b.op("Slice", {weights, begin, end, step, axes});
  }
  const OutPort product =
      b.op("FlatMatMul", {required(node, "Input"), weights},
           {{"x_num_col_dims", node.get_int("in_num_col_dims", 1)}, {"y_num_col_dims", int64_t{1}}});
  OutPort bias = input(node, "Bias");
  if (bias) bias = b.reshape(bias, {-1});
  give(node, {{"Out", activated(b, plus(b, product, bias), node.get_string("activation_type"))}});
}

void extract_fused_fc_elementwise_layernorm(Node& node) {
  Builder b(node);
  const OutPort product = b.op("FlatMatMul", {required(node, "X"), required(node, "W")},
                               {{"x_num_col_dims", node.get_int("x_num_col_dims", 1)}, {"y_num_col_dims", int64_t{1}}});
  const OutPort dense = activated(b, plus(b, product, input(node, "Bias0")), node.get_string("activation_type"));
  const OutPort sum = b.op("Add", {dense, required(node, "Y")});
  give(node, {{"Out", layer_normalized(b, sum, input(node, "Scale"), input(node, "Bias1"),
                                       node.get_int("begin_norm_axis", 1), node.get_float("epsilon", 1e-5))}});
}

void extract_fused_gemm_epilogue(Node& node) {
  Builder b(node);
  const OutPort product = b.op("MatMul", {required(node, "X"), required(node, "Y")},
                               {{"transpose_a", node.get_bool("trans_x")}, {"transpose_b", node.get_bool("trans_y")}});
  const OutPort y = activated(b, plus(b, product, input(node, "Bias")), node.get_string("activation"));
  give(node, {{"Out", y}});
}

void extract_fused_matmul(Node& node) {
  for (const char* list : {"fused_reshape_X", "fused_transpose_X", "fused_reshape_Y", "fused_transpose_Y",
                           "fused_reshape_Out", "fused_transpose_Out"})
    if (!ints_of(node, list).empty()) throw Error(Code::UnsupportedForm, msg(list, " is given"));
  refuse_scales(node, {"Scale_x", "Scale_y", "Scale_out", "fused_output_scale"});
  Builder b(node);
  const OutPort product = b.op("MatMul", {required(node, "X"), required(node, "Y")},
                               {{"transpose_a", node.get_bool("trans_x")}, {"transpose_b", node.get_bool("trans_y")}});
  const OutPort sum = plus(b, scaled(b, product, node.get_float("matmul_alpha", 1)), input(node, "ResidualData"));
  give(node, {{"Out", activated(b, sum, node.get_string("fuse_activation"), node.get_float("fuse_alpha"),
                                node.get_float("fuse_beta"))}});
}

namespace {

void extract_fused_binary(Node& node, const char* operation) {
  refuse_scales(node, {"scale_x", "scale_y", "scale_out", "fused_output_scale"});
  Builder b(node);
  OutPort y = aligned_result(b, operation, required(node, "X"), required(node, "Y"), node.get_int("axis", -1));
  y = activated(b, y, node.get_string("fuse_activation"), node.get_float("fuse_alpha"), node.get_float("fuse_beta"));
  if (const Ints axes = ints_of(node, "fused_unsqueeze2_axes"); !axes.empty()) y = b.unsqueeze(y, axes);
  give(node, {{"Out", y}});
}

/// One functor of the list: of x, and of y if it takes two.
OutPort applied(Builder& b, const Node& node, const std::string& functor, OutPort x, OutPort y = {}) {
  if (functor == "scale") return scaled(b, x, node.get_float("scale"));
  if (!functor.starts_with("elementwise_")) return activated(b, x, functor);
  const bool sum = functor == "elementwise_add";
  if (!sum && functor != "elementwise_mul") throw Error(Code::UnsupportedForm, msg("the functor ", printable(functor)));
  return aligned_result(b, sum ? "Add" : "Mul", x, y, node.get_int("axis", -1));
}

}  // namespace

void extract_fused_elementwise_add(Node& node) { extract_fused_binary(node, "Add"); }
void extract_fused_elementwise_sub(Node& node) { extract_fused_binary(node, "Sub"); }
void extract_fused_elementwise_mul(Node& node) { extract_fused_binary(node, "Mul"); }
void extract_fused_elementwise_div(Node& node) { extract_fused_binary(node, "Div"); }

/// Of the two functors one takes two tensors: it is the first of x and what the second makes of y, or the second is of
/// x and y and the first of its result.
void extract_fused_elemwise_activation(Node& node) {
  const Strings functors = node.get_strings("functor_list");
  if (functors.size() != 2) throw Error(Code::BadAttribute, msg(functors.size(), " functors"));
  Builder b(node);
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const bool inner_of_y = functors[0].starts_with("elementwise_");
  if (inner_of_y == functors[1].starts_with("elementwise_"))
    throw Error(Code::UnsupportedForm, msg("the functors ", printable(functors[0]), " and ", printable(functors[1])));
  const OutPort inner = inner_of_y ? applied(b, node, functors[1], y) : applied(b, node, functors[1], x, y);
  const OutPort out = inner_of_y ? applied(b, node, functors[0], x, inner) : applied(b, node, functors[0], inner);
  give(node, {{"Out", out}, {"IntermediateOut", inner}});
}

/// LayerNormalization of the sum of two.
void extract_skip_layernorm(Node& node) {
  Builder b(node);
  const OutPort sum = b.op("Add", {required(node, "X"), required(node, "Y")});
  const int64_t axis = node.get_int("begin_norm_axis", -1);
  give(node, {{"Out", layer_normalized(b, sum, required(node, "Scale"), required(node, "Bias"), axis,
                                       node.get_float("epsilon", 1e-5))}});
}

void extract_fused_embedding_eltwise_layernorm(Node& node) {
  const std::vector<OutPort> ids = inputs(node, "Ids"), tables = inputs(node, "Embs");
  if (ids.empty() || ids.size() != tables.size())
    throw Error(Code::MissingInput, msg(ids.size(), " Ids for ", tables.size(), " Embs"));
  Builder b(node);
  OutPort sum;
  for (size_t i = 0; i < ids.size(); ++i) {
    const OutPort rows = b.op("SequenceLookup", {tables[i], ids[i]});
    sum = i == 0 ? rows : b.op("Add", {sum, rows});
  }
  const OutPort scale = required(node, "Scale"), bias = required(node, "Bias");
  give(node, {{"Out", layer_normalized(b, sum, scale, bias, -1, node.get_float("epsilon", 1e-5))}});
}

void extract_fused_bias_dropout_residual_layer_norm(Node& node) {
  Builder b(node);
  const OutPort passed =
      dropped(b, plus(b, required(node, "X"), input(node, "Bias")), node.get_float("dropout_rate", 0.5),
              node.get_string("dropout_implementation", "downgrade_in_infer"));
  const OutPort sum = b.op("Add", {passed, required(node, "Residual")});
  const OutPort y =
      layer_normalized(b, sum, input(node, "LnScale"), input(node, "LnBias"), -1, node.get_float("ln_epsilon", 1e-5));
  give(node, {{"Y", y}, {"BiasDropoutResidualOut", sum}});
}

void extract_fused_dropout_add(Node& node) {
  Builder b(node);
  const OutPort passed =
      dropped(b, required(node, "x"), node.get_float("p", 0.5), node.get_string("mode", "downgrade_in_infer"));
  give(node, {{"out", b.op("Add", {passed, required(node, "y")})}});
}

void extract_fused_bias_act(Node& node) {
  for (const char* slot : {"dequant_scales", "shift", "smooth"})
    if (input(node, slot)) throw Error(Code::UnsupportedForm, msg(slot, " is given"));
  Builder b(node);
  const OutPort sum = plus(b, required(node, "x"), input(node, "bias"));
  give(node, {{"out", activated(b, sum, node.get_string("act_method", "gelu"))}});
}

void extract_fused_transpose(Node& node) {
  refuse_scales(node, {"scale"});
  for (const char* list : {"fused_squeeze2_axes", "fused_unsqueeze2_axes", "fused_reshape2_shape"})
    if (!ints_of(node, list).empty()) throw Error(Code::UnsupportedForm, msg(list, " is given"));
  if (node.get_float("shift") != 0 || !node.get_string("output_data_type").empty())
    throw Error(Code::UnsupportedForm, "a result of integers");
  become(node, "AttributedTranspose", {required(node, "X")}, {{"perm", ints_of(node, "axis")}});
}

void extract_fused_softplus(Node& node) {
  Builder b(node);
  const OutPort soft = b.op("SoftPlusBelow", {required(node, "X")},
                            {{"beta", node.get_float("beta", 1)}, {"threshold", node.get_float("threshold", 20)}});
  give(node, {{"Out", activated(b, soft, node.get_string("fuse_activation"), node.get_float("fuse_alpha"),
                                node.get_float("fuse_beta"))}});
}

void extract_fusion_repeated_fc_relu(Node& node) {
  const std::vector<OutPort> weights = inputs(node, "W"), biases = inputs(node, "Bias");
  if (weights.size() != biases.size() || weights.empty())
    throw Error(Code::MissingInput, msg(biases.size(), " Bias for ", weights.size(), " W"));
  Builder b(node);
  OutPort x = required(node, "X");
  for (size_t i = 0; i < weights.size(); ++i) {
    const OutPort product = b.matmul({x, weights[i]});
    x = b.op("ReLU", {b.op("Add", {product, b.reshape(biases[i], {-1})})});
  }
  give(node, {{"Out", x}});
}

/// ((x y)^2 - x^2 y^2) times a number.
void extract_fusion_squared_mat_sub(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const OutPort product = b.matmul({x, y}), x_squared = b.op("Mul", {x, x}), y_squared = b.op("Mul", {y, y});
  const OutPort square = b.op("Mul", {product, product}), squares = b.matmul({x_squared, y_squared});
  give(node, {{"Out", scaled(b, b.op("Sub", {square, squares}), node.get_float("scalar", 1))}});
}

/// The activation has another name than in conv2d, and is relu if it is not given.
void extract_conv2d_fusion(Node& node) {
  if (!ints_of(node, "split_channels").empty()) throw Error(Code::UnsupportedForm, "split_channels are given");
  node.set("fuse_activation", node.get_string("activation", "relu"));
  extract_conv2d(node);
}

}  // namespace mo::paddle
