#include "core/front/kaldi/extract/extractor.h"

#include "core/front/common/inputs.h"

namespace mo::kaldi {

#define MO_OPERATORS "core/front/kaldi/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

namespace {

const Attribute& given(const Node& node, std::string_view key) {
  const Attribute* value = node.attributes.find(key);
  if (!value) throw Error(Code::MissingAttribute, std::string(key));
  return *value;
}

[[noreturn]] void fail_kind(std::string_view key) {
  throw Error(Code::BadAttribute, msg(std::string(key), " has a value of another kind"));
}

int64_t checked(std::string_view key, int64_t value, int64_t least) {
  if (value < least || value > INT32_MAX) throw Error(Code::BadAttribute, msg(std::string(key), " is ", value));
  return value;
}

/// The field as f32, of so many dimensions.
Constant elements_of(const Node& node, std::string_view key, size_t rank) {
  const Constant* value = std::get_if<Constant>(&given(node, key));
  if (!value || !is_float(value->type)) fail_kind(key);
  if (value->shape.size() != rank || value->elements() == 0)
    throw Error(Code::BadAttribute, msg(std::string(key), " has shape [", to_string(PartialShape(value->shape)), "]"));
  return value->type == ElementType::F32 ? *value : convert(*value, ElementType::F32);
}

}  // namespace

int64_t size_of(const Node& node, std::string_view key, int64_t least) {
  const int64_t* value = std::get_if<int64_t>(&given(node, key));
  if (!value) fail_kind(key);
  return checked(key, *value, least);
}

int64_t size_of(const Node& node, std::string_view key, int64_t least, int64_t otherwise) {
  return node.has(key) ? size_of(node, key, least) : otherwise;
}

double number_of(const Node& node, std::string_view key) {
  const Attribute& value = given(node, key);
  if (const int64_t* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const double* real = std::get_if<double>(&value)) return *real;
  fail_kind(key);
}

double number_of(const Node& node, std::string_view key, double otherwise) {
  return node.has(key) ? number_of(node, key) : otherwise;
}

Ints list_of(const Node& node, std::string_view key, int64_t least) {
  const Ints* values = std::get_if<Ints>(&given(node, key));
  if (!values) fail_kind(key);
  if (values->empty()) throw Error(Code::BadAttribute, msg(std::string(key), " is empty"));
  for (const int64_t value : *values) checked(key, value, least);
  return *values;
}

Constant vector_of(const Node& node, std::string_view key, int64_t size) {
  const Constant value = elements_of(node, key, 1);
  if (size >= 0 && value.shape[0] != size)
    throw Error(Code::ShapeMismatch, msg(std::string(key), " has ", value.shape[0], " elements, want ", size));
  return value;
}

Constant matrix_of(const Node& node, std::string_view key, int64_t columns) {
  const Constant value = elements_of(node, key, 2);
  if (columns >= 0 && value.shape[1] != columns)
    throw Error(Code::ShapeMismatch, msg(std::string(key), " has ", value.shape[1], " columns, want ", columns));
  return value;
}

bool has_elements(const Node& node, std::string_view key) {
  const Constant* value = node.get_constant(key);
  return value && value->elements() > 0;
}

int64_t times(std::string_view whole_key, int64_t whole, std::string_view part_key, int64_t part) {
  if (whole % part != 0)
    throw Error(Code::ShapeMismatch, msg(std::string(whole_key), " is ", whole, ", no multiple of ",
                                         std::string(part_key), ", which is ", part));
  return whole / part;
}

void require_sizes(const Node& node, int64_t inputs, int64_t outputs) {
  for (const auto& [key, size] : {std::pair("inputs", inputs), std::pair("outputs", outputs)})
    if (const int64_t said = node.get_int(key, -1); said >= 0 && size >= 0 && said != size)
      throw Error(Code::ShapeMismatch, msg("the component says ", said, " ", key, ", its fields ", size));
}

int64_t product(std::string_view key, int64_t x, int64_t y) {
  if (x > 0 && y > INT32_MAX / x)
    throw Error(Code::BadAttribute, msg(std::string(key), " makes more than 2^31 elements"));
  return x * y;
}

OutPort frame(const Node& node) {
  require_input(node, 0);
  return node.source(0);
}

void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes) {
  set_inputs(node, inputs);
  node.attributes = std::move(attributes);
  node.set_op(op);
}

void give(Node& node, OutPort result) { become(node, "Identity", {result}); }

}  // namespace mo::kaldi
