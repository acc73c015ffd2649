#include "core/back/weights/weight_layers.h"

#include <algorithm>
#include <set>

#include "core/back/weights/nncf_order.h"
#include "core/base/name_pattern.h"
#include "core/base/text.h"
#include "core/ops/op_def.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

/// NNCF's smallest group where it takes another one than is asked for.
constexpr int64_t kSmallestGroup = 32;
/// The CPU plugin keeps integers of products that sum over so many elements.
constexpr int64_t kLeastSum = 4;

bool is_weight_type(ElementType type) {
  return type == ElementType::F32 || type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F64;
}

/// The constant at an input, perhaps behind a Convert or a Reshape; null for anything else.
Node* weights_at(const Node& reader, int port) {
  OutPort source = reader.source(port);
  while (source && (source.node().op() == "Cast" || source.node().op() == "Reshape")) source = source.node().source(0);
  if (!source || source.node().op() != "Const") return nullptr;
  const Constant& value = *source.node().get_constant("value");
  return is_weight_type(value.type) && value.elements() > 0 ? &source.node() : nullptr;
}

/// The axis of the weights that a product sums over.
size_t summed_axis(const Node& product, int port, size_t rank) {
  if (rank == 1) return 0;
  const bool transposed = product.get_bool(port == 0 ? "transpose_a" : "transpose_b");
  return transposed == (port == 0) ? rank - 2 : rank - 1;
}

std::vector<size_t> all_but(std::initializer_list<size_t> kept, size_t rank) {
  std::vector<size_t> axes;
  for (size_t i = 0; i < rank; ++i)
    if (std::find(kept.begin(), kept.end(), i) == kept.end()) axes.push_back(i);
  return axes;
}

std::vector<size_t> shared_axes(const Node& reader, int port, size_t rank) {
  const std::string& op = reader.op();
  if (op == "MatMul") return {summed_axis(reader, port, rank)};
  if (op == "ConvolutionBackpropData") return all_but({1}, rank);
  if (op == "GroupConvolution") return all_but({0, 1}, rank);
  if (op == "GroupConvolutionBackpropData") return all_but({0, 2}, rank);
  return all_but({0}, rank);  // Convolution, Gather
}

bool has_weights(const Node& node) {
  return is_one_of(node.op(), {"MatMul", "Gather"}) || is_one_of(node.op(), kConvolutions);
}

/// Whether all of these ops read the tensor.
bool is_read_by(OutPort port, std::initializer_list<std::string_view> ops) {
  const std::vector<InPort> readers = port.destinations();
  return std::all_of(ops.begin(), ops.end(), [&](std::string_view op) {
    return std::any_of(readers.begin(), readers.end(), [&](InPort to) { return to.node().op() == op; });
  });
}

/// What reads the constant, directly or behind a Convert.
std::vector<InPort> readers_of(Node& constant) {
  std::vector<InPort> readers;
  std::vector<OutPort> open{constant.out(0)};
  while (!open.empty()) {
    const OutPort port = open.back();
    open.pop_back();
    for (const InPort& to : port.destinations())
      if (to.node().op() == "Cast")
        open.push_back(to.node().out(0));
      else
        readers.push_back(to);
  }
  return readers;
}

/// NNCF's patterns of rotary positions, MatMul → [Transpose] → [Concat of it twice] → Cos and Sin with one of the two
/// at least, and of Segment Anything, MatMul → Mul → Cos and Sin.
bool gives_positions(Node& product) {
  if (product.op() != "MatMul") return false;
  const auto is_joined = [](OutPort port) {
    for (const InPort& to : port.destinations()) {
      Node& join = to.node();
      if (join.op() == "Concat" && join.in_count() == 2 && join.source(0) == join.source(1) &&
          is_read_by(join.out(0), {"Cos", "Sin"}))
        return true;
    }
    return false;
  };
  if (is_joined(product.out(0))) return true;
  for (const InPort& to : product.out(0).destinations()) {
    Node& next = to.node();
    if (next.op() == "Transpose" && (is_joined(next.out(0)) || is_read_by(next.out(0), {"Cos", "Sin"}))) return true;
    if (next.op() == "Mul" && is_read_by(next.out(0), {"Cos", "Sin"})) return true;
  }
  return false;
}

