// GraphLoader's part for tensors: inputs, constants, quantised numbers, names.

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/front/tflite/load/graph_loader.h"
#include "core/front/tflite/load/sparse.h"

namespace mo::tflite {
namespace {

/// Operators that move numbers without changing them. If input and output are quantised alike, their result needs no
/// quantisation of its own.
bool only_moves(std::string_view op) {
  constexpr std::string_view kMoving[] = {"RESHAPE",
                                          "SQUEEZE",
                                          "EXPAND_DIMS",
                                          "TRANSPOSE",
                                          "SLICE",
                                          "STRIDED_SLICE",
                                          "GATHER",
                                          "GATHER_ND",
                                          "PACK",
                                          "UNPACK",
                                          "SPLIT",
                                          "SPLIT_V",
                                          "CONCATENATION",
                                          "MAX_POOL_2D",
                                          "TILE",
                                          "REVERSE_V2",
                                          "MIRROR_PAD",
                                          "SPACE_TO_DEPTH",
                                          "DEPTH_TO_SPACE",
                                          "BROADCAST_TO",
                                          "BATCH_TO_SPACE_ND",
                                          "SPACE_TO_BATCH_ND",
                                          "PAD",
                                          "DYNAMIC_UPDATE_SLICE",
                                          "DENSIFY",
                                          "EMBEDDING_LOOKUP"};
  return std::find(std::begin(kMoving), std::end(kMoving), op) != std::end(kMoving);
}

bool is_narrow(const TensorRecord& tensor) {
  const ElementType type = tensor.element_type();
  return is_integer(type) && bits(type) <= 16;
}

/// Gives `node`, the QuantizeLinear or DequantizeLinear that makes a tensor, the name of that tensor. The operator
/// before it has had this name, and gets another: a name must mean one tensor.
void take_name_of_operator(Node& node, const std::string& name) {
  Node* from = &node;
  while (from->op().ends_with("uantizeLinear")) from = &from->source(0).node();
  if (from == &node || from->name() != name || from->op() == "Parameter" || from->op() == "Const") return;
  Graph& graph = node.graph();
  graph.rename_nodes({{from, graph.unique_name(cat(name, "/", from->op()))}, {&node, name}});
}

/// Integers that mean real numbers. Wide ones do only where they are constants: they are biases.
bool is_real(const TensorRecord& tensor, bool is_constant) {
  return tensor.is_quantized() && (is_narrow(tensor) || (is_constant && is_integer(tensor.element_type())));
}

}  // namespace

void GraphLoader::add_parameter(Scope& scope, size_t tensor) {
  const TensorRecord& record = scope.subgraph.tensors[tensor];
  Value& value = scope.values[tensor];
  if (value.real && !scope.is_body) return;  // listed twice
  Node& node = scope.graph.add_node("Parameter", scope.prefix + (record.name.empty() ? "input" : record.name));
  node.add_out_ports(1);
  value = {};
  value.real = node.out(0);
  if (scope.is_body) {
    if (!is_real(record, false)) value.integers = value.real;
    return;
  }
  try {
    const bool unknown = record.sizes.empty() && !record.has_rank && scope.subgraph.says_ranks;
    node.set("shape", unknown ? PartialShape() : record.shape());
    node.set("data_type", record.element_type());
  } catch (Error& error) {
    diagnostics_.add(error.placed(node.place()));
    return;
  }
  value.integers = value.real;
  if (!is_real(record, false)) return;
  // Quantised once more, so that runtimes see the range and compute in integers what follows.
  const OutPort real = converted(scope, "DequantizeLinear", value.integers, record);
  value.real = converted(scope, "DequantizeLinear", converted(scope, "QuantizeLinear", real, record), record);
}

void GraphLoader::add_result(Scope& scope, size_t tensor) {
  const OutPort port = read(scope, static_cast<int64_t>(tensor), !scope.is_body);
  Node& result = scope.graph.add_node("Result", port.node().name() + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(port);
}

/// Throws UnknownTensor, and the errors of constants.
OutPort GraphLoader::read(Scope& scope, int64_t tensor, bool as_integers) {
  const auto at = static_cast<size_t>(tensor);
  const TensorRecord& record = scope.subgraph.tensors[at];
  Value& value = scope.values[at];
  if (value.failed) throw Error::reported();
  if (is_state(scope, at)) return state_of(scope, at).current;
  if (!value.real && !value.integers) {
    const auto bytes = model_.bytes_of(record);
    const bool is_empty = std::find(record.sizes.begin(), record.sizes.end(), 0) != record.sizes.end();
    if (!bytes && !is_empty) throw Error(Code::UnknownTensor, printable(record.name), place_of(record));
    value = constant(scope, record, bytes.value_or(SliceContent(model_.file_id(), 0, 0)));
  }
  if (as_integers) {
    if (!value.integers) value.integers = converted(scope, "QuantizeLinear", value.real, record);
    return value.integers;
  }
  if (!value.real) value.real = converted(scope, "DequantizeLinear", value.integers, record);
  return value.real;
}

Place GraphLoader::place_of(const TensorRecord& tensor) const {
  Place place = model_.files().place(model_.file_id(), tensor.offset);
  place.tensor = tensor.name;
  return place;
}

/// Throws UnsupportedType, WrongTensorSize, DataOutOfRange.
GraphLoader::Value GraphLoader::constant(Scope& scope, const TensorRecord& tensor, const SliceContent& bytes) {
  const auto where = [&] { return place_of(tensor); };
  return with_place(where, [&] {
    Constant constant{tensor.element_type(), {}, {}};
    if (constant.type == ElementType::String) throw Error(Code::UnsupportedType, "constant texts");
    for (const int64_t size : tensor.sizes)
      constant.shape.push_back(size < 0 ? throw Error(Code::WrongTensorSize, "a constant of unknown shape") : size);
    if (tensor.is_complex()) constant.shape.push_back(2);
    const uint64_t wanted = byte_size(constant.type, element_count(constant.shape));
    if (tensor.sparsity) {
      constant = sparse_constant(constant.type, constant.shape, bytes, tensor.sparsity);
    } else if (bytes.length != wanted) {
      throw Error(Code::WrongTensorSize, msg(bytes.length, " bytes for ", wanted));
    } else {
      constant.content = std::make_shared<SliceContent>(bytes);
      constant.content->check(model_.files());
    }
    const std::string name = tensor.name.empty() ? "Const" : tensor.name;
    const OutPort port = scope.graph.constant(std::move(constant), scope.prefix + name).out(0);
    return is_real(tensor, true) ? Value{{}, port} : Value{port, port};
  });
}

/// Throws DuplicateTensor.
void GraphLoader::define(Scope& scope, const OperatorRecord& from, size_t output, OutPort port) {
  const auto at = static_cast<size_t>(from.outputs[output]);
  const std::vector<TensorRecord>& tensors = scope.subgraph.tensors;
  const TensorRecord& record = tensors[at];
  Value& value = scope.values[at];
  if (value.real || value.integers) throw Error(Code::DuplicateTensor, printable(record.name));
  const bool is_plain = record.is_complex() || record.type == fb::TensorType::RESOURCE ||
                        record.type == fb::TensorType::VARIANT || !is_real(record, false);
  value.real = port;
  if (is_plain) {
    value.integers = port;
    return;
  }
  const auto differs = [&](int64_t input) {
    if (input < 0) return false;
    const TensorRecord& other = tensors[static_cast<size_t>(input)];
    return other.is_quantized() && other.quantization != record.quantization;
  };
  if (from.name == "CAST" || from.name == "BITCAST") {
    value = Value{{}, port};
  } else if (!only_moves(from.name) || std::any_of(from.inputs.begin(), from.inputs.end(), differs)) {
    value = Value{{}, converted(scope, "QuantizeLinear", port, record)};
  }
}

/// QuantizeLinear or DequantizeLinear with the tensor's scale and zero point.
OutPort GraphLoader::converted(Scope& scope, const char* op, OutPort x, const TensorRecord& tensor) {
  Graph& graph = scope.graph;
  const Quantization& by = tensor.quantization;
  const bool one = by.scale.size() == 1, quantizes = std::string_view(op) == "QuantizeLinear";
  const std::string name = x.node().name();
  const Shape shape = one ? Shape{} : Shape{static_cast<int64_t>(by.scale.size())};
  Node& node = graph.add_node(op, cat(name, quantizes ? "/quantize" : "/dequantize"));
  node.add_in_ports(3);
  node.add_out_ports(1);
  node.set("axis", by.axis);
  x.connect(node.in(0));
  if (by.block > 0) return set_blocks(scope, node, tensor), node.out(0);
  graph.constant(make_f32(shape, {by.scale.begin(), by.scale.end()}), name + "/scale").out(0).connect(node.in(1));
  // Without a zero point the type of the integers would not be known.
  if (by.zero_point.empty() && !quantizes) return node.out(0);
  std::vector<int64_t> zeros = by.zero_point.empty() ? std::vector<int64_t>{0} : by.zero_point;
  zeros.resize(by.scale.size(), zeros[0]);
  Constant zero = make_i64(zeros);
  if (one) zero = reshape(zero, {});
  graph.constant(convert(zero, tensor.element_type()), name + "/zero_point").out(0).connect(node.in(2));
  return node.out(0);
}

/// Scales and zero points are other tensors, of any shape with as many numbers. Throws UnsupportedForm unless tensor
/// and scales are constants.
void GraphLoader::set_blocks(Scope& scope, Node& node, const TensorRecord& tensor) {
  const Quantization& by = tensor.quantization;
  if (node.op() == "QuantizeLinear" || node.source(0).node().op() != "Const")
    throw Error(Code::UnsupportedForm, "blocks of numbers that are no constant", place_of(tensor));
  Shape shape(tensor.sizes.begin(), tensor.sizes.end());
  shape.back() /= by.block;
  node.set("axis", static_cast<int64_t>(shape.size()) - 1);
  node.set("block_size", by.block);
  node.set("output_dtype", ElementType::F32);
  const auto connect = [&](int64_t numbers, int input, ElementType type) {
    const OutPort given = read(scope, numbers);
    const Constant* value = given.node().op() == "Const" ? given.node().get_constant("value") : nullptr;
    if (!value) throw Error(Code::UnsupportedForm, "scales or zero points that are no constant", place_of(tensor));
    const Constant fitted = reshape(type == ElementType::Unknown ? *value : convert(*value, type), shape);
    scope.graph.constant(fitted, cat(node.name(), input == 1 ? "/scale" : "/zero_point"))
        .out(0)
        .connect(node.in(input));
  };
  connect(by.scales, 1, ElementType::Unknown);
  if (by.zeros >= 0) connect(by.zeros, 2, tensor.element_type());
}

/// Adds the names by which users find a tensor: its own, and those of signatures that no other tensor has.
void GraphLoader::add_names(Scope& scope, uint64_t subgraph) {
  std::set<int64_t> ends(scope.subgraph.outputs.begin(), scope.subgraph.outputs.end());
  ends.insert(scope.subgraph.inputs.begin(), scope.subgraph.inputs.end());
  const auto port_of = [&](size_t at) {
    const Value& value = scope.values[at];
    return (ends.count(static_cast<int64_t>(at)) || !value.real) && value.integers ? value.integers : value.real;
  };
  std::set<std::string> own;
  for (size_t i = 0; i < scope.values.size(); ++i) {
    const std::string& name = scope.subgraph.tensors[i].name;
    own.insert(name);
    if (const OutPort port = port_of(i); port && !name.empty()) {
      port.tensor().add_name(name);
      take_name_of_operator(port.node(), name);
    }
  }
  for (const SignatureName& signature : model_.names())
    if (signature.subgraph == subgraph && !signature.name.empty() && !own.count(signature.name))
      if (const OutPort port = port_of(signature.tensor)) port.tensor().add_name(signature.name);
}

}  // namespace mo::tflite
