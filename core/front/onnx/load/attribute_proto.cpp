#include "core/front/onnx/load/attribute_proto.h"

#include <bit>
#include <optional>

#include "core/front/onnx/load/tensor_proto.h"

namespace mo::onnx {
namespace {

/// AttributeProto.AttributeType of references to graphs, and of the kinds whose field may be absent because it holds
/// the default.
enum class AttributeType : int64_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8
};

struct AttributeFields {
  std::string name, reference, text;
  AttributeType type = AttributeType::Undefined;
  double number = 0;
  int64_t whole = 0;
  Ints ints;
  Doubles floats;
  Strings texts;
  std::optional<WireField> tensor, sparse, graph;

  /// Files without a type tell it by the field that is there.
  void seen(AttributeType kind) {
    if (type == AttributeType::Undefined) type = kind;
  }
};

AttributeFields walk_attribute(Window& window, const WireField& message) {
  constexpr uint64_t kTextLimit = 1 << 20;
  AttributeFields a;
  WireReader reader(window, message);
  for (WireField f; reader.next(f);) {
    switch (f.number) {
      case 1: a.name = wire_text(window, f); break;
      case 2:
        a.number = std::bit_cast<float>(static_cast<uint32_t>(f.value));
        a.seen(AttributeType::Float);
        break;
      case 3:
        a.whole = static_cast<int64_t>(f.value);
        a.seen(AttributeType::Int);
        break;
      case 4:
        a.text = wire_text(window, f, kTextLimit);
        a.seen(AttributeType::String);
        break;
      case 5: a.tensor = f; break;
      case 6: a.graph = f; break;
      case 7:
        wire_floats(window, f, a.floats);
        a.seen(AttributeType::Floats);
        break;
      case 8:
        wire_ints(window, f, a.ints);
        a.seen(AttributeType::Ints);
        break;
      case 9:
        a.texts.push_back(wire_text(window, f, kTextLimit));
        a.seen(AttributeType::Strings);
        break;
      case 20: a.type = static_cast<AttributeType>(f.value); break;
      case 21: a.reference = wire_text(window, f); break;
      case 22: a.sparse = f; break;
      default: break;
    }
  }
  return a;
}

Attribute value_of(AttributeFields& a) {
  switch (a.type) {
    case AttributeType::Float: return a.number;
    case AttributeType::Int: return a.whole;
    case AttributeType::String: return std::move(a.text);
    case AttributeType::Floats: return std::move(a.floats);
    case AttributeType::Ints: return std::move(a.ints);
    case AttributeType::Strings: return std::move(a.texts);
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
      else if (a.type == AttributeType::Graph || a.type == AttributeType::Undefined)
        bodies.push_back({a.name, {}, a.reference});
    } else if (a.tensor) {
      attributes.set(a.name, read_tensor(files, window, *a.tensor).value);
    } else if (a.sparse) {
      attributes.set(a.name, read_sparse_tensor(files, window, *a.sparse).value);
    } else if (a.graph) {
      bodies.push_back({a.name, *a.graph, {}});
    } else if (Attribute value = value_of(a); !std::holds_alternative<std::monostate>(value)) {
      attributes.set(a.name, std::move(value));
    }
  }
  return attributes;
}

}  // namespace mo::onnx