/// Names of nodes that --ignored_scope means.
std::set<std::string> ignored_names(const Graph& graph, const WeightRequest& request) {
  std::set<std::string> names;
  std::vector<std::string> unknown;
  const std::vector<Node*> nodes = request.ignored.empty() ? std::vector<Node*>() : graph.nodes();
  for (const std::string& item : request.ignored) {
    const bool is_pattern = item.starts_with(kPatternMark);
    // NNCF searches for an expression anywhere in a name.
    const NamePattern pattern(is_pattern ? cat("[\\s\\S]*?(?:", item.substr(kPatternMark.size()), ")")
                                         : NamePattern::escape(item) + "$");
    bool found = false;
    for (const Node* node : nodes)
      if (is_pattern ? pattern.matches(node->name()) : node->name() == item) found = true, names.insert(node->name());
    if (!found) unknown.push_back(item);
  }
  if (!unknown.empty())
    throw Error(Code::NothingIgnored, msg(join(unknown, [](const std::string& item) { return cat("\"", item, "\""); })))
        .about("ignored_scope");
  return names;
}

WeightFormat backup_of(const WeightRequest& request) {
  if (request.format == WeightRequest::Format::Int8)
    return request.symmetric ? WeightFormat::Int8Sym : WeightFormat::Int8Asym;
  if (request.backup == WeightRequest::Backup::None) return WeightFormat::Float;
  return request.backup == WeightRequest::Backup::Int8Sym ? WeightFormat::Int8Sym : WeightFormat::Int8Asym;
}

int64_t summed_size(const WeightLayer& layer) { return layer.constant->get_constant("value")->shape[layer.axes[0]]; }

/// Gives the layers that may have 4 bits their groups.
void take_four_bits(const std::vector<WeightLayer*>& layers, const WeightRequest& request) {
  std::vector<const WeightLayer*> unfit;
  for (WeightLayer* layer : layers) {
    int64_t group = request.group;
    const int64_t size = summed_size(*layer);
    if (group != -1 && size % group != 0) {
      unfit.push_back(layer);
      if (request.fallback == WeightRequest::Fallback::Ignore) {
        layer->format = WeightFormat::Float;
        layer->stay = WeightsStay::Groups;
      }
      group = size & -size;  // the largest power of two that divides it
      if (request.fallback != WeightRequest::Fallback::Adjust || group < kSmallestGroup) continue;
    }
    layer->format = request.symmetric ? WeightFormat::Int4Sym : WeightFormat::Int4Asym;
    layer->group = group;
    layer->stay = WeightsStay::No;
  }
  if (request.fallback != WeightRequest::Fallback::Error || unfit.empty()) return;
  const auto names = join(unfit, [](const WeightLayer* layer) {
    return cat("\"", layer->reader->name(), "\" (", summed_size(*layer), ")");
  });
  throw Error(Code::GroupsDoNotDivide, msg(request.group, ": ", names))
      .about("group_size")
      .about("group_size_fallback");
}

}  // namespace

std::string_view text_of(WeightFormat format) {
  constexpr std::string_view kTexts[] = {"float", "int8_asym", "int8_sym", "int4_asym", "int4_sym"};
  return kTexts[static_cast<size_t>(format)];
}

std::string_view text_of(WeightsStay why) {
  constexpr std::string_view kTexts[] = {"",        "ignored",     "positions",   "backup",
                                         "groups",  "not_smaller", "not_finite",  "scale_too_large",
                                         "spoiled", "recipe",      "many_scales", "other_layer"};
  return kTexts[static_cast<size_t>(why)];
}

