// Before: y = MovedAxes(x) {source, destination}
// After:  y = Transpose(x): these axes come to these places, the others keep their order
// Before: y = OfRankAtLeast(x) {form}
// After:  y = x with dimensions of 1: a list (list), a row (rows), a column (columns), one behind two others (depth)
// Before: y0, y1, … = OfOneType(x0, x1, …) {narrow}
// After:  each x as the widest of their types, or the narrowest
// Before: y = Picked(x, index) {axis, keep_dims, wrap}
// After:  y = GatherElements(x, index with the axis) without the axis again; the index is clamped, or wraps around
// Before: y = TensorProduct(a, b) {a_axes, b_axes}
// After:  y = Einsum(a, b)
// Before: y0, y1, … = IntegersAsReals(x0, x1, …)
// After:  the inputs
// Conditions: the rank of x is known; for Picked that of the index, too; for OfOneType all types.

#include <algorithm>

#include "core/base/text.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMovedAxes final : public Decomposition {
 public:
  Names ops() const override {
    return {"MovedAxes", "OfRankAtLeast", "OfOneType", "Picked", "TensorProduct", "IntegersAsReals"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "OfOneType") return of_one_type(b, node);
    if (node.op() == "IntegersAsReals") return sources_of(node);
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    if (node.op() == "MovedAxes") return {moved(b, node, x, rank)};
    if (node.op() == "TensorProduct") return {product(b, node, rank)};
    if (node.op() == "Picked") return {picked(b, node, x, rank)};
    return {of_rank(b, node.get_string("form"), x, rank)};
  }

 private:
  static OutPort moved(Builder& b, const Node& node, OutPort x, int rank) {
    const Ints from = node.get_ints("source"), to = node.get_ints("destination");
    Ints order(static_cast<size_t>(rank), -1);
    std::vector<bool> used(static_cast<size_t>(rank));
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t source = normalize_axis(from[i], rank), place = normalize_axis(to[i], rank);
      if (used[source] || order[place] >= 0) throw Error(Code::BadAttribute, "an axis is named twice");
      used[source] = true;
      order[place] = static_cast<int64_t>(source);
    }
    size_t next = 0;
    for (int64_t& axis : order) {
      if (axis >= 0) continue;
      while (used[next]) ++next;
      axis = static_cast<int64_t>(next++);
    }
    return std::is_sorted(order.begin(), order.end()) ? x : b.transpose(x, order);
  }

  static OutPort of_rank(Builder& b, const std::string& form, OutPort x, int rank) {
    if (form == "list") return rank == 0 ? b.unsqueeze(x, {0}) : x;
    if (form == "columns") return rank == 1 ? b.unsqueeze(x, {1}) : rank == 0 ? b.unsqueeze(x, {0, 1}) : x;
    if (form == "rows") return rank == 1 ? b.unsqueeze(x, {0}) : rank == 0 ? b.unsqueeze(x, {0, 1}) : x;
    return rank == 0   ? b.unsqueeze(x, {0, 1, 2})
           : rank == 1 ? b.unsqueeze(x, {0, 2})
           : rank == 2 ? b.unsqueeze(x, {2})
                       : x;
  }

  static std::vector<OutPort> sources_of(const Node& node) {
    std::vector<OutPort> sources;
    for (int i = 0; i < node.in_count(); ++i) sources.push_back(node.source(i));
    return sources;
  }

  static std::vector<OutPort> of_one_type(Builder& b, const Node& node) {
    const bool narrow = node.get_bool("narrow");
    ElementType chosen = node.source(0).tensor().type;
    for (int i = 0; i < node.in_count(); ++i) {
      const ElementType type = node.source(i).tensor().type;
      if (type == ElementType::Unknown) throw Error(Code::UnsupportedForm, "a tensor of unknown type");
      if (narrow ? bits(type) < bits(chosen) : bits(type) > bits(chosen)) chosen = type;
    }
    std::vector<OutPort> results;
    for (int i = 0; i < node.in_count(); ++i) results.push_back(b.convert(node.source(i), chosen));
    return results;
  }

  /// A letter for each axis; those of the sums are in both.
  static OutPort product(Builder& b, const Node& node, int rank) {
    const int other = node.source(1).tensor().shape.rank();
    if (other < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    if (rank + other > 26) throw Error(Code::UnsupportedForm, msg("a product of ", rank + other, " dimensions"));
    std::string first, second, result;
    for (int i = 0; i < rank + other; ++i) (i < rank ? first : second) += static_cast<char>('a' + i);
    const Ints of_a = node.get_ints("a_axes"), of_b = node.get_ints("b_axes");
    std::string summed;
    for (size_t i = 0; i < of_a.size(); ++i) {
      const char letter = first[normalize_axis(of_a[i], rank)];
      second[normalize_axis(of_b[i], other)] = letter;
      summed += letter;
    }
    for (const char letter : first + second)
      if (summed.find(letter) == std::string::npos) result += letter;
    return b.op("Einsum", {node.source(0), node.source(1)}, {{"equation", cat(first, ",", second, "->", result)}});
  }

  static OutPort picked(Builder& b, const Node& node, OutPort x, int rank) {
    const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), rank));
    OutPort index = b.convert(node.source(1), ElementType::I64);
    const int given = index.tensor().shape.rank();
    if (given < 0) throw Error(Code::UnsupportedForm, "an index of unknown rank");
    if (given != rank && given != rank - 1) throw Error(Code::RankMismatch, msg("an index of ", given, " dimensions"));
    const OutPort size = dimension_of(b, x, axis);
    if (node.get_bool("wrap"))
      index = b.op("FloorMod", {index, size});
    else
      index = b.op("Maximum", {b.op("Minimum", {index, b.op("Sub", {size, b.i64_scalar(1)})}), b.i64_scalar(0)});
    if (given < rank) index = b.unsqueeze(index, {axis});
    const OutPort y = b.op("GatherElements", {x, index}, {{"axis", axis}});
    return node.get_bool("keep_dims") ? y : b.squeeze(y, {axis});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMovedAxes)
}  // namespace mo
