#include "core/front/caffe/load/caffe_model.h"

#include <set>

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::caffe {
namespace {

std::string output_place(OutPort port) {
  const Node& node = port.node();
  return node.out_count() > 1 ? cat(node.name(), ":", port.index()) : node.name();
}

/// The value of --output that leaves out what nobody knows, where nothing that is known follows it. Empty if there is
/// none.
std::string known_outputs(Graph& graph) {
  std::set<const Node*> unknown;
  std::vector<OutPort> last;
  const auto is_unknown = [&](const Node* node) { return unknown.count(node) != 0; };
  for (Node* node : graph.topological_order()) {
    const bool is_new = node->pb && node->op() == node->pb->op && !operators().find(node->pb->op);
    bool follows = false;
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) follows |= is_unknown(&source.node());
    if (is_new) unknown.insert(node);
    if (follows && !is_new && node->op() != "Result") return {};
    for (int i = 0; (is_new || (node->op() == "Result" && !follows)) && i < node->in_count(); ++i)
      if (const OutPort source = node->source(i); source && !is_unknown(&source.node())) last.push_back(source);
  }
  Strings names;
  std::set<std::string> seen;
  for (const OutPort port : last)
    if (std::string name = output_place(port);
        !is_one_of(port.node().op(), {"Const", "Parameter"}) && seen.insert(name).second)
      names.push_back(std::move(name));
  return join(
      names, [](const std::string& name) { return printable(name); }, ",");
}

}  // namespace

CaffeModel::CaffeModel(std::unique_ptr<CustomLayers> custom) : LoadedModel(operators()), custom_(std::move(custom)) {}

void CaffeModel::extract_unknown(Node& node) {
  if (!hint_) {
    const std::string outputs = known_outputs(node.graph());
    // The question about a layer that is neither mapped nor an extension nor a standard one.
    hint_ = outputs.empty()
                ? Detail("write an extension for it, or cut the model before it (Model Optimizer FAQ, question #45)")
                : msg("write an extension for it, or leave it out: --output ", outputs,
                      " (Model Optimizer FAQ, question #45)");
  }
  throw Error(Code::UnsupportedOp, node.pb->op, {}, *hint_);
}

}  // namespace mo::caffe