std::vector<WeightLayer> weight_layers(Graph& graph, const WeightRequest& request) {
  const std::set<std::string> ignored = ignored_names(graph, request);
  const NncfOrder order = nncf_order(graph);
  struct Use {
    Node* reader;
    std::vector<int> ports;
  };
  std::vector<Use> uses;
  for (Node* node : order.nodes) {
    if (!has_weights(*node) || !order.computed[static_cast<size_t>(node->id())]) continue;
    Use use{node, {}};
    const int ports = node->op() == "Gather" ? 1 : std::min(node->in_count(), 2);
    for (int port = 0; port < ports; ++port)
      if (weights_at(*node, port)) use.ports.push_back(port);
    if (!use.ports.empty()) uses.push_back(std::move(use));
  }
  const WeightFormat backup = backup_of(request);
  std::vector<WeightLayer> layers, left;
  std::set<const Node*> seen;
  bool last_is_skipped = false;  // what NNCF looks at: the last layer is ignored, or shares the weights of another
  for (size_t i = 0; i < uses.size(); ++i) {
    for (const int port : uses[i].ports) {
      WeightLayer layer{weights_at(*uses[i].reader, port), uses[i].reader, port, {}, backup};
      const bool is_last = i + 1 == uses.size();
      if (seen.count(layer.constant)) {
        last_is_skipped = is_last;
        continue;
      }
      layer.axes = shared_axes(*layer.reader, port, layer.constant->get_constant("value")->shape.size());
      if (gives_positions(*layer.reader)) layer.stay = WeightsStay::Positions;
      if (ignored.count(layer.reader->name()) || ignored.count(layer.constant->name()))
        layer.stay = WeightsStay::Ignored;
      if (layer.stay != WeightsStay::No) {
        last_is_skipped = is_last;
        left.push_back(std::move(layer));
        continue;
      }
      seen.insert(layer.constant);
      if (backup == WeightFormat::Float) layer.stay = WeightsStay::Backup;
      layers.push_back(std::move(layer));
    }
  }
  if (request.format == WeightRequest::Format::Int4) {
    std::vector<WeightLayer*> products, tables;
    for (WeightLayer& layer : layers) {
      if (layer.reader->op() == "MatMul") products.push_back(&layer);
      if (layer.reader->op() == "Gather" && layer.axes.size() == 1) tables.push_back(&layer);
    }
    if (!request.all_layers && !last_is_skipped && !products.empty()) products.pop_back();
    if (request.all_layers) products.insert(products.end(), tables.begin(), tables.end());
    take_four_bits(products, request);
  }
  for (WeightLayer& layer : left)
    if (seen.insert(layer.constant).second) {
      layer.format = WeightFormat::Float;
      layers.push_back(std::move(layer));
    }
  return layers;
}

bool is_spoiled(const WeightLayer& layer) {
  const Shape& shape = layer.constant->get_constant("value")->shape;
  const size_t rank = shape.size();
  const bool four = layer.format == WeightFormat::Int4Asym || layer.format == WeightFormat::Int4Sym;
  const std::vector<InPort> readers = readers_of(*layer.constant);
  return std::any_of(readers.begin(), readers.end(), [&](const InPort& to) {
    // Behind a Reshape the axes are others.
    if (to.node().op() == "Reshape") return to.index() == 0 && is_read_by(to.node().out(0), {"MatMul"});
    if (to.node().op() != "MatMul") return false;
    const size_t summed = summed_axis(to.node(), to.index(), rank);
    const bool one_column = rank > 1 && shape[2 * rank - 3 - summed] == 1;
    return rank > 3 || layer.axes != std::vector<size_t>{summed} || (four && one_column);
  });
}

WeightsOnCpu on_cpu(const WeightLayer& layer) {
  const Shape& shape = layer.constant->get_constant("value")->shape;
  const std::vector<InPort> readers = readers_of(*layer.constant);
  const bool all_small = std::all_of(readers.begin(), readers.end(), [&](const InPort& to) {
    const Node& node = to.node();
    if (node.op() == "Gather") return to.index() == 0 && shape.size() > 1;
    const size_t rank = shape.size();
    const bool is_matrix = rank == 2 || (rank == 3 && shape[0] == 1 && layer.group == -1);
    if (node.op() != "MatMul" || to.index() != 1 || !is_matrix) return false;
    const size_t summed = summed_axis(node, 1, rank);
    return shape[summed] >= kLeastSum && shape[2 * rank - 3 - summed] != 1;
  });
  return all_small ? WeightsOnCpu::Small : WeightsOnCpu::Expanded;
}

}  // namespace mo
