#include "core/front/mxnet/load/roles.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"

namespace mo::mxnet {
namespace {

/// Operations and which of their inputs, [from, to), are parameters.
struct ParameterRow {
  size_t from, to;
  std::string_view ops;
};
constexpr ParameterRow kParameters[] = {
    {1, 3,
     "Convolution Convolution_v1 Deconvolution FullyConnected _contrib_quantized_conv "
     "_contrib_quantized_fully_connected"},
    {1, 7, "_sg_mkldnn_conv _sg_mkldnn_fully_connected _sg_onednn_conv _sg_onednn_fully_connected"},
    {1, 5,
     "BatchNorm BatchNorm_v1 CuDNNBatchNorm _contrib_SyncBatchNorm _contrib_BatchNormWithReLU _sg_onednn_batch_norm "
     "_contrib_quantized_batch_norm _contrib_quantized_batch_norm_relu"},
    {1, 3, "LayerNorm GroupNorm InstanceNorm"},
    {1, 2, "Embedding _contrib_SparseEmbedding _contrib_quantized_embedding RNN _contrib_quantized_rnn"},
    {1, 2, "LeakyReLU UpSampling"},
    {2, 4, "_contrib_DeformableConvolution"},
    {3, 5, "_contrib_ModulatedDeformableConvolution"},
};

/// Operations that give in inference what they read, or compute it of input 0 alone: the label is for their gradient.
constexpr std::string_view kOutputs =
    " SoftmaxOutput LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput SVMOutput ";
/// Operations that compute something of a label, which is input 1.
constexpr std::string_view kOfLabels = " MultiBoxTarget _contrib_MultiBoxTarget softmax_cross_entropy CTCLoss ";
/// Outputs that may be losses: it depends on whether they read something that is called a label.
constexpr std::string_view kLosses = " MakeLoss make_loss Custom pick _npx_pick ";

bool is_in(std::string_view list, const std::string& op) { return list.find(cat(" ", op, " ")) != list.npos; }

/// How a node is used.
enum Use : char { kOther = 0, kParameter = 1, kOfRnn = 2 };

/// The inputs of the node that are parameters; none by default.
ParameterRow parameter_inputs(const SymbolNode& node) {
  static const auto kRows = [] {
    std::map<std::string, ParameterRow, std::less<>> out;
    for (const ParameterRow& row : kParameters)
      for (const std::string& op : split(row.ops, ' ')) out.emplace(op, row);
    return out;
  }();
  // Only a bilinear one has weights; others may have several inputs.
  if (node.op == "UpSampling" && node.text("sample_type") != "bilinear") return {};
  const auto found = kRows.find(node.op);
  return found == kRows.end() ? ParameterRow() : found->second;
}

std::vector<char> parameters_of(const Symbol& symbol);

/// The names that sub-graphs have for their parameters, which are those that variables have outside.
std::set<std::string> parameters_inside(const SymbolNode& node) {
  std::set<std::string> out;
  for (const Symbol& inner : node.subgraphs) {
    const std::vector<char> found = parameters_of(inner);
    for (size_t i = 0; i < found.size(); ++i)
      if (found[i] && inner.nodes[i].is_variable()) out.insert(inner.nodes[i].name);
  }
  return out;
}

/// The use of each node, as far as it is of a parameter: perhaps in another type, or joined to those of an RNN.
std::vector<char> parameters_of(const Symbol& symbol) {
  const std::vector<char> needed = needed_nodes(symbol);
  std::vector<char> out(symbol.nodes.size(), kOther);
  for (size_t i = symbol.nodes.size(); i-- > 0;) {
    const SymbolNode& node = symbol.nodes[i];
    if (!needed[i]) continue;
    ParameterRow own = parameter_inputs(node);
    const std::set<std::string> inside = parameters_inside(node);
    // Behind the parameters of a fused network are its other inputs.
    if (!inside.empty()) own.to = std::min(own.to, own.from + inside.size());
    const bool passes = is_one_of(node.op, {"amp_cast", "Cast", "_copy"}) ||
                        (out[i] == kOfRnn && is_one_of(node.op, {"_rnn_param_concat", "_npi_rnn_param_concat", "Concat",
                                                                 "Reshape", "_npx_reshape"}));
    for (size_t input = 0; input < node.inputs.size(); ++input) {
      char& use = out[node.inputs[input].node];
      if (input >= own.from && input < own.to)
        use = is_one_of(node.op, {"RNN", "_contrib_quantized_rnn"}) ? kOfRnn : kParameter;
      else if (passes && out[i] != kOther)
        use = out[i];
      else if (!inside.empty() && inside.count(symbol.node_of(node.inputs[input]).name) > 0)
        use = kParameter;
    }
  }
  return out;
}

bool is_called_label(const std::string& name) { return lower(name).find("label") != std::string::npos; }

class Labels {
 public:
  Labels(const Symbol& symbol, const HasArray& has_array) : symbol_(symbol) {
    for (const SymbolNode& node : symbol.nodes) {
      const bool is_label = node.is_variable() && !has_array(node.name) && is_called_label(node.name);
      bool reads_label = is_label, is_of_label = false;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        reads_label |= reads_label_[node.inputs[i].node] != 0;
        is_of_label |= is_of_label_[node.inputs[i].node] != 0;
        is_of_label |= i == 1 && is_in(kOfLabels, node.op) && is_open(node.inputs[i].node, has_array);
      }
      is_of_label |= reads_label && is_in(kLosses, node.op);
      reads_label_.push_back(reads_label);
      is_of_label_.push_back(is_of_label);
    }
  }

