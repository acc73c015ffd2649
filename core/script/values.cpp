#include "core/script/values.h"

#include "core/base/text.h"
#include "core/ops/op_def.h"

namespace mo::js {
namespace {

constexpr int64_t kMaxSafe = (int64_t{1} << 53) - 1;

/// A number if JavaScript can hold it exactly, else its text.
val to_integer(int64_t value) {
  if (value >= -kMaxSafe && value <= kMaxSafe) return val(static_cast<double>(value));
  return val(std::to_string(value));
}

/// Throws BadValue for a number that has no place in 64 bits.
int64_t whole(double number) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(number >= -kLimit && number < kLimit)) throw Error(Code::BadValue, "not a 64-bit integer");
  return static_cast<int64_t>(number);
}

int64_t from_integer(const val& value) {
  if (value.isNumber()) return whole(value.as<double>());
  const std::optional<int64_t> number = parse_int(value.as<std::string>());
  if (!number) throw Error(Code::BadValue, "not a 64-bit integer");
  return *number;
}

val pair(const char* kind, const val& value) {
  val out = val::array();
  out.call<void>("push", std::string(kind), value);
  return out;
}

template <typename Items, typename Convert>
val list(const Items& items, Convert convert) {
  val out = val::array();
  for (const auto& item : items) out.call<void>("push", convert(item));
  return out;
}

val tensor_record(ElementType type, const Shape& shape, const char* kind, const val& content) {
  val holder = val::object();
  holder.set(kind, content);
  val out = val::array();
  out.call<void>("push", std::string(ir_name(type)), list(shape, to_integer), holder);
  return out;
}

val constant_record(const Constant& constant) {
  return tensor_record(constant.type, constant.shape, "constant", val(state().hold(constant)));
}

Shape exact_shape(const val& sizes) {
  Shape shape;
  for (const val& size : list_of<val>(sizes)) shape.push_back(from_integer(size));
  return shape;
}

/// A tensor of the core in another shape, or bytes from JavaScript.
Constant to_constant(const val& record) {
  const ElementType type = to_type(record[0].as<std::string>());
  Shape shape = exact_shape(record[1]);
  const val content = record[2];
  if (content.hasOwnProperty("constant"))
    return reshape(state().constant(content["constant"].as<int>()), std::move(shape));
  if (!content.hasOwnProperty("bytes")) throw Error(Code::BadValue, "only a tensor that is known can be a constant");
  const auto raw = numbers_of<uint8_t>(content["bytes"]);
  if (bits(type) > 0 && raw.size() != byte_size(type, element_count(shape)))
    throw Error(Code::WrongTensorSize, msg(raw.size(), " bytes"));
  const auto* begin = reinterpret_cast<const std::byte*>(raw.data());
  return owned(type, std::move(shape), {begin, begin + raw.size()});
}

IntTensor to_ints(const val& record) {
  IntTensor out;
  out.shape = exact_shape(record[1]);
  for (const val& element : list_of<val>(record[2]["elements"]))
    out.elements.push_back(element.isNull() ? Interval() : Interval(from_integer(element)));
  if (out.elements.size() != element_count(out.shape)) throw Error(Code::WrongTensorSize, "elements");
  return out;
}

Ints to_list(const val& items) {
  Ints out;
  for (const val& item : list_of<val>(items)) out.push_back(from_integer(item));
  return out;
}

Attribute integers(Ints values, const Attribute* before) {
  if (before && std::holds_alternative<Doubles>(*before)) return Doubles(values.begin(), values.end());
  if (before && std::holds_alternative<PartialShape>(*before)) return PartialShape(Shape(values));
  return values;
}

struct ToRecord {
  val operator()(std::monostate) const {
    val out = val::array();
    out.call<void>("push", std::string("null"));
    return out;
  }
  val operator()(bool v) const { return pair("boolean", val(v)); }
  val operator()(int64_t v) const { return pair("integer", to_integer(v)); }
  val operator()(double v) const { return pair("float", val(v)); }
  val operator()(const std::string& v) const { return pair("text", val(v)); }
  val operator()(const Ints& v) const { return pair("integers", list(v, to_integer)); }
  val operator()(const Doubles& v) const {
    return pair("floats", list(v, [](double d) { return d; }));
  }
  val operator()(const Strings& v) const { return pair("texts", to_js(v)); }
  val operator()(ElementType v) const { return pair("type", val(std::string(ir_name(v)))); }
  val operator()(const PartialShape& v) const { return pair("shape", to_bounds(v)); }
  val operator()(const Constant& v) const { return pair("tensor", constant_record(v)); }
  val operator()(const std::shared_ptr<Graph>& v) const {
    return v ? pair("graph", val(state().number_of(*v))) : (*this)(std::monostate());
  }
};

}  // namespace

