#include "core/back/requested/zero_channels.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/back/requested/zero_slices.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// How an operation's channels depend on those of its inputs.
enum class Flow {
  OfZeroZero,
  Pointwise,
  Sum,
  Product,
  Weights,
  Depthwise,
  MatMul,
  PRelu,
  Clamp,
  Reduce,
  Concat,
  Reshape,
  Order,
  Pad,
  Resize
};
const std::map<std::string_view, Flow> kFlows = {
    {"ReLU", Flow::OfZeroZero},
    {"Tanh", Flow::OfZeroZero},
    {"Elu", Flow::OfZeroZero},
    {"Selu", Flow::OfZeroZero},
    {"HSwish", Flow::OfZeroZero},
    {"Swish", Flow::OfZeroZero},
    {"Mish", Flow::OfZeroZero},
    {"Gelu", Flow::OfZeroZero},
    {"SoftSign", Flow::OfZeroZero},
    {"Abs", Flow::OfZeroZero},
    {"Negative", Flow::OfZeroZero},
    {"Sqrt", Flow::OfZeroZero},
    {"Erf", Flow::OfZeroZero},
    {"Cast", Flow::OfZeroZero},
    {"MaxPool", Flow::OfZeroZero},
    {"AvgPool", Flow::OfZeroZero},
    {"Sigmoid", Flow::Pointwise},
    {"HSigmoid", Flow::Pointwise},
    {"HardSigmoid", Flow::Pointwise},
    {"SoftPlus", Flow::Pointwise},
    {"Exp", Flow::Pointwise},
    {"AttributedClamp", Flow::Clamp},
    {"PReLU", Flow::PRelu},
    {"Add", Flow::Sum},
    {"Sub", Flow::Sum},
    {"Maximum", Flow::Sum},
    {"Minimum", Flow::Sum},
    {"Mul", Flow::Product},
    {"Convolution", Flow::Weights},
    {"ConvolutionBackpropData", Flow::Weights},
    {"GroupConvolution", Flow::Depthwise},
    {"MatMul", Flow::MatMul},
    {"ReduceMean", Flow::Reduce},
    {"ReduceSum", Flow::Reduce},
    {"ReduceMax", Flow::Reduce},
    {"ReduceMin", Flow::Reduce},
    {"Concat", Flow::Concat},
    {"Reshape", Flow::Reshape},
    {"Squeeze", Flow::Reshape},
    {"Unsqueeze", Flow::Reshape},
    {"Transpose", Flow::Order},
    {"Pad", Flow::Pad},
    {"Interpolate", Flow::Resize},
};

bool has(const Ints& numbers, size_t number) {
  return std::find(numbers.begin(), numbers.end(), static_cast<int64_t>(number)) != numbers.end();
}

class ChannelFlow {
 public:
  explicit ChannelFlow(Graph& graph) : graph_(graph), of_(graph.ids()) {}

  ChannelPlan run() {
    for (Node* node : graph_.topological_order()) {
      graph_.model().beat();
      Channels out;
      const auto flow = kFlows.find(node->op());
      const bool one_output = node->out_count() == 1 || (node->out_count() == 2 && node->out(1).disconnected());
      if (flow != kFlows.end() && one_output && follow(*node, flow->second, out)) {
        of_[static_cast<size_t>(node->id())] = std::move(out);
      } else {
        for (int i = 0; i < node->in_count(); ++i) keep(node->source(i));
      }
    }
    for (const Channels& channels : of_)
      if (std::none_of(channels.classes.begin(), channels.classes.end(), [&](int c) { return kept_[find(c)]; }) &&
          !channels.classes.empty())
        kept_[find(channels.classes[0])] = true;
    for (size_t i = 0; i < kept_.size(); ++i) plan_.removable.push_back(!kept_[find(static_cast<int>(i))]);
    return std::move(plan_);
  }

