// Products of matrices and vectors, some with a sum.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// alpha * product, and beta * self unless beta is 0.
std::vector<OutPort> terms_of(Node& node, Builder& b, OutPort product) {
  const ElementType type = result_type(node);
  if (number_of(node, "alpha") != 1) product = b.op("Mul", {product, operand(node, b, "alpha", type)});
  if (number_of(node, "beta") == 0) return {product};
  OutPort added = operand(node, b, "self", type);
  if (number_of(node, "beta") != 1) added = b.op("Mul", {added, operand(node, b, "beta", type)});
  return {product, added};
}

void become_sum(Node& node, Builder& b, OutPort product) {
  const std::vector<OutPort> terms = terms_of(node, b, product);
  terms.size() == 1 ? give(node, terms) : become(node, "Add", terms);
}

OutPort product_of(Node& node, Builder& b, std::string_view first, std::string_view second) {
  const OutPort x = required(node, first), y = required(node, second);
  return b.matmul({x, y});
}

void sum_of_product(Node& node, std::string_view first, std::string_view second) {
  Builder b(node);
  become_sum(node, b, product_of(node, b, first, second));
}

/// The first vector as a column, the second one as a row.
std::vector<OutPort> factors_of(Node& node, Builder& b, std::string_view first, std::string_view second) {
  const ElementType type = result_type(node);
  const OutPort x = b.unsqueeze(operand(node, b, first, type), {1}),
                y = b.unsqueeze(operand(node, b, second, type), {0});
  return {x, y};
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
void extract_vdot(Node& node) {
  const OutPort x = required(node, "self"), y = required(node, "other");
  become(node, "MatMul", {x, y});
}
void extract_outer(Node& node) {
  Builder b(node);
  become(node, "Mul", factors_of(node, b, "self", input(node, "vec2") ? "vec2" : "other"));
}
void extract_addr(Node& node) {
  Builder b(node);
  become_sum(node, b, b.op("Mul", factors_of(node, b, "vec1", "vec2")));
}
void extract_addmm(Node& node) { sum_of_product(node, "mat1", "mat2"); }
void extract_baddbmm(Node& node) { sum_of_product(node, "batch1", "batch2"); }
void extract_addmv(Node& node) { sum_of_product(node, "mat", "vec"); }

/// The products of all pairs, summed.
void extract_addbmm(Node& node) {
  Builder b(node);
  become_sum(node, b, b.reduce("ReduceSum", product_of(node, b, "batch1", "batch2"), {0}, false));
}

void extract_addmm_activation(Node& node) {
  Builder b(node);
  const std::vector<OutPort> terms = terms_of(node, b, product_of(node, b, "mat1", "mat2"));
  const OutPort sum = terms.size() == 1 ? terms[0] : b.op("Add", terms);
  if (!node.get_bool("use_gelu")) return become(node, "ReLU", {sum});
  become(node, "Gelu", {sum}, {{"approximation_mode", "ERF"}});
}

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

}  // namespace mo::pytorch
