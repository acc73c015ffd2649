#include "core/front/paddle/load/lite_messages.h"

#include <google/protobuf/io/coded_stream.h>

#include "core/base/text.h"
#include "paddle.pb.h"

namespace mo::paddle::lite {
namespace {

constexpr uint64_t kMostBytes = 64 << 20;

template <typename Message>
Message parse(Window& window, const WireField& place) {
  const auto fail = [&](const Detail& what) { return Error(Code::CorruptFile, what, window.place(place.start)); };
  if (place.size > kMostBytes) throw fail(msg("a message of more than ", kMostBytes, " bytes"));
  std::vector<std::byte> bytes;
  std::span<const std::byte> view;
  if (place.size <= Window::kMaxView) {
    view = window.view(place.offset, static_cast<size_t>(place.size));
  } else {
    bytes.resize(static_cast<size_t>(place.size));
    window.files().read(window.file(), place.offset, bytes);
    view = bytes;
  }
  Message message;
  if (!message.ParseFromArray(view.data(), static_cast<int>(view.size())))
    throw fail("the message of an operator or a variable");
  return message;
}

/// What says where an operator was written, or how it is to be run.
bool is_about_running(std::string_view name) {
  return name.starts_with("op_") || name.starts_with("mkldnn_") || name.starts_with("workspace_") ||
         is_one_of(name, {"use_cudnn", "use_mkldnn", "use_quantizer", "with_quant_attr", "is_test", "__op_impl",
                          "fuse_relu_before_depthwise_conv"});
}

template <typename List>
Ints ints(const List& list) {
  return {list.begin(), list.end()};
}
template <typename List>
Doubles doubles(const List& list) {
  return {list.begin(), list.end()};
}
template <typename List>
Strings strings(const List& list) {
  return {list.begin(), list.end()};
}

enum ScalarType { kBoolean = 1, kLong, kFloat64, kComplex };

Attribute scalar(const pb::Scalar& value) {
  switch (value.type()) {
    case kBoolean: return value.b();
    case kLong: return int64_t{value.i()};
    case kFloat64: return value.r();
    default: return Doubles{value.c().r(), value.c().i()};
  }
}

/// Whole numbers if all of them are; a complex number is two.
template <typename List>
Attribute scalars(const List& list) {
  bool whole = true;
  Ints integers;
  Doubles numbers;
  for (const pb::Scalar& value : list) {
    whole &= value.type() == kBoolean || value.type() == kLong;
    const int64_t integer = value.type() == kBoolean ? value.b() : value.i();
    if (whole) integers.push_back(integer);
    numbers.push_back(value.type() == kFloat64   ? value.r()
                      : value.type() == kComplex ? value.c().r()
                                                 : static_cast<double>(integer));
    if (value.type() == kComplex) numbers.push_back(value.c().i());
  }
  if (whole) return integers;
  return numbers;
}

enum AttrType { kVariable = 13, kVariables = 14 };

/// By AttrType of framework.proto, those that have a value.
Attribute attribute(const pb::OpDesc::Attr& attr) {
  switch (attr.type()) {
    case 0: return int64_t{attr.i()};
    case 1: return static_cast<double>(attr.f());
    case 2: return attr.s();
    case 3: return ints(attr.ints());
    case 4: return doubles(attr.floats());
    case 5: return strings(attr.strings());
    case 6: return attr.b();
    case 7: return ints(attr.bools());
    case 8: return int64_t{attr.block_idx()};
    case 9: return int64_t{attr.l()};
    case 10: return ints(attr.blocks_idx());
    case 11: return ints(attr.longs());
    case 12: return doubles(attr.float64s());
    case 15: return attr.float64();
    case 16: return scalar(attr.scalar());
    case 17: return scalars(attr.scalars());
    default: return {};
  }
}

std::vector<Slot> slots(const google::protobuf::RepeatedPtrField<pb::OpDesc::Var>& list) {
  std::vector<Slot> out;
  for (const pb::OpDesc::Var& slot : list) out.push_back({slot.parameter(), strings(slot.arguments())});
  return out;
}

}  // namespace

VariableDesc variable(Window& window, const WireField& place) {
  const auto message = parse<pb::VarDesc>(window, place);
  VariableDesc out;
  out.name = message.name();
  out.kind = message.type().type();
  out.is_persistable = message.persistable();
  out.is_fed = message.need_check_feed();
  const pb::VarType& type = message.type();
  const auto take = [&](const pb::VarType::TensorDesc& tensor) {
    out.data_type = tensor.data_type();
    std::vector<Dimension> shape;
    for (const int64_t size : tensor.dims()) shape.push_back(size < 0 ? kAnyDimension : Dimension(size));
    out.shape = std::move(shape);
  };
  if (type.has_lod_tensor()) {
    take(type.lod_tensor().tensor());
    out.lod_level = type.lod_tensor().lod_level();
  } else if (type.has_tensor_array()) {
    take(type.tensor_array().tensor());
    out.lod_level = type.tensor_array().lod_level();
  } else if (type.has_selected_rows()) {
    take(type.selected_rows());
  }
  return out;
}

OperatorDesc operation(Window& window, const WireField& place) {
  const auto message = parse<pb::OpDesc>(window, place);
  OperatorDesc out{.type = message.type(), .inputs = slots(message.inputs()), .outputs = slots(message.outputs())};
  for (const pb::OpDesc::Attr& attr : message.attrs()) {
    if (attr.name().empty() || is_about_running(attr.name())) continue;
    if (attr.type() == kVariable && attr.var_name().empty()) continue;
    // A variable in an attribute's place is an input in a slot of its name.
    if (attr.type() == kVariable)
      out.inputs.push_back({attr.name(), {attr.var_name()}});
    else if (attr.type() == kVariables)
      out.inputs.push_back({attr.name(), strings(attr.vars_name())});
    else
      out.attributes.set(attr.name(), attribute(attr));
  }
  return out;
}

int64_t version(Window& window, const WireField& place) { return parse<pb::Version>(window, place).version(); }

std::map<std::string, int64_t> operator_versions(Window& window, const WireField& place) {
  const auto message = parse<pb::OpVersionMap>(window, place);
  std::map<std::string, int64_t> out;
  for (const auto& pair : message.pair()) out[pair.op_name()] = pair.op_version().version();
  return out;
}

}  // namespace mo::paddle::lite
