// Before: y = TreeEnsemble(x), TreeEnsembleRegressor(x)                            ai.onnx.ml
//         label, scores = TreeEnsembleClassifier(x)
// After:  node = [rows, trees], the roots at first; for each level of the deepest tree:
//           x' = GatherElements(x, feature[node]);  node = Select(x' <= value[node], on_true[node], on_false[node])
//         if modes differ, if they are not <=, < or =, or if missing values have their own branch:
//           node = next[node * 4 + the outcome of the comparison: less, equal, greater, not a number]
//         y = post(the sum, mean, minimum or maximum of weights[node] over the trees + base values)
//         label = labels[the largest score]; if one number gives two classes: by its sign, or by comparing it with 0.5
// Conditions: trees of at most 256 levels; labels are numbers, or not used.

#include <algorithm>
#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/front/onnx/ml/forest.h"
#include "core/front/onnx/ml/scores.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

enum class Aggregate { Average, Sum, Least, Most };

/// Walks all trees at once.
class ForestWalk {
 public:
  ForestWalk(Builder& b, const onnx::Forest& forest, OutPort x) : b_(b), f_(forest), x_(x) {}

  /// The leaf of each tree, [rows, trees].
  OutPort leaves() const {
    const OutPort roots = indices(f_.roots);
    if (f_.depth == 0) {
      const OutPort shape = b_.concat({b_.dims_of(x_, {0}), b_.i64({static_cast<int64_t>(f_.roots.size())})}, 0);
      return b_.op("Broadcast", {roots, shape}, {{"mode", "numpy"}});
    }
    Ints features;
    Doubles values;
    for (const int64_t root : f_.roots) {
      features.push_back(f_.feature[static_cast<size_t>(root)]);
      values.push_back(f_.value[static_cast<size_t>(root)]);
    }
    const Tables t = tables();
    // The roots are the same for all rows.
    const OutPort seen = b_.gather(x_, indices(features), 1);
    OutPort node = stepped(t, roots, seen, precise_constant(b_, type(), {static_cast<int64_t>(values.size())}, values));
    const OutPort feature = indices(f_.feature);
    const OutPort value = precise_constant(b_, type(), {static_cast<int64_t>(f_.value.size())}, f_.value);
    for (int64_t level = 1; level < f_.depth; ++level) {
      const OutPort compared = b_.op("GatherElements", {x_, b_.gather(feature, node, 0)}, {{"axis", int64_t{1}}});
      node = stepped(t, node, compared, b_.gather(value, node, 0));
    }
    return node;
  }

 private:
  /// Two successors and a comparison, or four successors for each node.
  struct Tables {
    const char* comparison = nullptr;
    OutPort on_true, on_false, next;
    bool missing_differs = false;
  };

  ElementType type() const { return x_.tensor().type; }
  OutPort indices(const Ints& values) const { return b_.constant(convert(make_i64(values), ElementType::I32)); }
  OutPort index(int64_t value) const { return b_.constant(make_scalar(ElementType::I32, static_cast<double>(value))); }

  Tables tables() const {
    static constexpr const char* kComparisons[] = {"LessEqual", "Less", "GreaterEqual", "Greater", "Equal", "NotEqual"};
    Tables t;
    Ints next;
    bool same_mode = true;
    const size_t first = static_cast<size_t>(f_.leaves);
    for (size_t i = 0; i < f_.feature.size(); ++i) {
      for (int outcome = 0; outcome < 4; ++outcome)
        next.push_back(i < first ? static_cast<int64_t>(i) : f_.next(i, outcome));
      if (i < first) continue;
      same_mode &= f_.mode[i] == f_.mode[first];
      t.missing_differs |= next[4 * i + 3] != next[4 * i + 2];
    }
    const onnx::TreeMode mode = f_.mode[first];
    const bool up =
        mode == onnx::TreeMode::LessOrEqual || mode == onnx::TreeMode::Less || mode == onnx::TreeMode::Equal;
    if (same_mode && up && !t.missing_differs) {
      t.comparison = kComparisons[static_cast<size_t>(mode)];
      t.on_true = indices(f_.on_true);
      t.on_false = indices(f_.on_false);
    } else {
      t.next = indices(next);
    }
    return t;
  }

