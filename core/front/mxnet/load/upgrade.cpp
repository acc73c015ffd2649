// What MXNet does when it loads a symbol of an older version.

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/front/mxnet/load/symbol.h"

namespace mo::mxnet {
namespace {

constexpr int64_t k0_9 = 900, k0_9_5 = 905;

/// Operators by their other names.
const std::map<std::string, std::string_view, std::less<>>& other_names() {
  static const auto kNames = [] {
    std::map<std::string, std::string_view, std::less<>> out;
    const auto add = [&](std::string_view op, std::string_view names) {
      for (const std::string& name : split(names, ' ')) out.emplace(name, op);
    };
#define MXNET_OTHER_NAMES(op, names) add(#op, names);
#include "core/front/mxnet/load/other_names.def"
    return out;
  }();
  return kNames;
}

/// The name that MXNet writes. Operators on sparse arrays have one of their own, too.
std::string usual_name(const std::string& op) {
  if (operators().find(op, "")) return op;
  constexpr std::string_view kSparse = "_sparse_";
  const std::string dense = op.starts_with(kSparse) ? op.substr(kSparse.size()) : op;
  const auto found = other_names().find(dense);
  if (found != other_names().end()) return std::string(found->second);
  return operators().find(dense, "") ? dense : op;
}

/// Attributes that say nothing of what a node computes: of placement and of training.
constexpr std::string_view kHidden[] = {"ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage"};

/// The states that 0.8 kept out of the graph, behind the `before` inputs.
struct States {
  std::string_view op;
  size_t before;
  std::vector<std::string_view> names;
};
const States kStates[] = {{"BatchNorm", 3, {"moving_mean", "moving_var"}},
                          {"CuDNNBatchNorm", 3, {"moving_mean", "moving_var"}},
                          {"IdentityAttachKLSparseReg", 1, {"moving_avg"}}};

void hide_keys(Attributes& attributes) {
  Attributes out;
  for (const Attributes::Entry& entry : attributes) {
    const std::string& key = entry.first;
    const auto is_of_input = [&](std::string_view hidden) {
      return key.size() > hidden.size() + 1 && !key.starts_with("__") && key.ends_with(cat("_", hidden));
    };
    if (std::any_of(std::begin(kHidden), std::end(kHidden), is_of_input)) continue;
    out.set(is_one_of(key, kHidden) ? cat("__", key, "__") : key, entry.second);
  }
  attributes = std::move(out);
}

void add_states(Symbol& symbol) {
  std::vector<SymbolNode> nodes;
  std::vector<uint32_t> place_of;
  for (SymbolNode& node : symbol.nodes) {
    for (Entry& input : node.inputs) input.node = place_of[input.node];
    for (const States& states : kStates) {
      if (node.op != states.op || node.inputs.size() != states.before) continue;
      for (const std::string_view name : states.names) {
        SymbolNode variable;
        variable.op = "null";
        variable.name = cat(node.name, "_", name);
        variable.place = node.place;
        node.inputs.push_back({static_cast<uint32_t>(nodes.size()), 0});
        nodes.push_back(std::move(variable));
      }
    }
    place_of.push_back(static_cast<uint32_t>(nodes.size()));
    nodes.push_back(std::move(node));
  }
  for (Entry& head : symbol.heads) head.node = place_of[head.node];
  symbol.nodes = std::move(nodes);
}

void upgrade_to(Symbol& symbol, int64_t version) {
  for (SymbolNode& node : symbol.nodes) {
    for (Symbol& inner : node.subgraphs) upgrade_to(inner, version);
    node.op = usual_name(node.op);
    if (version < k0_9_5 && is_one_of(node.op, {"argmax", "argmin"}) && node.text("axis") == "-1")
      node.attributes.erase("axis");
    hide_keys(node.attributes);
  }
  if (version < k0_9) add_states(symbol);
}

}  // namespace

void upgrade(Symbol& symbol) { upgrade_to(symbol, symbol.version); }

}  // namespace mo::mxnet
