// Before: what is computed from dimensions that weights or numbers of the model fix, such as the last one of
//         MatMul(x, w) + b, a part of a Reshape to [0, 0, 8, 64], or the length of a list of dimensions
// After:  the number
// Conditions: the number is known, and stays the same for inputs of any size: exporters write the size of a head, or
// the slices of the product of queries, keys and values, in this way. Dimensions that follow from the inputs' are left,
// so that the runtime can give the IR other sizes.

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/ops/dimension_origins.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class DimensionsOfWeights final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    FixedDimensions dimensions;
    std::unordered_set<int> fixed;  // ids of nodes that give fixed numbers; looked up only
    std::vector<Node*> found;
    for (Node* node : graph.topological_order()) {
      if (!gives_known_numbers(*node) || !is_fixed(*node, fixed, dimensions)) continue;
      fixed.insert(node->id());
      found.push_back(node);
    }
    // Backwards: what an output of the model needs stays, and what that reads becomes a constant.
    for (size_t i = found.size(); i-- > 0;)
      if (gives_output(*found[i]))
        fixed.erase(found[i]->id());
      else
        replace_if_read(graph, *found[i], fixed);
  }

 private:
  static constexpr size_t kMostNumbers = 64;

  /// Remembers which dimensions are fixed: the cost depends on the size of the graph, not on the number of questions.
  class FixedDimensions {
   public:
    bool has(const DimensionOrigin& at, int depth = 0) {
      if (!at.of || at.of.tensor().shape.rank() <= static_cast<int>(at.axis)) return false;
      if (!at.of.tensor().shape[at.axis].is_exact()) return false;
      const auto place = known_.try_emplace({at.of.node().id(), at.of.index(), static_cast<int>(at.axis)}, false);
      if (place.second && depth < kMaxDepth) place.first->second = find(at, depth + 1);
      return place.first->second;
    }

   private:
    static constexpr int kMaxDepth = 64;

    bool find(const DimensionOrigin& at, int depth) {
      const Node& node = at.of.node();
      if (node.op() == "Const") return !at.of.tensor().from_shape;
      const int64_t size = at.of.tensor().shape[at.axis].min;
      const size_t from_end = at.of.tensor().shape.dimensions().size() - at.axis;
      const auto has_of = [&](int input, size_t back) {
        const OutPort source = node.source(input);
        const int rank = source ? source.tensor().shape.rank() : -1;
        return rank >= static_cast<int>(back) &&
               source.tensor().shape[static_cast<size_t>(rank) - back] == Dimension(size) &&
               has({source, static_cast<size_t>(rank) - back}, depth);
      };
      if (node.op() == "ShapeOf") return true;  // the rank
      if (node.op() == "Unsqueeze" && is_new_axis(node, at)) return true;
      if (node.op() == "Concat" && is_along(node, at)) {
        for (int i = 0; i < node.in_count(); ++i)
          if (node.has_in(i) && !has({node.source(i), at.axis}, depth)) return false;
        return true;
      }
      if (const auto indices = axis_of_indices(node, at)) return has({node.source(1), *indices}, depth);
      if (node.op() == "Reshape" && node.has_in(1)) return is_fixed_by_reshape(node, at.axis, depth);
      if (node.op() == "MatMul" && from_end == 1) return has_of(1, node.get_bool("transpose_b") ? 2 : 1);
      // A dimension of more than 1 that one of them has is that of the result.
      if (is_one_of(node.op(), {"Add", "Sub", "Mul", "Div"}) && size > 1)
        return has_of(0, from_end) || has_of(1, from_end);
      for (const DimensionOrigin& source : moved_dimension(at))
        if (has(source, depth)) return true;
      return false;
    }

    static bool is_new_axis(const Node& node, const DimensionOrigin& at) {
      const OutPort given = node.source(1);
      const auto axes = given && !given.tensor().from_shape ? given.exact_ints() : std::nullopt;
      return axes && std::any_of(axes->begin(), axes->end(), [&](int64_t axis) {
               return normalize_axis(axis, at.of.tensor().shape.rank()) == at.axis;
             });
    }

    static bool is_along(const Node& concat, const DimensionOrigin& at) {
      return normalize_axis(concat.get_int("axis"), at.of.tensor().shape.rank()) == at.axis;
    }

    /// The dimension of the indices of a Gather that becomes this one.
    static std::optional<size_t> axis_of_indices(const Node& node, const DimensionOrigin& at) {
      if (node.op() != "Gather" || node.get_int("batch_dims") != 0 || !node.has_in(1) || !node.has_in(2))
        return std::nullopt;
      const auto along = node.source(2).exact_ints();
      const int data = node.source(0).tensor().shape.rank(), indices = node.source(1).tensor().shape.rank();
      if (!along || along->size() != 1 || data < 1 || indices < 1) return std::nullopt;
      const size_t first = normalize_axis((*along)[0], data);
      if (at.axis < first || at.axis >= first + static_cast<size_t>(indices)) return std::nullopt;
      return at.axis - first;
    }

    /// By a number of the pattern, or because all others are: a -1 is what they leave.
    bool is_fixed_by_reshape(const Node& node, size_t axis, int depth) {
      const OutPort x = node.source(0), pattern = node.source(1);
      const Interval count = pattern.tensor().shape.elements();
      const bool copies = node.get_bool("special_zero", true);
      const ShapeElement element = shape_element(pattern, axis);
      if (element.kind == ShapeElement::Kind::Dimension) return has(element.dimension, depth);
      if (element.kind != ShapeElement::Kind::Number) return false;
      if (element.number > 0) return true;
      const auto rank = static_cast<size_t>(std::max(x.tensor().shape.rank(), 0));
      if (element.number == 0) return copies && axis < rank && has({x, axis}, depth);
      std::vector<bool> open(rank);
      for (size_t i = 0; i < rank; ++i) open[i] = !has({x, i}, depth);
      for (size_t i = 0; i < static_cast<size_t>(count.min); ++i) {
        const ShapeElement other = shape_element(pattern, i);
        if (i == axis || (other.kind == ShapeElement::Kind::Number && other.number > 0)) continue;
        if (other.kind == ShapeElement::Kind::Number) {
          if (other.number != 0 || !copies || i >= rank) return false;
          open[i] = false;
        } else if (other.kind == ShapeElement::Kind::Other) {
          return false;
        } else if (!has(other.dimension, depth)) {
          const DimensionOrigin origin = origins_.of(other.dimension);
          size_t same = 0;
          while (same < rank && !(open[same] && origins_.of({x, same}) == origin)) ++same;
          if (same == rank) return false;
          open[same] = false;
        }
      }
      return std::none_of(open.begin(), open.end(), [](bool is_open) { return is_open; });
    }

    DimensionOrigins origins_;
    std::map<std::array<int, 3>, bool> known_;  ///< by node, port and axis
  };

  static bool gives_known_numbers(const Node& node) {
    if (node.out_count() != 1 || node.has_control_flow()) return false;
    const Tensor& tensor = OutPort(const_cast<Node*>(&node), 0).tensor();
    return tensor.from_shape && tensor.ints && tensor.ints->is_exact() &&
           tensor.ints->elements.size() <= kMostNumbers && tensor.shape.is_static() &&
           (tensor.type == ElementType::I64 || tensor.type == ElementType::I32);
  }

  static bool is_fixed(const Node& node, const std::unordered_set<int>& fixed, FixedDimensions& dimensions) {
    static constexpr std::string_view kArithmetic[] = {
        "Add",     "Sub",     "Mul",    "Div",    "Maximum", "Minimum",  "Cast",       "Negative",  "Unsqueeze",
        "Squeeze", "Reshape", "Concat", "Gather", "Slice",   "FloorMod", "ReduceProd", "ReduceSum", "Select"};
    if (is_one_of(node.op(), kArithmetic)) {
      bool all = node.in_count() > 0;
      for (int i = 0; i < node.in_count() && all; ++i) {
        const OutPort source = node.source(i);
        all = !source || (source.node().op() == "Const" && !source.tensor().from_shape) ||
              fixed.contains(source.node().id());
      }
      if (all) return true;
    }
    const OutPort numbers(const_cast<Node*>(&node), 0);
    const size_t count = numbers.tensor().ints->elements.size();
    for (size_t i = 0; i < count; ++i) {
      const ShapeElement element = shape_element(numbers, i);
      if (element.kind == ShapeElement::Kind::Number) continue;
      if (element.kind != ShapeElement::Kind::Dimension || !dimensions.has(element.dimension)) return false;
    }
    return count > 0;
  }

  static bool gives_output(const Node& node) {
    const std::vector<InPort> uses = OutPort(const_cast<Node*>(&node), 0).destinations();
    return std::any_of(uses.begin(), uses.end(), [](const InPort& use) { return use.node().op() == "Result"; });
  }

  /// Only what others read becomes a constant: the way to it has no readers then.
  static void replace_if_read(Graph& graph, Node& node, const std::unordered_set<int>& fixed) {
    const std::vector<InPort> uses = node.out(0).destinations();
    const auto is_other = [&](const InPort& use) { return !fixed.contains(use.node().id()); };
    if (std::none_of(uses.begin(), uses.end(), is_other)) return;
    const Tensor& tensor = node.out(0).tensor();
    Shape shape;
    for (const Dimension& dimension : tensor.shape.dimensions()) shape.push_back(dimension.min);
    Constant value = reshape(make_i64(*node.out(0).exact_ints()), shape);
    if (tensor.type != ElementType::I64) value = convert(value, tensor.type);
    const OutPort number = graph.constant(value, node.name() + "/number");
    node.out(0).connection().set_source(number, TensorNames::Merge);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DimensionsOfWeights)
}  // namespace mo
