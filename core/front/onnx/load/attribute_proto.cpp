#include "core/front/onnx/load/attribute_proto.h"

#include <bit>
#include <optional>
#include <utility>

#include "core/front/onnx/load/tensor_proto.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

namespace AttributeType = pb::AttributeProto_AttributeType;

struct AttributeFields {
  std::string name, reference, text;
  int64_t type = AttributeType::UNDEFINED;
  double number = 0;
  int64_t whole = 0;
  Ints ints;
  Doubles floats;
  Strings texts;
  std::optional<WireField> tensor, sparse, graph;
  std::optional<WireField> long_list;  ///< in place of `ints` or `floats`

  /// If the file gives no type, the field that is present decides it.
  void seen(int64_t kind) {
    if (type == AttributeType::UNDEFINED) type = kind;
  }
};

/// The numbers of a Constant are a tensor: a long list of them stays in the file, where all calls of a function share
/// it.
void add_numbers(Window& window, const WireField& field, AttributeFields& a) {
  constexpr uint64_t kShort = 256;
  const bool is_of_ints = field.number == pb::AttributeProto::ints;
  const bool is_long =
      field.is_bytes() && field.size > kShort && a.name == (is_of_ints ? "value_ints" : "value_floats");
  if (is_long && a.ints.empty() && a.floats.empty() && !a.long_list) {
    a.long_list = field;
    return;
  }
  const auto add = [&](const WireField& part) {
    if (part.number == pb::AttributeProto::ints)
      wire_ints(window, part, a.ints);
    else
      wire_floats(window, part, a.floats);
  };
  if (const std::optional<WireField> before = std::exchange(a.long_list, std::nullopt)) add(*before);
  add(field);
}

Constant tensor_of(Window& window, const WireField& list) {
  if (list.number == pb::AttributeProto::floats) {
    const uint64_t count = list.size / sizeof(float);
    return {ElementType::F32,
            {static_cast<int64_t>(count)},
            std::make_shared<SliceContent>(window.file(), list.offset, count * sizeof(float))};
  }
  int64_t count = 0;
  for (uint64_t at = list.offset; at < list.end(); ++at) count += !(window.byte(at) & 0x80);
  return decode_varints(ElementType::I64, {count}, {{window.file(), list.offset, list.size}});
}

AttributeFields walk_attribute(Window& window, const WireField& message) {
  constexpr uint64_t kTextLimit = 1 << 20;
  AttributeFields a;
  WireReader reader(window, message);
  for (WireField f; reader.next(f);) {
    switch (f.number) {
      case pb::AttributeProto::name: a.name = wire_text(window, f); break;
      case pb::AttributeProto::f:
        a.number = std::bit_cast<float>(static_cast<uint32_t>(f.value));
        a.seen(AttributeType::FLOAT);
        break;
      case pb::AttributeProto::i:
        a.whole = static_cast<int64_t>(f.value);
        a.seen(AttributeType::INT);
        break;
      case pb::AttributeProto::s:
        a.text = wire_text(window, f, kTextLimit);
        a.seen(AttributeType::STRING);
        break;
      case pb::AttributeProto::t: a.tensor = f; break;
      case pb::AttributeProto::g: a.graph = f; break;
      case pb::AttributeProto::floats:
        add_numbers(window, f, a);
        a.seen(AttributeType::FLOATS);
        break;
      case pb::AttributeProto::ints:
        add_numbers(window, f, a);
        a.seen(AttributeType::INTS);
        break;
      case pb::AttributeProto::strings:
        a.texts.push_back(wire_text(window, f, kTextLimit));
        a.seen(AttributeType::STRINGS);
        break;
      case pb::AttributeProto::type: a.type = static_cast<int64_t>(f.value); break;
      case pb::AttributeProto::ref_attr_name: a.reference = wire_text(window, f); break;
      case pb::AttributeProto::sparse_tensor: a.sparse = f; break;
      default: break;
    }
  }
  return a;
}

Attribute value_of(AttributeFields& a) {
  switch (a.type) {
    case AttributeType::FLOAT: return a.number;
    case AttributeType::INT: return a.whole;
    case AttributeType::STRING: return std::move(a.text);
    case AttributeType::FLOATS: return std::move(a.floats);
    case AttributeType::INTS: return std::move(a.ints);
    case AttributeType::STRINGS: return std::move(a.texts);
    default: return {};
  }
}

}  // namespace

Attributes read_attributes(Window& window, Files& files, const std::vector<WireField>& messages,
                           const Attributes* actuals, Bodies& bodies) {
  Attributes attributes;
  for (const WireField& message : messages) {
    AttributeFields a = walk_attribute(window, message);
    if (!a.reference.empty()) {
      if (const Attribute* actual = actuals ? actuals->find(a.reference) : nullptr)
        attributes.set(a.name, *actual);
      else if (a.type == AttributeType::GRAPH || a.type == AttributeType::UNDEFINED)
        bodies.push_back({a.name, {}, a.reference});
    } else if (a.tensor) {
      attributes.set(a.name, read_tensor(files, window, *a.tensor).value);
    } else if (a.sparse) {
      attributes.set(a.name, read_sparse_tensor(files, window, *a.sparse).value);
    } else if (a.graph) {
      bodies.push_back({a.name, *a.graph, {}});
    } else if (a.long_list && a.type == (a.long_list->number == pb::AttributeProto::ints ? AttributeType::INTS
                                                                                         : AttributeType::FLOATS)) {
      attributes.set(a.name, tensor_of(window, *a.long_list));
    } else if (Attribute value = value_of(a); !std::holds_alternative<std::monostate>(value)) {
      attributes.set(a.name, std::move(value));
    }
  }
  return attributes;
}

}  // namespace mo::onnx
