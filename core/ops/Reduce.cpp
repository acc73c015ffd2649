// Reductions over the axes of input 1; attribute keep_dims. ReduceSum, ReduceMean, ReduceMax, ReduceMin, ReduceProd,
// ReduceLogicalAnd, ReduceLogicalOr (opset1), ReduceL1, ReduceL2 (opset4). Without axes the data is unchanged.

#include <algorithm>
#include <cmath>

#include "core/ops/elementwise.h"

namespace mo {
namespace {

/// Which axes of the data are reduced; nullopt when that is not known.
std::optional<std::vector<bool>> reduced_axes(const InferContext& c, int rank) {
  const auto axes = c.exact_ints(1);
  if (!axes || rank < 0) return std::nullopt;
  std::vector<bool> reduced(static_cast<size_t>(rank), false);
  for (const int64_t axis : *axes) reduced[normalize_axis(axis, rank)] = true;
  return reduced;
}

PartialShape shape_of_unknown_axes(const InferContext& c, bool keep_dims) {
  const PartialShape& data = c.shape(0);
  if (!data.has_rank()) return {};
  std::vector<Dimension> out;
  if (keep_dims) {
    for (const Dimension d : data.dimensions()) out.push_back(unite(d, Dimension(1)));
    return out;
  }
  const Interval count = c.shape(1).elements();
  if (count == Interval(0)) return data;
  // Several axes may be duplicates of each other.
  return count == Interval(1) && data.rank() > 0 ? PartialShape::of_rank(static_cast<size_t>(data.rank()) - 1)
                                                 : PartialShape();
}

Shape kept_shape(const Shape& shape, const std::vector<bool>& reduced) {
  Shape out = shape;
  for (size_t i = 0; i < out.size(); ++i)
    if (reduced[i]) out[i] = 1;
  return out;
}
Shape final_shape(const Shape& kept, const std::vector<bool>& reduced, bool keep_dims) {
  if (keep_dims) return kept;
  Shape out;
  for (size_t i = 0; i < kept.size(); ++i)
    if (!reduced[i]) out.push_back(kept[i]);
  return out;
}

Interval reduce_logical_and(Interval a, Interval b) { return min(a, b); }
Interval reduce_logical_or(Interval a, Interval b) { return max(a, b); }

/// The reduction of two integers; null when integers are not computed.
BinaryInterval combine_ints(std::string_view op) {
  if (op == "ReduceSum") return checked_add;
  if (op == "ReduceProd") return checked_mul;
  if (op == "ReduceMax" || op == "ReduceLogicalOr") return reduce_logical_or;
  if (op == "ReduceMin" || op == "ReduceLogicalAnd") return reduce_logical_and;
  return nullptr;
}

void reduce_ints(InferContext& c, const std::vector<bool>& reduced, bool keep_dims) {
  const auto& known = c.ints(0);
  const BinaryInterval combine = combine_ints(c.node().op());
  if (!known || !combine || known->shape.size() != reduced.size()) return;
  const std::string_view op = c.node().op();
  if (known->elements.empty() && op != "ReduceSum" && op != "ReduceProd") return;
  const Shape kept = kept_shape(known->shape, reduced);
  const std::vector<size_t> target = broadcast_sources(kept, known->shape);
  std::vector<std::optional<Interval>> sums(static_cast<size_t>(element_count(kept)));
  for (size_t i = 0; i < target.size(); ++i) {
    std::optional<Interval>& sum = sums[target[i]];
    sum = sum ? combine(*sum, known->elements[i]) : known->elements[i];
  }
  IntTensor out{final_shape(kept, reduced, keep_dims), {}};
  const Interval of_nothing(op == "ReduceProd" ? 1 : 0);
  for (const auto& sum : sums) out.elements.push_back(sum.value_or(of_nothing));
  c.set_ints(0, std::move(out));
}

void infer_reduce(InferContext& c) {
  const bool keep_dims = c.node().get_bool("keep_dims");
  c.require_rank(1, 0, 1);
  const PartialShape& data = c.shape(0);
  const auto reduced = reduced_axes(c, data.rank());
  if (!reduced) return c.set(0, shape_of_unknown_axes(c, keep_dims), c.type(0));
  std::vector<Dimension> out;
  for (size_t i = 0; i < reduced->size(); ++i) {
    if (!(*reduced)[i])
      out.push_back(data[i]);
    else if (keep_dims)
      out.push_back(1);
  }
  c.set(0, out, c.type(0));
  reduce_ints(c, *reduced, keep_dims);
}

/// Sums are computed in double and rounded once: the runtime's order of additions is unknown anyway. Which maximum a
/// tensor with NaN has is left to the runtime.
void fold_reduce(InferContext& c) {
  if (!c.value(0) || !c.value(1)) return;
  const Constant& data = *c.value(0);
  const ElementType type = data.type;
  const std::string& op = c.node().op();
  const auto reduced = reduced_axes(c, static_cast<int>(data.shape.size()));
  const auto values = is_float(type) ? read_doubles(data, c.files(), Model::kFoldOne) : std::nullopt;
  if (!reduced || !values || values->empty()) return;
  const Shape kept = kept_shape(data.shape, *reduced);
  const std::vector<size_t> target = broadcast_sources(kept, data.shape);
  const bool is_max = op == "ReduceMax", is_min = op == "ReduceMin", is_product = op == "ReduceProd";
  const auto is_nan = [](double v) { return std::isnan(v); };
  if ((is_max || is_min) && std::any_of(values->begin(), values->end(), is_nan)) return;
  std::vector<double> sums(static_cast<size_t>(element_count(kept)), is_max       ? -HUGE_VAL
                                                                     : is_min     ? HUGE_VAL
                                                                     : is_product ? 1
                                                                                  : 0);
  for (size_t i = 0; i < target.size(); ++i) {
    double& sum = sums[target[i]];
    const double v = (*values)[i];
    if (is_max)
      sum = v > sum ? v : sum;
    else if (is_min)
      sum = v < sum ? v : sum;
    else if (is_product)
      sum *= v;
    else
      sum += op == "ReduceL1" ? std::fabs(v) : op == "ReduceL2" ? v * v : v;
  }
  for (double& sum : sums) {
    if (op == "ReduceL2") sum = std::sqrt(sum);
    if (op == "ReduceMean") {
      const size_t count = values->size() / sums.size();
      sum /= static_cast<double>(count);
    }
  }
  c.set_value(0, make_floats(type, final_shape(kept, *reduced, c.node().get_bool("keep_dims")), sums));
}

void attributes_reduce(const Node& n, IrAttributes& a) { a.add("keep_dims", n.get_bool("keep_dims")); }

constexpr OpDef reduction(std::string_view name, std::string_view version) {
  return {.op = name,
          .type = name,
          .version = version,
          .infer = infer_reduce,
          .ir_attributes = attributes_reduce,
          .layout = {.kind = LayoutClass::Follows, .rules = {{LayoutRule::Kind::Axis, {}, 1}}, .drops_axes = true},
          .fold = fold_reduce};
}

constexpr OpDef kReduceDefs[] = {
    reduction("ReduceSum", "opset1"),       reduction("ReduceMean", "opset1"), reduction("ReduceMax", "opset1"),
    reduction("ReduceMin", "opset1"),       reduction("ReduceProd", "opset1"), reduction("ReduceLogicalAnd", "opset1"),
    reduction("ReduceLogicalOr", "opset1"), reduction("ReduceL1", "opset4"),   reduction("ReduceL2", "opset4"),
};

}  // namespace

OpFamily ops_Reduce() { return kReduceDefs; }

}  // namespace mo