 private:
  const Channels* at(OutPort port) const {
    if (!port || port.index() != 0) return nullptr;
    const Channels& channels = of_[static_cast<size_t>(port.node().id())];
    return channels.classes.empty() ? nullptr : &channels;
  }
  size_t find(int c) {
    while (parent_[static_cast<size_t>(c)] != c) {
      int& up = parent_[static_cast<size_t>(c)];
      c = up = parent_[static_cast<size_t>(up)];
    }
    return static_cast<size_t>(c);
  }
  void unite(int a, int b) {
    const size_t to = find(a), from = find(b);
    kept_[to] = kept_[to] || kept_[from];
    parent_[from] = static_cast<int>(to);
  }
  std::vector<int> new_classes(int64_t count, bool kept) {
    std::vector<int> out(static_cast<size_t>(count));
    std::iota(out.begin(), out.end(), static_cast<int>(parent_.size()));
    parent_.insert(parent_.end(), out.begin(), out.end());
    kept_.resize(parent_.size(), kept);
    return out;
  }
  void keep(OutPort port) {
    if (const Channels* channels = at(port))
      for (const int c : channels->classes) kept_[find(c)] = true;
  }
  /// A channel that is multiplied by weights and added to others may be missing if it is 0.
  void read(const Channels& channels) {
    for (size_t i = 0; i < channels.zero.size(); ++i)
      if (!channels.zero[i]) kept_[find(channels.classes[i])] = true;
  }
  static const Constant* weights(const Node& node, int input) {
    const OutPort source = node.source(input);
    const Constant* value = source && source.node().op() == "Const" ? source.node().get_constant("value") : nullptr;
    // Two axes may be shortened, and the result compressed.
    return value && is_float(value->type) && bits(value->type) >= 16 &&
                   value->content->depth() + 3 <= Content::kMaxDepth
               ? value
               : nullptr;
  }
  void use(Node& node, int input, size_t axis, const std::vector<int>& classes, bool is_shape = false) {
    plan_.uses.push_back({&node, input, axis, classes, is_shape});
  }

  /// Sets the channels of the output. False if the operation needs all channels of its inputs.
  bool follow(Node& node, Flow flow, Channels& out) {
    if (flow == Flow::Weights) return multiply(node, out, node.op() == "Convolution" ? 0 : 1, 1);
    if (flow == Flow::MatMul) return multiply_matrix(node, out);
    if (flow == Flow::Sum || flow == Flow::Product) return combine(node, flow == Flow::Product, out);
    if (flow == Flow::Concat) return join(node, out);
    const Channels* in = at(node.source(0));
    if (!in) return false;
    out = *in;
    switch (flow) {
      case Flow::Pointwise: out.zero.assign(out.zero.size(), false); return true;
      case Flow::Clamp:
        if (node.get_float("min") > 0 || node.get_float("max") < 0) out.zero.assign(out.zero.size(), false);
        return true;
      case Flow::PRelu: return slope(node, out);
      case Flow::Depthwise: return depthwise(node, out);
      case Flow::Reduce: return reduce(node, out);
      case Flow::Reshape: return reshape(node, out);
      case Flow::Order: return reorder(node, out);
      case Flow::Pad: return pad(node, out);
      case Flow::Resize: return resize(node, out);
      default: return true;
    }
  }

  /// Weights with outputs along axis `to` and inputs along the other one of the first two.
  bool multiply(Node& node, Channels& out, size_t to, size_t axis) {
    const Constant* w = weights(node, 1);
    const Channels* in = at(node.source(0));
    const size_t from = 1 - to;
    if (!w || w->shape.size() < 2) return false;
    out.axis = axis;
    out.classes = new_classes(w->shape[to], false);
    out.zero = zero_slices(*w, to, graph_.files());
    use(node, 1, to, out.classes);
    const size_t in_axis = node.op() == "MatMul" ? static_cast<size_t>(node.source(0).tensor().shape.rank()) - 1 : axis;
    if (!in) return true;
    if (in->axis != in_axis || static_cast<int64_t>(in->classes.size()) != w->shape[from]) {
      keep(node.source(0));
    } else {
      read(*in);
      use(node, 1, from, in->classes);
    }
    return true;
  }