  bool is_of_label(uint32_t node) const { return is_of_label_[node] != 0; }
  /// Nothing that is computed of it is of use in inference.
  bool is_tainted(uint32_t node) const { return is_of_label_[node] || reads_label_[node]; }

 private:
  /// Whether it is a variable without an array, or the same in another form.
  bool is_open(uint32_t node, const HasArray& has_array) const {
    const SymbolNode* one = &symbol_.nodes[node];
    for (int way = 0; way < 64 && one->inputs.size() == 1; ++way) one = &symbol_.nodes[one->inputs[0].node];
    return one->is_variable() && !has_array(one->name);
  }

  const Symbol& symbol_;
  std::vector<char> reads_label_, is_of_label_;
};

std::string output_name(const Symbol& symbol, const Entry& entry) {
  const std::string& name = symbol.node_of(entry).name;
  return entry.output == 0 ? name : cat(name, ":", entry.output);
}

/// What the node is computed of, as far as that does not need a label, and is computed itself.
void add_sources(const Symbol& symbol, const Labels& labels, uint32_t node, std::set<uint32_t>& seen,
                 std::set<std::pair<uint32_t, uint32_t>>& known, std::vector<Entry>& out) {
  std::vector<uint32_t> open{node};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    for (const Entry& input : symbol.nodes[at].inputs) {
      if (labels.is_tainted(input.node))
        open.push_back(input.node);
      else if (!symbol.node_of(input).is_variable() && known.insert({input.node, input.output}).second)
        out.push_back(input);
    }
  }
}

}  // namespace

std::vector<std::string> missing_parameters(const Symbol& symbol, const HasArray& has_array) {
  const std::vector<char> found = parameters_of(symbol);
  std::vector<std::string> out;
  std::set<std::string> known;
  for (size_t i = 0; i < symbol.nodes.size(); ++i) {
    const SymbolNode& node = symbol.nodes[i];
    if (found[i] && node.is_variable() && !has_array(node.name) && known.insert(node.name).second)
      out.push_back(node.name);
  }
  return out;
}

std::vector<std::string> leave_out_labels(Symbol& symbol, const HasArray& has_array) {
  for (SymbolNode& node : symbol.nodes)
    if (is_in(kOutputs, node.op) && node.inputs.size() > 1) node.inputs.resize(1);
  const Labels labels(symbol, has_array);
  std::vector<Entry> kept;
  std::vector<std::string> gone;
  for (const Entry& head : symbol.heads) {
    if (labels.is_of_label(head.node))
      gone.push_back(output_name(symbol, head));
    else
      kept.push_back(head);
  }
  if (gone.empty()) return gone;
  if (kept.empty()) {
    std::set<uint32_t> seen;
    std::set<std::pair<uint32_t, uint32_t>> known;
    for (const Entry& head : symbol.heads) add_sources(symbol, labels, head.node, seen, known, kept);
  }
  if (kept.empty()) return {};
  symbol.heads = std::move(kept);
  return gone;
}

std::vector<char> needed_nodes(const Symbol& symbol) {
  std::vector<char> out(symbol.nodes.size());
  for (const Entry& head : symbol.heads) out[head.node] = 1;
  for (size_t i = symbol.nodes.size(); i-- > 0;)
    if (out[i])
      for (const Entry& input : symbol.nodes[i].inputs) out[input.node] = 1;
  return out;
}

}  // namespace mo::mxnet