val to_record(const Attribute& attribute) { return std::visit(ToRecord(), attribute); }

Attribute to_attribute(const val& record, const Attribute* before) {
  const std::string kind = record[0].as<std::string>();
  const val value = record[1];
  if (kind == "null") return std::monostate();
  if (kind == "boolean") return value.as<bool>();
  if (kind == "integer") {
    const int64_t number = from_integer(value);
    if (before && std::holds_alternative<double>(*before)) return static_cast<double>(number);
    return number;
  }
  if (kind == "float") return value.as<double>();
  if (kind == "text") {
    const std::string text = value.as<std::string>();
    if (before && std::holds_alternative<ElementType>(*before)) return to_type(text);
    return text;
  }
  if (kind == "integers") return integers(to_list(value), before);
  if (kind == "floats") return numbers_of<double>(value);
  if (kind == "texts") return list_of<std::string>(value);
  if (kind == "type") return to_type(value.as<std::string>());
  if (kind == "shape") return to_shape(value);
  if (kind == "tensor") return to_constant(value);
  if (kind == "graph") {
    Graph& body = state().graph(value.as<int>());
    if (!body.owner()) throw Error(Code::BadValue, "the graph of the model is no body of an operation");
    return body.shared_from_this();
  }
  throw Error(Code::BadValue, msg("no kind of attribute: ", kind));
}

void require_body(const Node& node, const Attribute& value) {
  const auto* body = std::get_if<std::shared_ptr<Graph>>(&value);
  for (const Graph* at = body ? &node.graph() : nullptr; at; at = at->owner() ? &at->owner()->graph() : nullptr)
    if (at == body->get()) throw Error(Code::BadValue, "a body cannot have itself in it", node.place());
}

val to_bounds(const PartialShape& shape) {
  if (!shape.has_rank()) return val::null();
  val out = val::array();
  for (const Dimension& d : shape.dimensions())
    out.call<void>("push", static_cast<double>(d.min),
                   d.max == Interval::kInfinity ? -1.0 : static_cast<double>(d.max));
  return out;
}

PartialShape to_shape(const val& bounds) {
  if (bounds.isNull()) return {};
  const auto numbers = numbers_of<double>(bounds);
  if (numbers.size() > 2 * kMaxRank) throw Error(Code::RankMismatch, msg("more than ", kMaxRank, " dimensions"));
  std::vector<Dimension> dimensions;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    dimensions.emplace_back(whole(numbers[i]), numbers[i + 1] < 0 ? Interval::kInfinity : whole(numbers[i + 1]));
  return dimensions;
}

val value_record(const Tensor& tensor) {
  if (tensor.value) return constant_record(*tensor.value);
  if (!tensor.ints) return val::null();
  const val elements =
      list(tensor.ints->elements, [](const Interval& e) { return e.is_exact() ? to_integer(e.min) : val::null(); });
  return tensor_record(tensor.type, tensor.ints->shape, "elements", elements);
}

void set_value(Node& node, int output, const val& record) {
  InferContext context(node);
  node.out(output);  // throws if there is none
  node.graph().model().edited = true;
  if (record[2].hasOwnProperty("elements")) {
    IntTensor known = to_ints(record);
    context.set(output, PartialShape(known.shape), to_type(record[0].as<std::string>()));
    return context.set_ints(output, std::move(known));
  }
  Constant value = to_constant(record);
  context.set(output, PartialShape(value.shape), value.type);
  if (node.op() == "Const") node.set("value", value);
  context.set_value(output, std::move(value));
}

ElementType to_type(const std::string& name) {
  const std::optional<ElementType> type = element_type(name);
  if (!type) throw Error(Code::UnsupportedType, name);
  return *type;
}

}  // namespace mo::js
