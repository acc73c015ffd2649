#include "core/back/requested/zero_channels.h"

#include <algorithm>
#include <optional>

#include "core/back/requested/channel_classes.h"
#include "core/back/requested/channel_flow.h"
#include "core/back/requested/zero_slices.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

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
      if (const auto flow = flow_of(*node); flow && follow(*node, *flow, out)) {
        of_[static_cast<size_t>(node->id())] = std::move(out);
        const bool of_all = *flow == Flow::Sum || *flow == Flow::Product || *flow == Flow::Concat;
        for (int i = 1; i < node->in_count() && !of_all; ++i) need(node->source(i));
      } else {
        for (int i = 0; i < node->in_count(); ++i) need(node->source(i));
      }
    }
    for (const Channels& channels : of_) {
      const std::vector<int>& all = channels.classes;
      if (!all.empty() && std::none_of(all.begin(), all.end(), [&](int c) { return classes_.needs(c); }))
        classes_.need(all[0]);
    }
    for (size_t i = 0; i < classes_.size(); ++i) plan_.removable.push_back(!classes_.needs(static_cast<int>(i)));
    return std::move(plan_);
  }

 private:
  const Channels* at(OutPort port) const {
    if (!port || port.index() != 0) return nullptr;
    const Channels& channels = of_[static_cast<size_t>(port.node().id())];
    return channels.classes.empty() ? nullptr : &channels;
  }
  void need(OutPort port) {
    if (const Channels* channels = at(port))
      for (const int c : channels->classes) classes_.need(c);
  }
  /// Marks channels that weights read as needed, except those that are 0: they may be missing.
  void need_unless_zero(const Channels& channels) {
    for (size_t i = 0; i < channels.zero.size(); ++i)
      if (!channels.zero[i]) classes_.need(channels.classes[i]);
  }
  static const Constant* weights(const Node& node, int input) {
    const OutPort source = node.source(input);
    const Constant* value = source && source.node().op() == "Const" ? source.node().get_constant("value") : nullptr;
    // Three more recipes must fit: two axes may be shortened, and the result compressed.
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
      case Flow::Slope: return slope(node, out);
      case Flow::Depthwise: return depthwise(node, out);
      case Flow::Reduce: return reduce(node, out);
      case Flow::Reshape: return follow_reshape(node, out);
      case Flow::Transpose: return transposed(node, out);
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
    out.classes = classes_.add(static_cast<size_t>(w->shape[to]));
    out.zero = zero_slices(*w, to, graph_.files());
    use(node, 1, to, out.classes);
    const size_t in_axis = node.op() == "MatMul" ? static_cast<size_t>(node.source(0).tensor().shape.rank()) - 1 : axis;
    if (!in) return true;
    if (in->axis != in_axis || static_cast<int64_t>(in->classes.size()) != w->shape[from]) {
      need(node.source(0));
    } else {
      need_unless_zero(*in);
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
      for (size_t i = 0; i < count; ++i) classes_.unite(in->classes[i], also->classes[i]);
      zero = also->zero;
    } else if (const Constant* value = weights(node, 1 - first)) {
      if (size == Dimension(1)) {
        zero.assign(count,
                    zero_slices(reshape(*value, {1, static_cast<int64_t>(value->elements())}), 0, graph_.files())[0]);
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
      const std::vector<int> classes =
          in ? in->classes : classes_.add(static_cast<size_t>(node.source(i).tensor().shape[axis].min), true);
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
  bool follow_reshape(Node& node, Channels& out) {
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
      for (size_t k = 0; k < each; ++k) out.zero.push_back(before.zero[i]);
    }
    if (node.op() != "Reshape") return true;
    const auto target = node.source(1).exact_ints();
    if (!target || node.source(1).node().op() != "Const") return false;
    if ((*target)[1] > 0) use(node, 1, 1, out.classes, true);
    return true;
  }

  static bool transposed(Node& node, Channels& out) {
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
  ChannelClasses classes_;
  ChannelPlan plan_;
};

}  // namespace

ChannelPlan plan_removal(Graph& graph) { return ChannelFlow(graph).run(); }

}  // namespace mo
