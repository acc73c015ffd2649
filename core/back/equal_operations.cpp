#include "core/back/equal_operations.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/pattern.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

constexpr uint64_t kMostBytes = 256;
/// Of operations that differ in attributes alone only so many are compared.
constexpr size_t kMostAlike = 32;

bool gives_output(Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    for (const InPort& use : node.out(i).destinations())
      if (use.node().op() == "Result") return true;
  return false;
}

bool same_attributes(const Node& a, const Node& b) {
  if (std::distance(a.attributes.begin(), a.attributes.end()) !=
      std::distance(b.attributes.begin(), b.attributes.end()))
    return false;
  for (const auto& [key, value] : a.attributes) {
    const Attribute* other = b.attributes.find(key);
    if (!other || !same_value(value, *other)) return false;
  }
  return true;
}

/// Whether the same sources always give the same.
bool is_function(const Node& node) {
  static constexpr std::string_view kOthers[] = {"RandomUniform", "Multinomial", "ReadValue", "Result"};
  const OpDef* definition = node.definition();
  if (!definition || definition != find_op(node.op()) || definition->sink || node.has_control_flow() ||
      node.in_count() == 0 || is_one_of(node.op(), kOthers))
    return false;
  return std::none_of(node.attributes.begin(), node.attributes.end(), [](const Attributes::Entry& entry) {
    return std::holds_alternative<std::shared_ptr<Graph>>(entry.second);
  });
}

}  // namespace

void EqualOperations::merge(Node& node) {
  if (!is_function(node)) return;
  std::vector<Node*>& alike = kept_[key_of(node)];
  Node* other = nullptr;
  for (Node* candidate : alike)
    if (!other && same_attributes(*candidate, node)) other = candidate;
  if (!other) {
    if (alike.size() < kMostAlike) alike.push_back(&node);
    return;
  }
  if (gives_output(node)) return;
  for (int i = 0; i < node.out_count(); ++i) node.out(i).connection().set_source(other->out(i), TensorNames::Merge);
  node.graph().remove(node);
}

std::string EqualOperations::key_of(const Node& node) {
  std::string key = cat(node.op(), node.out_count());
  for (int i = 0; i < node.in_count(); ++i) {
    key += "|";
    if (const OutPort source = node.source(i))
      key += source.node().op() == "Const" ? text_of(source.node()) : cat(source.node().id(), ":", source.index());
  }
  return key;
}

const std::string& EqualOperations::text_of(const Node& constant) {
  std::string& text = constants_[constant.id()];
  if (!text.empty()) return text;
  const Constant* value = constant.get_constant("value");
  if (!value || value->type == ElementType::String) return text = cat(constant.id(), ":0");
  text = cat(ir_name(value->type), "[", to_string(PartialShape(value->shape)), "]");
  if (const auto bytes = read_all(*value, constant.graph().files(), kMostBytes))
    text.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  else if (const std::string place = value->content->identity(); !place.empty())
    text += place;
  else
    text = cat(constant.id(), ":0");
  return text;
}

}  // namespace mo