  bool multiply_matrix(Node& node, Channels& out) {
    const Constant* w = weights(node, 1);
    const int rank = node.out(0).tensor().shape.rank();
    if (!w || w->shape.size() != 2 || rank < 2 || node.get_bool("transpose_a") ||
        node.source(0).tensor().shape.rank() != rank)
      return false;
    return multiply(node, out, node.get_bool("transpose_b") ? 0 : 1, static_cast<size_t>(rank) - 1);
  }

  bool depthwise(Node& node, Channels& out) {
    const Constant* w = weights(node, 1);
    if (!w || out.axis != 1 || w->shape[0] != static_cast<int64_t>(out.classes.size()) || w->shape[1] != 1 ||
        w->shape[2] != 1)
      return false;
    const std::vector<bool> zero = zero_slices(*w, 0, graph_.files());
    for (size_t i = 0; i < zero.size(); ++i) out.zero[i] = out.zero[i] || zero[i];
    use(node, 1, 0, out.classes);
    return true;
  }

  bool slope(Node& node, const Channels& out) {
    const Constant* w = weights(node, 1);
    if (!w) return false;
    if (w->elements() == 1) return true;
    const size_t axis = w->shape.size() == 1 ? 0 : out.axis;
    if (axis >= w->shape.size() || w->shape[axis] != static_cast<int64_t>(out.classes.size()) ||
        (w->shape.size() > 1 && static_cast<int>(w->shape.size()) != node.source(0).tensor().shape.rank()))
      return false;
    use(node, 1, axis, out.classes);
    return true;
  }

  /// A sum is 0 where both operands are, a product where one is.
  bool combine(Node& node, bool product, Channels& out) {
    const int first = at(node.source(0)) ? 0 : 1, rank = node.out(0).tensor().shape.rank();
    const Channels* in = at(node.source(first));
    if (!in || rank < 0) return false;
    const OutPort other = node.source(1 - first);
    const size_t count = in->classes.size();
    const auto back = static_cast<size_t>(node.source(first).tensor().shape.rank()) - in->axis;
    const PartialShape& shape = other.tensor().shape;
    if (!shape.has_rank()) return false;
    const size_t other_rank = shape.dimensions().size();
    const Dimension size = back > other_rank ? Dimension(1) : shape[other_rank - back];
    std::vector<bool> zero(count, false);
    if (const Channels* also = at(other)) {
      if (other_rank - also->axis != back || also->classes.size() != count) return false;
      for (size_t i = 0; i < count; ++i) unite(in->classes[i], also->classes[i]);
      zero = also->zero;
    } else if (const Constant* value = weights(node, 1 - first)) {
      if (size == Dimension(1)) {
        zero.assign(count, zero_slices(mo::reshape(*value, {1, static_cast<int64_t>(value->elements())}), 0,
                                       graph_.files())[0]);
      } else if (size == Dimension(static_cast<int64_t>(count))) {
        zero = zero_slices(*value, other_rank - back, graph_.files());
        use(node, 1 - first, other_rank - back, in->classes);
      } else {
        return false;
      }
    } else if (!(size == Dimension(1))) {
      return false;
    }
    out = {static_cast<size_t>(rank) - back, in->classes, in->zero};
    for (size_t i = 0; i < count; ++i) out.zero[i] = product ? out.zero[i] || zero[i] : out.zero[i] && zero[i];
    return true;
  }

  bool join(Node& node, Channels& out) {
    const int rank = node.out(0).tensor().shape.rank();
    if (rank < 0) return false;
    const size_t axis = normalize_axis(node.get_int("axis"), rank);
    bool any = false;
    for (int i = 0; i < node.in_count(); ++i) {
      const Channels* in = at(node.source(i));
      const PartialShape& shape = node.source(i).tensor().shape;
      if (shape.rank() != rank || !shape[axis].is_exact() || (in && in->axis != axis)) return false;
      any |= in != nullptr;
    }
    if (!any) return false;
    out.axis = axis;
    for (int i = 0; i < node.in_count(); ++i) {
      const Channels* in = at(node.source(i));
      const std::vector<int> classes = in ? in->classes : new_classes(node.source(i).tensor().shape[axis].min, true);
      out.classes.insert(out.classes.end(), classes.begin(), classes.end());
      out.zero.resize(out.classes.size(), false);
      if (in) std::copy(in->zero.begin(), in->zero.end(), out.zero.end() - static_cast<ptrdiff_t>(in->zero.size()));
    }
    return true;
  }

