// Before: Parameter -> [Transpose] -> reversed channels -> Add(t) -> Mul(s) -> [Transpose] -> Convolution(W) or
//         MatMul(W)
// After:  Parameter -> [Transpose] -> Add(reversed t) -> [Transpose] -> Convolution(reversed W * s, by input channel)
//         and without padding: Convolution(…) -> Add(reversed W * s * t, summed by output channel)
// Conditions: the nodes but the Transposes come from preprocessing, and each may be missing; all readers of their
// result are such operations, with constant weights of the type of the data, over the channels of the preprocessing.
// The orders of the Transposes are constant. Weights stay places: they become a recipe. They are read only for the
// sums, if they have at most kMaxSummed elements.

#include <algorithm>

#include "core/middle/model_inputs.h"
#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr uint64_t kMaxSummed = 1 << 16;

/// An operation that reads preprocessed data.
struct Reader {
  Node* node;
  size_t channel;        ///< the axis of its data that it sums over; also the channel axis of its result
  size_t input, output;  ///< the axes of its weights
  bool pads;             ///< with zeros, which are not preprocessed
};

class FusePreprocessing final : public Transform {
 public:
  bool run_not_recursively() const override { return true; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* parameter : graph.parameters) fuse(*parameter);
  }

 private:
  static void fuse(Node& parameter) {
    Node *reversal = nullptr, *mean = nullptr, *scale = nullptr;
    Ints axes;  // of the channels, one of each step, in the data that `ports` read
    std::vector<Node*> behind;
    std::vector<InPort> ports = value_readers(parameter);
    while (ports.size() == 1 && ports[0].index() == 0) {
      Node& next = ports[0].node();
      const bool ours = next.has("preprocessing");
      if (!ours && next.op() != "Transpose") break;
      const OutPort operand = next.source(1);
      if (!operand || !operand.tensor().value) return;
      if (ours) {
        (next.op() == "Add" ? mean : next.op() == "Mul" ? scale : reversal) = &next;
        axes.push_back(next.get_int("preprocessing"));
      } else if (!axes.empty()) {
        move_axes(axes, read_ints(*operand.tensor().value, next.graph().files()).value());
        behind.push_back(&next);
      }
      ports = value_readers(next);
    }
    std::erase(axes, kAllChannels);
    if ((!reversal && !mean && !scale) || ports.empty()) return;
    const int recipes = (reversal ? 1 : 0) + (scale ? 1 : 0);
    std::vector<Reader> readers;
    for (const InPort& port : ports) {
      const auto reader = reader_at(port, recipes);
      const auto is_other = [&](int64_t axis) { return axis != static_cast<int64_t>(reader->channel); };
      if (!reader || std::any_of(axes.begin(), axes.end(), is_other)) return;
      readers.push_back(*reader);
    }
    const bool sums = mean && std::all_of(readers.begin(), readers.end(), is_summed);
    // These names belong to preprocessed tensors. After the fusion these outputs are not preprocessed.
    if (scale || reversal || sums)
      for (Node* transpose : behind) transpose->out(0).tensor().names.clear();
    for (const Reader& reader : readers) refit(reader, scale, reversal);
    if (scale) take_out(*scale);
    if (reversal && mean && mean->get_int("preprocessing") != kAllChannels) reverse_operand(*mean);
    if (reversal) take_out(*reversal);
    if (!sums) return;
    for (const Reader& reader : readers) add_sums(reader, numbers_of(*mean));
    take_out(*mean);
  }

  /// Where the axes are behind a Transpose.
  static void move_axes(Ints& axes, const Ints& order) {
    for (int64_t& axis : axes)
      if (axis != kAllChannels) axis = std::find(order.begin(), order.end(), axis) - order.begin();
  }

  static std::optional<Reader> reader_at(const InPort& port, int recipes) {
    Node& node = port.node();
    const OutPort data = node.source(0), weights = node.source(1);
    if (port.index() != 0 || !weights || !data.tensor().shape.has_rank()) return std::nullopt;
    const auto& value = weights.tensor().value;
    if (!value || (value->type != ElementType::F32 && value->type != ElementType::F16) ||
        value->type != data.tensor().type || value->content->depth() + recipes >= Content::kMaxDepth)
      return std::nullopt;
    const size_t rank = data.tensor().shape.dimensions().size();
    if (node.op() == "Convolution") {
      const SpatialWindow window(node, rank - 2);
      const Ints none(rank - 2, 0);
      const bool pads = window.is_same() || window.pads_begin != none || window.pads_end != none;
      return Reader{&node, spatial_dims(node, rank).channel, 1, 0, pads};
    }
    if (node.op() != "MatMul" || rank < 2 || value->shape.size() != 2 || node.get_bool("transpose_a"))
      return std::nullopt;
    const size_t input = node.get_bool("transpose_b") ? 1 : 0;
    return Reader{&node, rank - 1, input, 1 - input, false};
  }

  static const Constant& weights_of(const Reader& reader) { return *reader.node->source(1).tensor().value; }
  static std::vector<double> numbers_of(const Node& step) {
    return read_doubles(*step.source(1).tensor().value, step.graph().files()).value();
  }
  static Ints descending(int64_t count) {
    Ints order;
    while (count-- > 0) order.push_back(count);
    return order;
  }

  static void refit(const Reader& reader, const Node* scale, const Node* reversal) {
    if (!scale && !reversal) return;
    Constant weights = weights_of(reader);
    const int64_t channels = weights.shape[reader.input];
    if (scale) {
      const std::vector<double> numbers = numbers_of(*scale);
      std::vector<float> factors(numbers.begin(), numbers.end());
      factors.resize(static_cast<size_t>(channels), factors[0]);
      weights = scale_shift(weights, reader.input, factors, {});
    }
    if (reversal) weights = reorder(weights, reader.input, descending(channels));
    Node& node = *reader.node;
    node.in(1).connect(node.graph().constant(weights, node.source(1).node().name()).out(0));
  }

  static void reverse_operand(Node& mean) {
    const Constant& value = *mean.source(1).tensor().value;
    const auto axis = static_cast<size_t>(mean.get_int("preprocessing"));
    const Constant reversed = reorder(value, axis, descending(value.shape[axis]));
    mean.in(1).connect(mean.graph().constant(reversed, mean.source(1).node().name()).out(0));
  }

  static void take_out(Node& step) {
    step.out(0).connection().set_source(step.source(0), TensorNames::Merge);
    step.graph().remove(step);
  }

  static bool is_summed(const Reader& reader) { return !reader.pads && weights_of(reader).elements() <= kMaxSummed; }

  /// Adds the operation's result for the shifts to its own result. All readers read the sum.
  static void add_sums(const Reader& reader, const std::vector<double>& shifts) {
    Node& node = *reader.node;
    const Constant& weights = weights_of(reader);
    const std::vector<double> numbers = read_doubles(weights, node.graph().files(), kMaxSummed).value();
    const auto size = [&](size_t axis) { return static_cast<size_t>(weights.shape[axis]); };
    // Of the axes before the spatial ones the first varies slower.
    const size_t inputs = size(reader.input), outputs = size(reader.output), inner = numbers.size() / inputs / outputs;
    std::vector<double> sums(outputs, 0);
    for (size_t at = 0; at < numbers.size(); ++at) {
      const size_t slow = at / inner / size(1), fast = at / inner % size(1);
      const size_t input = reader.input == 1 ? fast : slow, output = reader.input == 1 ? slow : fast;
      sums[output] += numbers[at] * (shifts.size() == 1 ? shifts[0] : shifts[input]);
    }
    const OutPort result = node.out(0);
    Shape form(result.tensor().shape.dimensions().size(), 1);
    form[reader.channel] = static_cast<int64_t>(outputs);
    const std::vector<InPort> readers = result.destinations();
    Builder b(node);
    const OutPort operand = b.constant(convert(make_f32(form, {sums.begin(), sums.end()}), result.tensor().type));
    const OutPort sum = b.op("Add", {result, operand});
    std::swap(sum.tensor().names, result.tensor().names);
    for (const InPort& port : readers) port.connect(sum);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FusePreprocessing)
}  // namespace mo
