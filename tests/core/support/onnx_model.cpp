#include "tests/core/support/onnx_model.h"

#include <cstring>

#include "core/base/text.h"

namespace mo::test {
namespace {

WireMessage tensor(std::string_view name, int type, const Shape& shape) {
  WireMessage out;
  for (const int64_t dimension : shape) out.number(1, dimension);
  out.number(2, type).bytes(8, name);
  return out;
}

template <typename T>
std::string raw(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string operator_set(std::string_view domain, int version) {
  return WireMessage().bytes(1, domain).number(2, version).text();
}

WireMessage attribute(std::string_view name, int type) { return WireMessage().bytes(1, name).number(20, type); }

}  // namespace

void WireMessage::varint(uint64_t value) {
  for (; value > 127; value >>= 7) text_ += static_cast<char>((value & 127) | 128);
  text_ += static_cast<char>(value);
}

WireMessage& WireMessage::number(int field, int64_t value) {
  varint(static_cast<uint64_t>(field) << 3);
  varint(static_cast<uint64_t>(value));
  return *this;
}

WireMessage& WireMessage::bytes(int field, std::string_view content) {
  varint(static_cast<uint64_t>(field) << 3 | 2);
  varint(content.size());
  text_ += content;
  return *this;
}

std::string onnx_floats(std::string_view name, const Shape& shape, const std::vector<float>& values) {
  return tensor(name, OnnxGraph::kFloat, shape).bytes(9, raw(values)).text();
}

std::string onnx_ints(std::string_view name, const Shape& shape, const std::vector<int64_t>& values) {
  return tensor(name, OnnxGraph::kInt64, shape).bytes(9, raw(values)).text();
}

std::string onnx_typed_floats(std::string_view name, const Shape& shape, const std::vector<float>& values) {
  return tensor(name, OnnxGraph::kFloat, shape).bytes(4, raw(values)).text();  // packed
}

std::string onnx_attribute(std::string_view name, int64_t value) { return attribute(name, 2).number(3, value).text(); }

std::string onnx_attribute(std::string_view name, const std::vector<int64_t>& values) {
  WireMessage out = attribute(name, 7);
  for (const int64_t value : values) out.number(8, value);
  return out.text();
}

std::string onnx_text_attribute(std::string_view name, std::string_view value) {
  return attribute(name, 3).bytes(4, value).text();
}

std::string onnx_tensor_attribute(std::string_view name, const std::string& tensor) {
  return attribute(name, 4).bytes(5, tensor).text();
}

std::string onnx_graph_attribute(std::string_view name, const OnnxGraph& graph) {
  return attribute(name, 5).bytes(6, graph.text()).text();
}

OnnxGraph& OnnxGraph::input(std::string_view name, std::string_view shape, int type) {
  WireMessage dimensions;
  for (const std::string& part : split(shape, ',')) {
    if (part.empty()) continue;
    const auto size = parse_int(part);
    dimensions.bytes(1, size ? WireMessage().number(1, *size).text() : WireMessage().bytes(2, part).text());
  }
  const WireMessage tensor_type = WireMessage().number(1, type).bytes(2, dimensions.text());
  message_.bytes(11, WireMessage().bytes(1, name).bytes(2, WireMessage().bytes(1, tensor_type.text()).text()).text());
  return *this;
}

OnnxGraph& OnnxGraph::output(std::string_view name) {
  message_.bytes(12, WireMessage().bytes(1, name).text());
  return *this;
}

OnnxGraph& OnnxGraph::weight(const std::string& tensor) {
  message_.bytes(5, tensor);
  return *this;
}

OnnxGraph& OnnxGraph::node(std::string_view op, const Texts& inputs, const Texts& outputs, const Texts& attributes,
                           std::string_view name, std::string_view domain) {
  WireMessage node;
  for (const std::string& input : inputs) node.bytes(1, input);
  for (const std::string& output : outputs) node.bytes(2, output);
  node.bytes(3, name).bytes(4, op);
  for (const std::string& attribute : attributes) node.bytes(5, attribute);
  node.bytes(7, domain);
  message_.bytes(1, node.text());
  nodes_.push_back(node.text());
  return *this;
}

OnnxGraph& OnnxGraph::function(std::string_view name, const Texts& inputs, const Texts& outputs,
                               const OnnxGraph& body) {
  constexpr int kSinceVersion = 2;  // a number, which files of 2019 have; it is passed over
  WireMessage function =
      WireMessage().number(kSinceVersion, 1).bytes(1, name).bytes(10, "com.acme").bytes(9, operator_set("", 13));
  for (const std::string& input : inputs) function.bytes(4, input);
  for (const std::string& output : outputs) function.bytes(5, output);
  for (const std::string& node : body.nodes_) function.bytes(7, node);
  functions_.bytes(25, function.text());
  return *this;
}

OnnxGraph& OnnxGraph::opset(int version) {
  opset_ = version;
  return *this;
}

std::vector<std::byte> OnnxGraph::model() const {
  const std::string text = WireMessage()
                               .number(1, 8)
                               .bytes(2, "tests")
                               .bytes(7, message_.text())
                               .bytes(8, operator_set("", opset_))
                               .bytes(8, operator_set("com.acme", 1))
                               .text() +
                           functions_.text();
  std::vector<std::byte> out(text.size());
  std::memcpy(out.data(), text.data(), text.size());
  return out;
}

}  // namespace mo::test
