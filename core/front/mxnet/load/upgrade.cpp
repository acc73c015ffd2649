// What MXNet does when it loads a symbol of an older version.

#include "core/base/text.h"
#include "core/front/mxnet/load/symbol.h"

namespace mo::mxnet {
namespace {

constexpr int64_t k0_9 = 900, k0_9_5 = 905;

struct OldName {
  std::string_view before, now;
};
/// Names that operators had until 0.8; some of today's programs write them, too.
constexpr OldName kOldNames[] = {
    {"_Plus", "elemwise_add"},
    {"_Minus", "elemwise_sub"},
    {"_Mul", "elemwise_mul"},
    {"_Div", "elemwise_div"},
    {"_Power", "_power"},
    {"_Maximum", "_maximum"},
    {"_Minimum", "_minimum"},
    {"_PlusScalar", "_plus_scalar"},
    {"_MinusScalar", "_minus_scalar"},
    {"_RMinusScalar", "_rminus_scalar"},
    {"_MulScalar", "_mul_scalar"},
    {"_DivScalar", "_div_scalar"},
    {"_RDivScalar", "_rdiv_scalar"},
    {"_PowerScalar", "_power_scalar"},
    {"_RPowerScalar", "_rpower_scalar"},
    {"_MaximumScalar", "_maximum_scalar"},
    {"_MinimumScalar", "_minimum_scalar"},
    {"ElementWiseSum", "add_n"},
    {"broadcast_plus", "broadcast_add"},
    {"broadcast_minus", "broadcast_sub"},
    {"sum_axis", "sum"},
    {"max_axis", "max"},
    {"min_axis", "min"},
    {"Softmax", "SoftmaxOutput"},
};

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
    const auto old = std::find_if(std::begin(kOldNames), std::end(kOldNames),
                                  [&](const OldName& row) { return row.before == node.op; });
    if (old != std::end(kOldNames)) node.op = old->now;
    if (version < k0_9_5 && is_one_of(node.op, {"argmax", "argmin"}) && node.text("axis") == "-1")
      node.attributes.erase("axis");
    hide_keys(node.attributes);
  }
  if (version < k0_9) add_states(symbol);
}

}  // namespace

void upgrade(Symbol& symbol) { upgrade_to(symbol, symbol.version); }

}  // namespace mo::mxnet
