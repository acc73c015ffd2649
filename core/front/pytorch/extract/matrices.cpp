// Products of matrices, and attention.

#include <cmath>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// beta * self + alpha * a * b.
void sum_of_product(Node& node, std::string_view a, std::string_view b_name) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = required(node, a), y = required(node, b_name);
  OutPort product = b.matmul({x, y});
  if (number_of(node, "alpha") != 1) product = b.op("Mul", {product, operand(node, b, "alpha", type)});
  OutPort added = required(node, "self");
  if (number_of(node, "beta") == 0) return give(node, {product});
  if (number_of(node, "beta") != 1) added = b.op("Mul", {added, operand(node, b, "beta", type)});
  become(node, "Add", {product, added});
}

}  // namespace

void extract_linear(Node& node) {
  const OutPort x = required(node, "input"), weight = required(node, "weight"), bias = input(node, "bias");
  if (rank_of(node, "weight") == 1) {
    const OutPort y = Builder(node).matmul({x, weight});
    return bias ? become(node, "Add", {y, bias}) : give(node, {y});
  }
  if (!bias) return become(node, "MatMul", {x, weight}, {{"transpose_b", true}});
  Builder b(node);
  const OutPort y = b.matmul({x, weight}, true);
  become(node, "Add", {y, bias});
}

void extract_matmul(Node& node) {
  const OutPort x = required(node, "self"),
                y = required(node, node.has("mat2") || input(node, "mat2") ? "mat2" : "other");
  become(node, "MatMul", {x, y});
}
void extract_mv(Node& node) {
  const OutPort x = required(node, "self"), y = required(node, "vec");
  become(node, "MatMul", {x, y});
}
void extract_dot(Node& node) {
  const OutPort x = required(node, "self"), y = required(node, "tensor");
  become(node, "MatMul", {x, y});
}
void extract_outer(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = b.unsqueeze(operand(node, b, "self", type), {1}),
                y = b.unsqueeze(operand(node, b, input(node, "vec2") ? "vec2" : "other", type), {0});
  become(node, "Mul", {x, y});
}
void extract_addmm(Node& node) { sum_of_product(node, "mat1", "mat2"); }
void extract_baddbmm(Node& node) { sum_of_product(node, "batch1", "batch2"); }
void extract_addmv(Node& node) { sum_of_product(node, "mat", "vec"); }

void extract_einsum(Node& node) {
  std::string equation;
  for (const char c : node.get_string("equation"))
    if (c != ' ') equation += c;
  become(node, "Einsum", inputs(node, "tensors"), {{"equation", equation}});
}

/// The sums of products of all pairs of elements of rows, weighted for each output.
void extract_bilinear(Node& node) {
  if (rank_of(node, "input1") != 2)
    throw Error(Code::UnsupportedForm, msg("rows of ", rank_of(node, "input1"), " dimensions"));
  const OutPort x = required(node, "input1"), y = required(node, "input2"), weight = required(node, "weight"),
                bias = input(node, "bias");
  const std::string equation = "ni,oij,nj->no";
  if (!bias) return become(node, "Einsum", {x, weight, y}, {{"equation", equation}});
  const OutPort sum = Builder(node).op("Einsum", {x, weight, y}, {{"equation", equation}});
  become(node, "Add", {sum, bias});
}

/// A mask of booleans says what is seen, one of numbers is added. Keys may be shared by several heads of queries.
void extract_scaled_dot_product_attention(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const double dropout = number_of(node, "dropout_p");
  if (dropout != 0)
    throw Error(Code::UnsupportedForm, msg("dropout_p is ", dropout, ": call model.eval() before the export"));
  OutPort query = required(node, "query"), key = required(node, "key"), value = required(node, "value");
  const Ints query_sizes = sizes_of(node, "query"), key_sizes = sizes_of(node, "key");
  const size_t rank = query_sizes.size();
  if (node.get_bool("enable_gqa") && rank > 2) {
    const int64_t heads = query_sizes[rank - 3], shared = key_sizes[rank - 3];
    if (heads < 1 || shared < 1 || heads % shared != 0)
      throw Error(Code::UnsupportedForm, msg(heads, " heads of queries for ", shared, " of keys"));
    if (heads != shared)
      for (OutPort* one : {&key, &value})
        *one = b.op("Repeated", {*one}, {{"axis", static_cast<int64_t>(rank) - 3}, {"count", heads / shared}});
  }
  if (node.has("scale")) {
    if (rank == 0 || query_sizes[rank - 1] < 1)
      throw Error(Code::UnsupportedForm, "a scale with a head size that is not known");
    const double factor = number_of(node, "scale") * std::sqrt(static_cast<double>(query_sizes[rank - 1]));
    if (std::fabs(factor - 1) > 1e-7) query = b.op("Mul", {query, b.constant(make_scalar(type, factor))});
  }
  std::vector<OutPort> sources{query, key, value};
  if (OutPort mask = input(node, "attn_mask")) {
    const ElementType own = type_of(node, "attn_mask");
    if (own != ElementType::Bool) mask = as_type(b, mask, own, type);
    sources.push_back(mask);
  }
  become(node, "ScaledDotProductAttention", sources, {{"causal", node.get_bool("is_causal")}});
}

}  // namespace mo::pytorch
