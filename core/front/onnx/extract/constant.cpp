// Constant: one of value (a tensor), sparse_value, value_float, value_floats, value_int, value_ints, value_string,
// value_strings.

#include "core/base/texts.h"
#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {
namespace {

Constant constant_of(const Node& node) {
  for (const char* tensor : {"value", "sparse_value", "value_ints", "value_floats"})
    if (const Constant* value = node.get_constant(tensor)) return *value;
  if (node.has("value_float")) return make_f32_scalar(static_cast<float>(node.get_float("value_float")));
  if (node.has("value_int")) return make_i64_scalar(node.get_int("value_int"));
  if (const auto* numbers = node.attributes.get_if<Ints>("value_ints")) return make_i64(*numbers);
  if (node.has("value_string")) return make_texts({}, {node.get_string("value_string")});
  if (const auto* texts = node.attributes.get_if<Strings>("value_strings"))
    return make_texts({static_cast<int64_t>(texts->size())}, *texts);
  if (node.has("value_floats")) {
    const Doubles numbers = node.get_floats("value_floats");
    return make_f32({static_cast<int64_t>(numbers.size())}, {numbers.begin(), numbers.end()});
  }
  throw Error(Code::MissingAttribute, "value");
}

}  // namespace

void extract_constant(Node& node) {
  const Constant value = constant_of(node);
  node.attributes = {{"value", value}};
  node.set_op("Const");
}

}  // namespace mo::onnx
