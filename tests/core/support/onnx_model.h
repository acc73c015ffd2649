// Small ONNX models in memory, written directly in protobuf's wire format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/content.h"

namespace mo::test {

/// A protobuf message under construction.
class WireMessage {
 public:
  WireMessage& number(int field, int64_t value);
  WireMessage& bytes(int field, std::string_view content);
  const std::string& text() const { return text_; }

 private:
  void varint(uint64_t value);
  std::string text_;
};

/// A TensorProto.
std::string onnx_floats(std::string_view name, const Shape& shape, const std::vector<float>& values);
std::string onnx_ints(std::string_view name, const Shape& shape, const std::vector<int64_t>& values);
/// The same with the numbers in the typed field instead of raw bytes.
std::string onnx_typed_floats(std::string_view name, const Shape& shape, const std::vector<float>& values);

class OnnxGraph;

/// An AttributeProto.
std::string onnx_attribute(std::string_view name, int64_t value);
std::string onnx_attribute(std::string_view name, const std::vector<int64_t>& values);
std::string onnx_text_attribute(std::string_view name, std::string_view value);
std::string onnx_tensor_attribute(std::string_view name, const std::string& tensor);
std::string onnx_graph_attribute(std::string_view name, const OnnxGraph& graph);

using Texts = std::vector<std::string>;

/// A GraphProto.
class OnnxGraph {
 public:
  static constexpr int kFloat = 1, kInt64 = 7, kBool = 9;

  /// `shape`: dimensions separated by commas, numbers or names: "N,3,8,8"; "" is a scalar.
  OnnxGraph& input(std::string_view name, std::string_view shape, int type = kFloat);
  OnnxGraph& output(std::string_view name);
  /// An initializer: a TensorProto.
  OnnxGraph& weight(const std::string& tensor);
  OnnxGraph& node(std::string_view op, const Texts& inputs, const Texts& outputs, const Texts& attributes = {},
                  std::string_view name = {}, std::string_view domain = {});
  /// A function of the domain com.acme, of operator set 13: the nodes of `body`.
  OnnxGraph& function(std::string_view name, const Texts& inputs, const Texts& outputs, const OnnxGraph& body);
  OnnxGraph& opset(int version);
  const std::string& text() const { return message_.text(); }
  /// The ModelProto's bytes, with operator set 13 unless specified and version 1 of the domain com.acme.
  std::vector<std::byte> model() const;

 private:
  WireMessage message_, functions_;
  Texts nodes_;
  int opset_ = 13;
};

}  // namespace mo::test