  OutPort stepped(const Tables& t, OutPort node, OutPort x, OutPort value) const {
    if (!t.next)
      return b_.op("Select",
                   {b_.op(t.comparison, {x, value}), b_.gather(t.on_true, node, 0), b_.gather(t.on_false, node, 0)});
    OutPort outcome = b_.op("Select", {b_.op("Equal", {x, value}), index(1), index(2)});
    outcome = b_.op("Select", {b_.op("Less", {x, value}), index(0), outcome});
    if (t.missing_differs) outcome = b_.op("Select", {b_.op("IsNaN", {x}), index(3), outcome});
    return b_.gather(t.next, b_.op("Add", {b_.op("Mul", {node, index(4)}), outcome}), 0);
  }

  Builder& b_;
  const onnx::Forest& f_;
  OutPort x_;
};

class DecomposeTreeEnsemble final : public Decomposition {
 public:
  Names ops() const override { return {"TreeEnsemble", "TreeEnsembleRegressor", "TreeEnsembleClassifier"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const bool classifier = node.op() == "TreeEnsembleClassifier", newest = node.op() == "TreeEnsemble";
    const onnx::Forest f =
        newest ? onnx::read_tree_ensemble(node) : onnx::read_forest(node, classifier ? "class" : "target");
    OutPort x = onnx::feature_rows(b, node.source(0));
    x = b.convert(x, f.type == ElementType::F64 ? f.type : x.tensor().type);
    const PartialShape& shape = x.tensor().shape;
    const int64_t most = *std::max_element(f.feature.begin(), f.feature.end());
    if (shape.rank() == 2 && shape[1].max <= most)
      throw Error(Code::ShapeMismatch, msg("feature ", most, " of [", to_string(shape), "]"));
    const OutPort leaves = ForestWalk(b, f, x).leaves();
    if (classifier) return classified(b, node, f, leaves);
    ElementType type = f.type;
    const Doubles base = onnx::numbers_of(node, "base_values", type);
    const OutPort y = with_base(b, f, base, aggregated(b, f, leaves, aggregate_of(node)));
    const OutPort out = onnx::post_transformed(b, y, newest ? post_transform(node) : node.get_string("post_transform"));
    return {b.convert(out, newest ? node.source(0).tensor().type : ElementType::F32)};
  }

 private:
  static Aggregate aggregate_of(const Node& node) {
    static constexpr std::string_view kNames[] = {"AVERAGE", "SUM", "MIN", "MAX"};
    int64_t number = node.get_int("aggregate_function");
    if (node.op() != "TreeEnsemble") {
      const std::string name = node.get_string("aggregate_function");
      number = std::find(std::begin(kNames), std::end(kNames), name) - std::begin(kNames);
    }
    if (number < 0 || number > 3) throw Error(Code::BadAttribute, "aggregate_function");
    return static_cast<Aggregate>(number);
  }
  static std::string post_transform(const Node& node) {
    static constexpr const char* kNames[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
    const int64_t number = node.get_int("post_transform");
    if (number < 0 || number > 4) throw Error(Code::BadAttribute, msg("post_transform is ", number));
    return kNames[number];
  }

  /// [rows, targets]
  static OutPort aggregated(Builder& b, const onnx::Forest& f, OutPort leaves, Aggregate by) {
    const bool sums = by == Aggregate::Sum || by == Aggregate::Average;
    const bool alone = std::all_of(f.only_target.begin(), f.only_target.end(), [](int64_t t) { return t >= 0; });
    const auto trees = static_cast<int64_t>(f.roots.size());
    const double share = by == Aggregate::Average ? static_cast<double>(trees) : 1;
    OutPort y;
    if (sums && alone) {
      const OutPort each = b.gather(weight_table(b, f, 1, 0, share), leaves, 0);
      if (f.targets == 1) {
        y = b.reduce("ReduceSum", each, {1}, true);
      } else {
        Doubles of_tree(static_cast<size_t>(trees * f.targets));
        for (int64_t i = 0; i < trees; ++i)
          of_tree[static_cast<size_t>(i * f.targets + f.only_target[static_cast<size_t>(i)])] = 1;
        y = b.matmul({each, precise_constant(b, f.type, {trees, f.targets}, of_tree)});
      }
    } else {
      // Finite, since runtimes start a maximum from the lowest finite number.
      constexpr double kMost = 3.4028234663852886e38;
      const double none = by == Aggregate::Least ? kMost : by == Aggregate::Most ? -kMost : 0;
      const OutPort each = b.gather(weight_table(b, f, f.targets, none, share), leaves, 0);
      y = b.reduce(sums ? "ReduceSum" : by == Aggregate::Least ? "ReduceMin" : "ReduceMax", each, {1}, false);
      if (!sums)  // no leaf contributed
        y = b.op("Select", {b.op("Equal", {y, splat_like(b, y, {}, none)}), splat_like(b, y, {}, 0), y});
    }
    return y;
  }

  /// The weight of each leaf, divided by `share`: [leaves], or [leaves, targets] with `none` for targets without a
  /// weight.
  static OutPort weight_table(Builder& b, const onnx::Forest& f, int64_t targets, double none, double share) {
    constexpr int64_t kMost = int64_t{1} << 26;
    if (f.leaves > kMost / targets)
      throw Error(Code::UnsupportedForm, msg(f.leaves, " leaves of ", targets, " targets each"));
    Doubles table(static_cast<size_t>(f.leaves * targets), none);
    for (const onnx::Forest::Weight& w : f.weights) {
      double& sum = table[static_cast<size_t>(w.leaf * targets + (targets == 1 ? 0 : w.target))];
      sum = (sum == none ? 0 : sum) + w.weight / share;
    }
    // A sum over the trees removes their dimension and keeps [rows, 1]; other reductions need the dimension of the
    // target.
    const bool flat = none == 0 && targets == 1;
    return precise_constant(b, f.type, flat ? Shape{f.leaves} : Shape{f.leaves, targets}, table);
  }

  static OutPort with_base(Builder& b, const onnx::Forest& f, const Doubles& base, OutPort y) {
    if (base.empty()) return y;
    if (static_cast<int64_t>(base.size()) != f.targets)
      throw Error(Code::BadAttribute, msg(base.size(), " base_values for ", f.targets, " targets"));
    return b.op("Add", {y, precise_constant(b, y.tensor().type, {f.targets}, base)});
  }

  static std::vector<OutPort> classified(Builder& b, Node& node, const onnx::Forest& f, OutPort leaves) {
    const onnx::ClassLabels labels(node, "classlabels_int64s");
    const std::string post = node.get_string("post_transform");
    const auto& w = f.weights;
    const bool one_class =
        !w.empty() && std::all_of(w.begin(), w.end(), [&](const auto& each) { return each.target == w[0].target; });
    ElementType type = f.type;
    const Doubles base = onnx::numbers_of(node, "base_values", type);
    OutPort index, scores;
    if (f.targets == 2 && one_class) {
      // One number gives two classes; it does not matter to which of them it belongs.
      if (base.size() > 1) throw Error(Code::UnsupportedForm, "two base values for the weights of one class");
      const bool margin = !std::all_of(w.begin(), w.end(), [](const auto& each) { return each.weight >= 0; });
      OutPort s = b.reduce("ReduceSum", b.gather(weight_table(b, f, 1, 0, 1), leaves, 0), {1}, true);
      if (!base.empty()) s = b.op("Add", {s, splat_like(b, s, {}, base[0])});
      const OutPort above = b.op("Greater", {s, splat_like(b, s, {}, margin ? 0 : 0.5)});
      index = b.convert(b.squeeze(above, {1}), ElementType::I64);
      scores = onnx::scores_of_two(b, s, margin, post);
    } else {
      const OutPort sums = with_base(b, f, base, aggregated(b, f, leaves, Aggregate::Sum));
      index = onnx::best_class(b, sums);
      scores = onnx::post_transformed(b, sums, post);
    }
    const bool label_used = !node.out(0).disconnected();
    return {label_used ? labels.of(b, index) : OutPort(), b.convert(scores, ElementType::F32)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTreeEnsemble)
}  // namespace mo
