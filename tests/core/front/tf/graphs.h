// TensorFlow's graphs as texts, and their files.
#pragma once

#include "core/base/text.h"
#include "tests/core/support/converted.h"

namespace mo::test {

inline std::vector<std::byte> text_bytes(std::string_view text) {
  return bytes_of(std::vector<char>(text.begin(), text.end()));
}

inline Converted convert_text(const std::string& text, const std::vector<OptionText>& options = {}) {
  auto files = std::make_unique<MemoryFiles>();
  files->put("m.pbtxt", text_bytes(text));
  return convert_files(std::move(files), "m.pbtxt", options);
}

/// A NodeDef. `attributes`: "T: type: DT_FLOAT", …
inline std::string tf_node(const std::string& name, const std::string& op, const std::vector<std::string>& inputs = {},
                           const std::vector<std::string>& attributes = {}, const char* field = "node") {
  std::string out = cat(field, " { name: '", name, "' op: '", op, "'");
  for (const std::string& input : inputs) out += cat(" input: '", input, "'");
  for (const std::string& attribute : attributes) {
    const size_t colon = attribute.find(':');
    out += cat(" attr { key: '", attribute.substr(0, colon), "' value {", attribute.substr(colon + 1), " } }");
  }
  return out + " }\n";
}

inline const std::string kFloat = "T: type: DT_FLOAT";

inline std::string tf_shape(const Shape& shape) {
  return cat("{ ",
             join(
                 shape, [](int64_t size) { return cat("dim { size: ", size, " }"); }, " "),
             " }");
}

inline std::string tf_input(const std::string& name, const Shape& shape) {
  return tf_node(name, "Placeholder", {}, {"dtype: type: DT_FLOAT", "shape: shape " + tf_shape(shape)});
}

/// `content`: the rest of a TensorProto.
inline std::string tf_const(const std::string& name, const std::string& type, const Shape& shape,
                            const std::string& content) {
  return tf_node(name, "Const", {},
                 {cat("dtype: type: ", type),
                  cat("value: tensor { dtype: ", type, " tensor_shape ", tf_shape(shape), " ", content, " }")});
}

}  // namespace mo::test
