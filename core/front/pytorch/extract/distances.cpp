// Distances, angles between vectors, and losses of them.

#include "core/front/pytorch/extract/losses.h"
#include "core/front/pytorch/extract/reductions.h"

namespace mo::pytorch {
namespace {

OutPort difference(Node& node, Builder& b, std::string_view first, std::string_view second, ElementType type) {
  const OutPort x = operand(node, b, first, type), y = operand(node, b, second, type);
  return b.op("Sub", {x, y});
}

/// The norm of the difference along the last axis, to which eps is added.
OutPort distance(Node& node, Builder& b, std::string_view first, std::string_view second, ElementType type, bool keep) {
  const OutPort apart = difference(node, b, first, second, type);
  const OutPort moved = b.op("Add", {apart, number_as(b, type, number_of(node, "eps"))});
  return norm_along(b, moved, number_of(node, "p"), {-1}, keep, type);
}

OutPort positive(Builder& b, OutPort x, ElementType type) { return b.op("Maximum", {x, number_as(b, type, 0)}); }

}  // namespace

void extract_dist(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort apart = difference(node, b, "self", "other", type);
  Ints axes;
  const int64_t rank = std::max(rank_of(node, "self"), rank_of(node, "other"));
  for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  give(node, {norm_along(b, apart, number_of(node, "p"), axes, false, type)});
}

void extract_pairwise_distance(Node& node) {
  Builder b(node);
  give(node, {distance(node, b, "x1", "x2", result_type(node), node.get_bool("keepdim"))});
}

/// The sum of products over the norms, which are at least eps.
void extract_cosine_similarity(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t rank = std::max(rank_of(node, "x1"), rank_of(node, "x2")), axis = axis_of(node, "dim", rank);
  const OutPort eps = number_as(b, type, number_of(node, "eps"));
  const Ints axes{axis - rank};
  const auto unit = [&](const char* argument) {
    const OutPort x = operand(node, b, argument, type);
    return b.op("Div", {x, b.op("Maximum", {reduced(b, "ReduceL2", x, axes, true), eps})});
  };
  const OutPort x = unit("x1"), y = unit("x2");
  give(node, {reduced(b, "ReduceSum", b.op("Mul", {x, y}), axes, false)});
}

/// The distances of all pairs of rows.
void extract_cdist(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = b.unsqueeze(operand(node, b, "x1", type), {-2}),
                y = b.unsqueeze(operand(node, b, "x2", type), {-3});
  const double p = node.has("p") ? number_of(node, "p") : 2;
  give(node, {norm_along(b, b.op("Sub", {x, y}), p, {-1}, false, type)});
}

/// The same of the rows of one matrix, each pair once.
void extract_pdist(Node& node) {
  constexpr int64_t kMostRows = 1024;
  const Ints sizes = sizes_of(node, "self");
  if (sizes.size() != 2 || sizes[0] < 0 || sizes[0] > kMostRows)
    throw Error(Code::UnsupportedForm, msg("rows that are not known, or more than ", kMostRows));
  Ints first, second;
  for (int64_t row = 0; row < sizes[0]; ++row)
    for (int64_t other = row + 1; other < sizes[0]; ++other) {
      first.push_back(row);
      second.push_back(other);
    }
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort all = operand(node, b, "self", type);
  const OutPort x = b.gather(all, b.i64(first), 0), y = b.gather(all, b.i64(second), 0);
  give(node, {norm_along(b, b.op("Sub", {x, y}), number_of(node, "p"), {1}, false, type)});
}

/// 1 - the cosine where the target is 1, what it exceeds the margin by where that is -1.
void extract_cosine_embedding_loss(Node& node) {
  constexpr double kEps = 1e-12;
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = operand(node, b, "input1", type), y = operand(node, b, "input2", type),
                target = operand(node, b, "target", type);
  const auto sum = [&](OutPort a, OutPort c) { return b.reduce("ReduceSum", b.op("Mul", {a, c}), {-1}, false); };
  const auto square = [&](OutPort a) { return b.op("Add", {sum(a, a), number_as(b, type, kEps)}); };
  const OutPort of_x = square(x), of_y = square(y);
  const OutPort cosine = b.op("Div", {sum(x, y), b.op("Sqrt", {b.op("Mul", {of_x, of_y})})});
  const OutPort zero = number_as(b, type, 0);
  const auto where = [&](double number, OutPort loss) {
    return b.op("Select", {b.op("Equal", {target, number_as(b, type, number)}), loss, zero});
  };
  const OutPort same = where(1, b.op("Sub", {number_as(b, type, 1), cosine}));
  const OutPort beyond = b.op("Sub", {cosine, number_as(b, type, number_of(node, "margin"))});
  const OutPort other = where(-1, positive(b, beyond, type));
  give_loss(node, b, b.op("Add", {same, other}));
}

/// What the farther one is not farther than the nearer one by the margin.
void extract_triplet_margin_loss(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort near = distance(node, b, "anchor", "positive", type, false);
  OutPort far = distance(node, b, "anchor", "negative", type, false);
  if (node.get_bool("swap")) far = b.op("Minimum", {far, distance(node, b, "positive", "negative", type, false)});
  const OutPort more = b.op("Add", {b.op("Sub", {near, far}), number_as(b, type, number_of(node, "margin"))});
  give_loss(node, b, positive(b, more, type));
}

}  // namespace mo::pytorch
