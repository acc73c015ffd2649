// Before: x [N, C, space…] -> spatial and elementwise operations -> y
// After:  x -> Transpose -> the same with channels last, in the form in which a framework gives it -> Transpose -> y
//         Weights become [kernel…, I, O], those of transposed convolutions [kernel…, O, I], depthwise ones
//         [kernel…, I, M], and have their groups in their shape; operands of lower rank lose their leading ones.
// Conditions: none; another operation is an error. A Parameter whose name begins with w is no data.

#include <algorithm>
#include <numeric>

#include "core/layout/permute_attributes.h"
#include "core/ops/filter_order.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

bool is_any_of(const Node& node, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), node.op()) != ops.end();
}

class ToChannelsLast final : public Transform {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    const PartialShape* shape = graph.parameters.at(0)->attributes.get_if<PartialShape>("shape");
    rank_ = shape->rank();
    Ints order{0};
    for (int64_t i = 2; i < rank_; ++i) order.push_back(i);
    order.push_back(1);
    const Permutation last(order);
    const std::vector<Node*> parameters = graph.parameters, results = graph.results;
    for (Node* node : graph.nodes()) {
      if (is_any_of(*node, {"Conv", "FusedConv", "Deconvolution"})) turn_weights(*node);
      if (is_any_of(*node, {"Conv", "FusedConv", "Deconvolution", "Pooling", "LpPool", "batchNormInference",
                            "DeformConv", "InstanceNormalization", "GroupNormalizationONNX", "AttributedLRN"}))
        name_axes(*node);
      else if (is_any_of(*node, {"Add", "Sub", "Mul", "Div"}))
        turn_operands(*node, last);
      else if (!is_any_of(*node, {"ReLU", "Negative", "Const", "Parameter", "Result"}))
        throw Error(Code::UnsupportedOp, node->op(), node->place());
    }
    for (Node* parameter : parameters)
      if (parameter->name()[0] != 'w') insert_turn(parameter->out(0), last.perm);
    for (Node* result : results) {
      const OutPort source = result->source(0);
      if (turned(source)) result->in(0).connect(turn(source, last.inv));
    }
    graph.model().layout = DataLayout::Nhwc;
  }

 private:
  /// The statistics that a batch normalization gives in training have one number per channel.
  static bool turned(OutPort source) { return source.node().op() != "batchNormInference" || source.index() == 0; }

  static OutPort turn(OutPort source, const Ints& order) {
    Builder b(source.node());
    return b.transpose(source, order);
  }
  static void insert_turn(OutPort source, const Ints& order) {
    const std::vector<InPort> consumers = source.destinations();
    const OutPort made = turn(source, order);
    for (InPort consumer : consumers) consumer.connect(made);
  }

  void name_axes(Node& node) const {
    Ints spatial(static_cast<size_t>(rank_) - 2);
    std::iota(spatial.begin(), spatial.end(), 1);
    node.set("batch_dims", Ints{0});
    node.set("channel_dims", Ints{-1});
    node.set("spatial_dims", spatial);
  }

  void turn_weights(Node& node) const {
    const OutPort weights = node.source(1);
    const bool transposed = node.op() == "Deconvolution", is_constant = weights.node().op() == "Const";
    Ints order;
    for (int64_t i = 2; i < rank_; ++i) order.push_back(i);
    Constant value = is_constant ? *weights.node().get_constant("value") : Constant();
    const bool depthwise = !transposed && is_constant && node.get_int("group") > 1 && value.shape[1] == 1;
    if (depthwise) {
      value = reshape(value, [&] {
        Shape shape = value.shape;
        shape[0] = node.get_int("group"), shape[1] = value.shape[0] / shape[0];
        return shape;
      }());
      order.insert(order.end(), {0, 1});
    } else {
      order.insert(order.end(), {1, 0});
    }
    node.in(1).connect(is_constant ? node.graph().constant(transpose(value, order)).out(0) : turn(weights, order));
    FilterOrder(depthwise ? "*GO" : transposed ? "*OI" : "*IO", static_cast<size_t>(rank_) - 2).set(node);
    if (!transposed) node.attributes.erase("group");
  }

  void turn_operands(Node& node, const Permutation& last) const {
    for (int i = 0; i < 2; ++i) {
      if (node.source(i).node().op() != "Const") continue;
      const Constant value = *node.source(i).node().get_constant("value");
      Shape shape = value.shape;
      shape.insert(shape.begin(), static_cast<size_t>(rank_) - shape.size(), 1);
      const Constant made = transpose(reshape(value, shape), last.perm);
      const auto first = std::find_if(made.shape.begin(), made.shape.end(), [](int64_t d) { return d != 1; });
      node.in(i).connect(node.graph().constant(reshape(made, Shape(first, made.shape.end()))));
    }
  }

  int64_t rank_ = 0;
};

}  // namespace
MO_DEFINE_TRANSFORM(ToChannelsLast)
}  // namespace mo