  static bool reduce(Node& node, Channels& out) {
    const int rank = node.source(0).tensor().shape.rank();
    const auto axes = node.source(1).exact_ints();
    if (!axes || rank < 0) return false;
    size_t before = 0;
    for (const int64_t axis : *axes) {
      const size_t reduced = normalize_axis(axis, rank);
      if (reduced == out.axis) return false;
      before += reduced < out.axis;
    }
    if (!node.get_bool("keep_dims")) out.axis -= before;
    return true;
  }

  /// [N, C, …] becomes [N, C, …] or [N, C * …].
  bool reshape(Node& node, Channels& out) {
    const PartialShape &from = node.source(0).tensor().shape, &to = node.out(0).tensor().shape;
    if (out.axis != 1 || from.rank() < 2 || to.rank() < 2) return false;
    Shape in, made;
    for (const auto& [shape, rest] : {std::pair(&from, &in), std::pair(&to, &made)})
      for (size_t i = 1; i < shape->dimensions().size(); ++i) {
        if (!(*shape)[i].is_exact()) return false;
        rest->push_back((*shape)[i].min);
      }
    const auto count = static_cast<int64_t>(out.classes.size());
    if (count == 0 || element_count(in) != element_count(made) || made[0] % count != 0) return false;
    const auto each = static_cast<size_t>(made[0] / count);
    const Channels before = std::move(out);
    out = {1, {}, {}};
    for (size_t i = 0; i < before.classes.size(); ++i) {
      out.classes.insert(out.classes.end(), each, before.classes[i]);
      out.zero.insert(out.zero.end(), each, before.zero[i]);
    }
    if (node.op() != "Reshape") return true;
    const auto target = node.source(1).exact_ints();
    if (!target || node.source(1).node().op() != "Const") return false;
    if ((*target)[1] > 0) use(node, 1, 1, out.classes, true);
    return true;
  }

  static bool reorder(Node& node, Channels& out) {
    const auto order = node.source(1).exact_ints();
    if (!order || !has(*order, out.axis)) return false;
    out.axis =
        static_cast<size_t>(std::find(order->begin(), order->end(), static_cast<int64_t>(out.axis)) - order->begin());
    return true;
  }

  bool pad(Node& node, Channels& out) {
    for (const int input : {1, 2}) {
      const auto pads = node.source(input).exact_ints();
      if (!pads || out.axis >= pads->size() || (*pads)[out.axis] != 0) return false;
    }
    if (node.get_string("mode", "constant") != "constant" || !node.has_in(3)) return true;
    const auto& value = node.source(3).tensor().value;
    const auto number = value ? read_doubles(*value, graph_.files(), 1) : std::nullopt;
    if (!number || number->at(0) != 0) out.zero.assign(out.zero.size(), false);
    return true;
  }

  static bool resize(Node& node, const Channels& out) {
    const auto axes = node.source(3).exact_ints();
    return axes && !has(*axes, out.axis) && std::all_of(axes->begin(), axes->end(), [](int64_t a) { return a >= 0; });
  }

  Graph& graph_;
  std::vector<Channels> of_;  ///< by node: of output 0; no classes where nothing is known
  std::vector<int> parent_;   ///< classes that became one, as a forest
  std::vector<bool> kept_;    ///< by class; that of the root counts
  ChannelPlan plan_;
};

}  // namespace

ChannelPlan plan_removal(Graph& graph) { return ChannelFlow(graph).run(); }

}  // namespace mo
