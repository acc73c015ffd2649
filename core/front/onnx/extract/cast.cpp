// Cast: attribute `to` is the number of an element type; in operator sets up to 5 it is its name.

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {
namespace {

/// The number of an element type's name; the names are in the order of TensorProto.DataType.
int64_t data_type_of(const std::string& word) {
  static const std::string words[] = {"UNDEFINED", "FLOAT",  "UINT8",     "INT8",       "UINT16",  "INT16",
                                      "INT32",     "INT64",  "STRING",    "BOOL",       "FLOAT16", "DOUBLE",
                                      "UINT32",    "UINT64", "COMPLEX64", "COMPLEX128", "BFLOAT16"};
  for (size_t i = 0; i < std::size(words); ++i)
    if (words[i] == word) return static_cast<int64_t>(i);
  throw Error(Code::BadAttribute, msg("to is '", word, "'"));
}

}  // namespace

void extract_cast(Node& node) {
  if (!node.has("to")) throw Error(Code::MissingAttribute, "to");
  const std::string word = node.get_string("to");
  node.set("dst_type", element_type(word.empty() ? node.get_int("to") : data_type_of(word)));
  node.set_op("CastONNX");
}

}  // namespace mo::onnx
