// Operators with graphs, which are the bodies of their nodes (core/front/pytorch/load/body_loader.cpp).

#include "core/front/pytorch/extract/extractor.h"
#include "core/graph/body.h"

namespace mo::pytorch {
namespace {

Attribute body_of(const Node& node, const char* attribute) {
  const Attribute* body = node.attributes.find(attribute);
  if (!body) throw Error(Code::MissingAttribute, std::string(attribute));
  return *body;
}

}  // namespace

/// A condition, and what the branches read.
void extract_cond(Node& node) {
  Attributes attributes{{"lone", true}};
  for (const char* branch : kBranches) attributes.set(branch, body_of(node, branch));
  become(node, "Case", inputs(node, ""), std::move(attributes), node.out_count());
}

/// Carried values, then those that the graphs only read: these are variables, too.
void extract_while_loop(Node& node) {
  const std::vector<OutPort> variables = inputs(node, "");
  become(node, "While", variables, {{"cond", body_of(node, "cond")}, {"body", body_of(node, "body")}, {"lone", true}},
         static_cast<int>(variables.size()));
}

/// States, values that it goes along, and others. Its outputs are states, then what each step gives, stacked.
void extract_scan(Node& node) {
  become(node, "Scan", inputs(node, ""),
         {{"body", body_of(node, "body")}, {"num_scan_inputs", int_of(node, "scanned_inputs")}}, node.out_count());
}

}  // namespace mo::pytorch
