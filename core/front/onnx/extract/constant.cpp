// Constant: one of value (a tensor), sparse_value, value_float, value_floats, value_int, value_ints, value_string,
// value_strings.

#include <cstring>

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {
namespace {

/// The IR's packed form: the number of texts, where each begins and the last ends, the texts.
Constant make_texts(Shape shape, const Strings& texts) {
  std::vector<std::byte> bytes((texts.size() + 2) * 4);
  const auto put = [&](size_t slot, size_t value) {
    const auto number = static_cast<uint32_t>(value);
    std::memcpy(bytes.data() + slot * 4, &number, 4);
  };
  put(0, texts.size());
  put(1, 0);
  size_t end = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    put(i + 2, end += texts[i].size());
    const auto* from = reinterpret_cast<const std::byte*>(texts[i].data());
    bytes.insert(bytes.end(), from, from + texts[i].size());
  }
  return owned(ElementType::String, std::move(shape), std::move(bytes));
}

Constant constant_of(const Node& node) {
  for (const char* tensor : {"value", "sparse_value"})
    if (const Constant* value = node.get_constant(tensor)) return *value;
  if (node.has("value_float")) return make_f32_scalar(static_cast<float>(node.get_float("value_float")));
  if (node.has("value_int")) return make_i64_scalar(node.get_int("value_int"));
  if (node.has("value_ints")) return make_i64(node.get_ints("value_ints"));
  if (node.has("value_string")) return make_texts({}, {node.get_string("value_string")});
  if (node.has("value_strings")) {
    const Strings texts = node.get_strings("value_strings");
    return make_texts({static_cast<int64_t>(texts.size())}, texts);
  }
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
