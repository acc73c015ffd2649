#include "core/front/tf/load/node_def.h"

#include "core/front/expansion.h"

namespace mo::tf {
namespace {

Attribute type_attribute(int64_t data_type) {
  if (const auto type = element_type(data_type)) return *type;
  return data_type;
}

Attribute list_attribute(const proto::Message& list) {
  if (list.has("s")) return list.strings("s");
  if (list.has("f")) return list.floats("f");
  if (list.has("type")) return list.ints("type");
  if (list.has("b")) return list.ints("b");
  if (!list.has("func")) return list.ints("i");
  Strings names;
  for (const proto::Message& function : list.messages("func")) names.push_back(function.get_string("name"));
  return names;
}

Attribute attribute_of(const Origin& origin, const proto::Message& value) {
  const std::vector<std::string> fields = value.names();
  if (fields.empty()) return {};
  const std::string& field = fields.back();
  if (field == "s" || field == "placeholder") return value.get_string(field);
  if (field == "i") return value.get_int(field);
  if (field == "f") return value.get_float(field);
  if (field == "b") return value.get_bool(field);
  if (field == "type") return type_attribute(value.get_int(field));
  if (field == "shape") return read_shape(value.get_message(field));
  if (field == "tensor") return read_tensor(origin, value.get_message(field));
  if (field == "func") return value.get_message(field).get_string("name");
  if (field == "list") return list_attribute(value.get_message(field));
  return {};
}

/// What TensorFlow has inferred: of the one output of a placeholder, whose own shape may be left out.
bool is_inferred_shape(const NodeDef& node, const std::string& key) {
  return key == "_output_shapes" && node.op.starts_with("Placeholder");
}

Attribute inferred_shape(const proto::Message& value) {
  const std::vector<proto::Message> shapes = value.get_message("list").messages("shape");
  return shapes.empty() ? PartialShape() : read_shape(shapes[0]);
}

}  // namespace

NodeDef read_node(const Origin& origin, const proto::Message& message, const Attributes* actuals) {
  NodeDef node{message.get_string("name"), message.get_string("op"), message.strings("input"), {}};
  require_short_name(node.name), require_short_name(node.op);
  for (const std::string& input : node.inputs) require_short_name(input);
  for (const proto::Message& entry : message.messages("attr")) {
    const std::string key = entry.get_string("key");
    const bool inferred = is_inferred_shape(node, key);
    if (key.empty() || (key[0] == '_' && !inferred)) continue;
    const auto where = [&] { return Place{.node = node.name, .op = node.op, .tensor = key}; };
    with_place(where, [&] {
      const proto::Message value = entry.get_message("value");
      const Attribute* actual =
          actuals && value.has("placeholder") ? actuals->find(value.get_string("placeholder")) : nullptr;
      node.attributes.set(key, inferred ? inferred_shape(value) : actual ? *actual : attribute_of(origin, value));
    });
  }
  return node;
}

}  // namespace mo::tf
