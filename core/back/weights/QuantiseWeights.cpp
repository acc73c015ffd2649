// Before: Const W f32|f16|bf16|f64 -> MatMul|Gather|Convolution|…
// After:  Const "W" u8|u4 -> Convert f16 -> Subtract(Convert f16(Const "W/zero_point")) -> Multiply(Const "W/scale")
//         -> [Reshape to W's shape] -> [Convert to W's type] -> MatMul|…
//         Scales are f16. Symmetric: i8|i4, and no Subtract. In groups the constants have an axis more, which the
//         Reshape removes.
// Conditions: --weight_format int8 or int4. Layers, formats, names and bytes are those of NNCF 3.4 (docs/weights.md),
// but for weights that would not become smaller, that are not finite, that have millions of scales in turns, whose
// scales do not fit f16, or that the CPU plugin would compute wrongly: they stay, and the report says so. Reads all
// weights of these layers once, because a scale that does not fit changes the graph.

#include <algorithm>

#include "core/back/weights/small_weights.h"
#include "core/back/weights/weight_table.h"
#include "core/base/text.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Scales and zero points that stay in memory, so that weights are not read for them again: those of a billion weights
/// in groups of 128.
constexpr uint64_t kRoomForScales = 40 << 20;
/// Constants that no layer reads have a row in the table from this size on.
constexpr uint64_t kLargeConstant = 16 << 10;

class QuantiseWeights final : public Transform {
 public:
  Names run_after() const override {
    return {"ApplyRequestedTransforms", "LengthsOfOpenSequence", "SharedTransposeOfSequence", "SliceBehindState"};
  }
  Names run_before() const override { return {"CompressFloatConstants", "BackFinish"}; }
  bool graph_condition(Graph& graph) const override { return requested_weights(graph.model()) != nullptr; }
  bool run_not_recursively() const override { return true; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    const WeightRequest& request = *requested_weights(graph.model());
    std::vector<WeightRow> rows;
    uint64_t room = kRoomForScales;
    size_t quantised = 0, expanded = 0;
    std::vector<WeightLayer> layers = weight_layers(graph, request);
    add_others(graph, layers);
    for (WeightLayer& layer : layers) {
      graph.model().beat();
      const Constant& value = *layer.constant->get_constant("value");
      WeightRow& row = rows.emplace_back();
      row.name = layer.constant->name();
      row.shape = value.shape;
      row.before = row.after = value.content->size();
      if (layer.reader) row.layer = layer.reader->name(), row.op = layer.reader->definition()->type;
      if (layer.stay == WeightsStay::No) {
        const WeightsOnCpu cpu = on_cpu(layer);
        layer.stay = quantise_layer(layer, room, row.after);
        if (layer.stay == WeightsStay::No) row.cpu = cpu;
      }
      row.stay = layer.stay;
      if (layer.stay != WeightsStay::No) continue;
      row.format = layer.format;
      row.group = layer.group;
      ++quantised;
      expanded += row.cpu == WeightsOnCpu::Expanded;
    }
    set_weight_table(graph.model(), std::move(rows));
    if (quantised == 0) return graph.model().diagnostics.warn(Code::NothingQuantised, {});
    if (expanded > 0)
      graph.model().diagnostics.warn(Code::ExpandedWeights, msg(expanded, " of ", quantised, " layers"));
  }

 private:
  /// Large weights of other operations, as of recurrent layers, stay as they are.
  static void add_others(Graph& graph, std::vector<WeightLayer>& layers) {
    std::vector<bool> known(graph.ids());
    for (const WeightLayer& layer : layers) known[static_cast<size_t>(layer.constant->id())] = true;
    for (Node* node : graph.nodes("Const")) {
      const Constant& value = *node->get_constant("value");
      if (known[static_cast<size_t>(node->id())] || !is_float(value.type) || value.content->size() < kLargeConstant)
        continue;
      WeightLayer other;
      other.constant = node;
      other.stay = WeightsStay::OtherLayer;
      if (const auto readers = node->out(0).destinations(); !readers.empty()) other.reader = &readers[0].node();
      layers.push_back(std::move(other));
    }
  }

  /// Replaces the constant, unless it has to stay. `bytes` becomes the size of what takes its place.
  static WeightsStay quantise_layer(const WeightLayer& layer, uint64_t& room, uint64_t& bytes) {
    Graph& graph = layer.constant->graph();
    const SmallWeights small = small_weights(layer);
    if (small.stay != WeightsStay::No) return small.stay;
    const Quantisable answer = measure(small.weights, graph.files(), room);
    if (answer != Quantisable::Yes) {
      const bool finite = answer == Quantisable::ScaleTooLarge;
      graph.model().diagnostics.warn(finite ? Code::ScaleTooLarge : Code::WeightsNotFinite, {},
                                     layer.constant->place());
      return finite ? WeightsStay::ScaleTooLarge : WeightsStay::NotFinite;
    }
    bytes = small.size();
    replace(layer, small.weights);
    return WeightsStay::No;
  }

  static void replace(const WeightLayer& layer, const QuantisedWeights& weights) {
    Node& old = *layer.constant;
    const Constant value = *old.get_constant("value");
    Graph& graph = old.graph();
    const std::string name = old.name();
    Builder b(graph, name);
    const auto named = [&](OutPort port, const std::string& wanted) {
      port.node().set_name(graph.unique_name(wanted));
      return port;
    };
    const auto as_f16 = [&](OutPort port) {
      return b.op("Cast", {port}, {{"dst_type", ElementType::F16}, {"stop_value_propagation", true}});
    };
    const std::vector<InPort> readers = old.out(0).destinations();
    const bool is_converted =
        std::all_of(readers.begin(), readers.end(), [](InPort to) { return to.node().op() == "Cast"; });
    // A new node, so that codes, zero points and scales are neighbours in the .bin.
    const OutPort codes = b.constant(weights.codes);
    OutPort numbers = as_f16(codes);
    if (weights.zero_points.content) {
      const OutPort zero_points = named(b.constant(weights.zero_points), name + "/zero_point");
      const OutPort shifts = as_f16(zero_points);
      numbers = named(b.op("Sub", {numbers, shifts}), name + "/zero_point/subtract");
    }
    const OutPort scales = named(b.constant(weights.scales), name + "/scale");
    numbers = named(b.op("Mul", {numbers, scales}), cat(name, "/fq_weights_", layer.port));
    const std::string product = numbers.node().name();
    if (layer.group != -1) numbers = b.reshape(numbers, value.shape, false);
    if (value.type != ElementType::F16 && !is_converted)
      numbers = named(b.op("Cast", {numbers}, {{"dst_type", value.type}}), product + "/convert");
    take_readers(old.out(0), numbers);
    codes.node().set_name(name);
    graph.remove(old);
  }

  /// The readers of `old` read `made`; a Convert to a type that it has already is left out.
  static void take_readers(OutPort old, OutPort made) {
    for (const InPort& to : old.destinations()) {
      Node& node = to.node();
      if (node.op() != "Cast" || node.get_type("dst_type") != made.tensor().type) continue;
      to.disconnect();
      take_readers(node.out(0), made);
    }
    old.connection().set_source(made, TensorNames::Merge);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(QuantiseWeights)
}  // namespace mo
