#include "core/front/paddle/extract/extractor.h"

#include <algorithm>
#include <span>

#include "core/base/text.h"
#include "core/front/common/inputs.h"
#include "core/front/paddle/load/types.h"

namespace mo::paddle {

#define MO_OPERATORS "core/front/paddle/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

namespace {

/// The ports of a slot; a user's cut may have removed some.
std::vector<int> ports_of(const Node& node, const char* slots, std::string_view slot, int count) {
  const auto* names = node.attributes.get_if<Strings>(slots);
  std::vector<int> out;
  for (int i = 0; names && i < static_cast<int>(names->size()) && i < count; ++i)
    if ((*names)[static_cast<size_t>(i)] == slot) out.push_back(i);
  return out;
}

std::vector<int> output_ports(const Node& node, std::string_view slot) {
  return ports_of(node, "output_slots", slot, node.out_count());
}

/// What reads an output, and its names.
struct Readers {
  std::vector<InPort> inputs;
  NameList names;
};

Readers take_readers(Node& node, int port) {
  if (!node.has_out_port(port)) return {};
  Readers out{node.out(port).destinations(), node.out(port).tensor().names};
  node.out(port).disconnect();
  return out;
}

/// The node becomes this op, whose outputs take over these readers.
void become_with(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes,
                 const std::vector<Readers>& outputs) {
  for (int port = 0; port < node.out_count(); ++port)
    if (node.has_out_port(port) && !node.out(port).disconnected())
      throw Error(Code::UnsupportedForm,
                  msg("output ", node.get_strings("output_slots").at(static_cast<size_t>(port)), " is read"));
  set_inputs(node, inputs);
  node.truncate_out_ports(0);
  node.add_out_ports(static_cast<int>(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutPort port = node.out(static_cast<int>(i));
    port.tensor().names = outputs[i].names;
    for (const InPort& reader : outputs[i].inputs) reader.connect(port);
  }
  node.attributes = std::move(attributes);
  node.set_op(op);
}

/// Tensors that take over the readers of outputs, slot by slot. A program may leave out outputs.
struct Handover {
  Node& node;
  std::vector<OutPort> sources = {};
  std::vector<Readers> outputs = {};

  void add(std::string_view slot, std::span<const OutPort> tensors) {
    const std::vector<int> ports = output_ports(node, slot);
    for (size_t i = 0; i < std::min(ports.size(), tensors.size()); ++i) {
      sources.push_back(tensors[i]);
      outputs.push_back(take_readers(node, ports[i]));
    }
  }
  void finish() { become_with(node, sources.size() == 1 ? "Identity" : "IdentityN", sources, {}, outputs); }
};

}  // namespace

std::vector<OutPort> inputs(const Node& node, std::string_view slot) {
  std::vector<OutPort> out;
  for (const int port : ports_of(node, "input_slots", slot, node.in_count()))
    if (const OutPort source = node.source(port)) out.push_back(source);
  return out;
}

OutPort input(const Node& node, std::string_view slot) {
  const std::vector<OutPort> all = inputs(node, slot);
  return all.empty() ? OutPort() : all[0];
}

OutPort required(const Node& node, std::string_view slot) {
  if (const OutPort port = input(node, slot)) return port;
  throw Error(Code::MissingInput, std::string(slot));
}

bool is_read(Node& node, std::string_view slot) {
  for (const int port : output_ports(node, slot))
    if (node.has_out_port(port) && !node.out(port).disconnected()) return true;
  return false;
}

void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes,
            std::initializer_list<std::string_view> slots) {
  std::vector<Readers> outputs;
  for (const std::string_view slot : slots)
    for (const int port : output_ports(node, slot)) outputs.push_back(take_readers(node, port));
  become_with(node, op, inputs, std::move(attributes), outputs);
}

void give_lists(Node& node, std::initializer_list<std::pair<std::string_view, std::vector<OutPort>>> results) {
  Handover handover{node};
  for (const auto& [slot, tensors] : results) handover.add(slot, tensors);
  handover.finish();
}

void give(Node& node, std::initializer_list<std::pair<std::string_view, OutPort>> results) {
  Handover handover{node};
  for (const auto& [slot, port] : results) handover.add(slot, {&port, 1});
  // A program may leave out outputs that it does not read.
  if (handover.sources.empty()) handover.sources.push_back(results.begin()->second);
  handover.finish();
}

ElementType type_of(const Node& node, std::string_view attribute, ElementType otherwise) {
  if (node.has(attribute)) return required_type(node.get_int(attribute, -1));
  if (otherwise == ElementType::Unknown) throw Error(Code::MissingAttribute, std::string(attribute));
  return otherwise;
}

Ints ints_of(const Node& node, std::string_view attribute, const Ints& otherwise) {
  if (const int64_t* one = node.attributes.get_if<int64_t>(attribute)) return {*one};
  return node.get_ints(attribute, otherwise);
}

OutPort int_list(Node& node, std::string_view tensor, std::string_view list, std::string_view attribute) {
  Builder b(node);
  if (const OutPort port = input(node, tensor)) return b.reshape(b.convert(port, ElementType::I64), {-1});
  std::vector<OutPort> parts;
  for (const OutPort port : inputs(node, list)) parts.push_back(b.reshape(b.convert(port, ElementType::I64), {1}));
  if (parts.empty())
    for (const OutPort port : inputs(node, attribute))
      parts.push_back(b.reshape(b.convert(port, ElementType::I64), {-1}));
  if (!parts.empty()) return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
  return node.has(attribute) ? b.i64(ints_of(node, attribute)) : OutPort();
}

}  // namespace mo::paddle
