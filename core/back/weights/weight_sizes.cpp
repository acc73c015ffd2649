#include "core/back/weights/weight_sizes.h"

#include <set>

#include "core/back/half_constants.h"
#include "core/back/weights/small_weights.h"
#include "core/ir/bin_plan.h"
#include "core/ir/compression.h"

namespace mo {
namespace {

using Constants = std::set<const Node*>;

/// The .bin of constants that are added; equal ones are in it once.
class BinSize {
 public:
  explicit BinSize(Files& files) : plan_(files) {}
  uint64_t size() const { return plan_.size() + far_; }

  void add(const Constant& value) { plan_.add(value); }

  /// The plan compares contents. Integers of large weights would be computed for that: only their places are compared.
  void add(const SmallWeights& small, bool large) {
    for (const Constant* part : {&small.weights.codes, &small.weights.zero_points, &small.weights.scales})
      if (part->content && !large)
        add(*part);
      else if (part->content && places_.insert(part->content->identity()).second)
        far_ += part->content->size();
  }

  /// All constants of a graph but these, in floating point of 16 bits or as they are.
  void add(Graph& graph, const Constants& others, bool half) {
    std::vector<Node*> narrow;
    if (half) narrow = half_constants(graph);
    const Constants halves(narrow.begin(), narrow.end());
    for (const Node* node : graph.nodes("Const")) {
      if (others.count(node)) continue;
      const Constant& value = *node->get_constant("value");
      const bool known = value.content->size() <= kComputeAtOnce;
      const bool becomes_half = halves.count(node) && (!known || should_compress(value, graph.files()));
      add(becomes_half ? compress_to_f16(value) : value);
    }
  }

 private:
  BinPlan plan_;
  std::set<std::string> places_;
  uint64_t far_ = 0;
};

uint64_t float_size(Graph& model, bool half) {
  BinSize bin(model.files());
  for_each_graph(model, [&](Graph& graph) { bin.add(graph, {}, half); });
  return bin.size();
}

uint64_t integer_size(Graph& model, WeightRequest request, WeightRequest::Format format, bool half) {
  request.format = format;
  BinSize bin(model.files());
  Constants replaced;
  for (const WeightLayer& layer : weight_layers(model, request)) {
    model.model().beat();
    const SmallWeights small = small_weights(layer);
    if (small.stay != WeightsStay::No) continue;
    const Constant& value = *layer.constant->get_constant("value");
    bin.add(small, value.content->size() > kComputeAtOnce);
    if (layer.group != -1) bin.add(make_i64(value.shape));
    replaced.insert(layer.constant);
  }
  for_each_graph(model, [&](Graph& graph) { bin.add(graph, replaced, half && replaced.empty()); });
  return bin.size();
}

}  // namespace

WeightSizes weight_sizes(Graph& graph, const WeightRequest& request, bool half) {
  WeightSizes out;
  out.fp32 = float_size(graph, false);
  out.fp16 = float_size(graph, true);
  out.int8 = integer_size(graph, request, WeightRequest::Format::Int8, half);
  out.int4 = integer_size(graph, request, WeightRequest::Format::Int4, half);
  return out;
}

}  // namespace mo
