// Before: Reshape(x, pattern computed from dimensions of x)
// After:  Reshape(x, constant) {special_zero: true}: a dimension that stays where it is, is 0; what is left over is -1
// Conditions: every element of the pattern is a number or, but for one, dimension i of x at place i. Dimensions may be
// taken from another tensor that has the shape of x, being computed from the same one element by element. The pattern
// is a Concat of two computed parts at least: a single ShapeOf, Gather, Concat stays, for those who look for dimensions
// in the IR.

#include <algorithm>

#include "core/back/replacement.h"

namespace mo {
namespace {

/// An element of a pattern: a number, a dimension of a tensor, or what nothing is known about.
struct Element {
  enum class Kind { Number, Dimension, Other } kind = Kind::Other;
  int64_t number = 0;  ///< the number, or the axis
  OutPort of = {};
};
using Elements = std::vector<Element>;

class SimplifyReshapePatterns final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Reshape")) {
      const OutPort x = node->source(0), pattern = node->source(1);
      if (!x || !pattern || computed_parts(pattern.node()) < 2 || !x.tensor().shape.has_rank()) continue;
      const auto simple = simplified(x, traced(pattern, 0), node->get_bool("special_zero", true));
      if (!simple) continue;
      node->in(1).connect(graph.constant(make_i64(*simple), node->name() + "/pattern"));
      node->set("special_zero", true);
    }
  }

 private:
  static constexpr int kMaxDepth = 12;
  static constexpr size_t kMaxElements = 64;

  static int computed_parts(const Node& pattern) {
    int count = 0;
    for (int i = 0; i < pattern.in_count() && pattern.op() == "Concat"; ++i)
      count += pattern.has_in(i) && pattern.source(i).tensor().from_shape;
    return count;
  }

  static std::optional<Ints> simplified(OutPort x, const Elements& elements, bool special_zero) {
    if (elements.empty() || elements.size() > kMaxElements) return std::nullopt;
    Ints pattern;
    int left_over = 0;
    for (size_t i = 0; i < elements.size(); ++i) {
      const Element& e = elements[i];
      if (e.kind == Element::Kind::Number) {
        if ((e.number == 0 && !special_zero) || e.number < -1) return std::nullopt;
        left_over += e.number == -1;
        pattern.push_back(e.number);
      } else if (e.kind == Element::Kind::Dimension && e.number == static_cast<int64_t>(i) &&
                 i < x.tensor().shape.dimensions().size() && shape_source(e.of) == shape_source(x)) {
        pattern.push_back(0);
      } else {
        ++left_over;
        pattern.push_back(-1);
      }
    }
    return left_over <= 1 ? std::optional<Ints>(pattern) : std::nullopt;
  }

  /// The elements of a tensor of one dimension, or of one element; none when their number is not known.
  static Elements traced(OutPort port, int depth) {
    const Tensor& tensor = port.tensor();
    const Interval count = tensor.shape.elements();
    if (!count.is_exact() || count.min < 1 || count.min > static_cast<int64_t>(kMaxElements)) return {};
    Elements unknown(static_cast<size_t>(count.min));
    if (depth > kMaxDepth) return unknown;
    const Node& node = port.node();
    Elements found;
    if (!tensor.from_shape && tensor.ints && tensor.ints->is_exact()) {
      for (const int64_t number : tensor.ints->exact()) found.push_back({Element::Kind::Number, number});
    } else if (node.op() == "Cast" || (count == Interval(1) && only_reshapes(node))) {
      found = traced(node.source(0), depth + 1);
    } else if (node.op() == "Concat") {
      for (int i = 0; i < node.in_count(); ++i) {
        const Elements part = traced(node.source(i), depth + 1);
        if (part.empty()) return unknown;
        found.insert(found.end(), part.begin(), part.end());
      }
    } else if (node.op() == "ShapeOf") {
      for (int64_t i = 0; i < count.min; ++i) found.push_back({Element::Kind::Dimension, i, node.source(0)});
    } else if (node.op() == "Gather" && node.has_in(2)) {
      const Elements all = traced(node.source(0), depth + 1);
      const auto& places = node.source(1).tensor().ints;
      if (!places || !places->is_exact() || node.get_int("batch_dims") != 0) return unknown;
      for (int64_t place : places->exact()) {
        if (place < 0) place += static_cast<int64_t>(all.size());
        if (place < 0 || place >= static_cast<int64_t>(all.size())) return unknown;
        found.push_back(all[static_cast<size_t>(place)]);
      }
    }
    return found.size() == unknown.size() ? found : unknown;
  }

  static bool only_reshapes(const Node& node) {
    return node.op() == "Unsqueeze" || node.op() == "Squeeze" || node.op() == "Reshape";
  }

  /// The tensor from which this one has its shape, element by element.
  static OutPort shape_source(OutPort port) {
    for (int steps = 0; steps < 256; ++steps) {
      const Node& node = port.node();
      static constexpr std::string_view kSameShape[] = {"Cast", "ReLU", "Gelu",    "Tanh", "Sigmoid", "Swish",   "Mish",
                                                        "MVN",  "Erf",  "SoftMax", "Sqrt", "Exp",     "Negative"};
      int input = -1;
      if (std::find(std::begin(kSameShape), std::end(kSameShape), node.op()) != std::end(kSameShape)) input = 0;
      if (node.op() == "Add" || node.op() == "Mul" || node.op() == "Sub" || node.op() == "Div")
        for (int i = 0; i < 2 && input < 0; ++i)
          if (node.has_in(i) && leaves_shape(node.source(1 - i), node.source(i).tensor().shape)) input = i;
      if (input < 0 || !node.has_in(input)) break;
      port = node.source(input);
    }
    return port;
  }

  /// Whether a constant operand changes no shape: its dimensions are 1, or static ones of the data.
  static bool leaves_shape(OutPort operand, const PartialShape& data) {
    if (!operand || operand.node().op() != "Const" || !data.has_rank()) return false;
    const PartialShape& shape = operand.tensor().shape;
    const size_t rank = data.dimensions().size();
    if (!shape.is_static() || shape.dimensions().size() > rank) return false;
    const size_t missing = rank - shape.dimensions().size();
    for (size_t i = 0; i < shape.dimensions().size(); ++i)
      if (!(shape[i] == Interval(1)) && !(shape[i] == data[i + missing])) return false;
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SimplifyReshapePatterns)
}  // namespace mo
