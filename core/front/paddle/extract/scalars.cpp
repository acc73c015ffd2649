#include "core/front/paddle/extract/scalars.h"

#include <cstring>

namespace mo::paddle {
namespace {

template <typename Number>
Constant owned_numbers(ElementType type, const Shape& shape, const std::vector<Number>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return owned(type, shape, std::move(bytes));
}

}  // namespace

OutPort as_declared(Node& node, OutPort port) {
  return node.get_bool("is_list_of_one") ? Builder(node).op("AtLeast1D", {port}) : port;
}

void become_declared(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes) {
  if (!node.get_bool("is_list_of_one")) return become(node, op, inputs, std::move(attributes));
  Builder b(node);
  give(node, {{"Out", as_declared(node, b.op(op, inputs, std::move(attributes)))}});
}

OutPort integers(Node& node, std::string_view tensor, std::string_view list, std::string_view attribute) {
  for (const std::string_view slot : {tensor, list, attribute})
    if (const std::vector<OutPort> parts = inputs(node, slot); !parts.empty())
      return Builder(node).op("IntegerList", parts);
  return node.has(attribute) ? Builder(node).i64(ints_of(node, attribute)) : OutPort();
}

OutPort scalar_of(Builder& b, OutPort x, ElementType type) {
  return type == ElementType::Unknown ? b.op("Scalar", {x}) : b.op("Scalar", {x}, {{"dst_type", type}});
}

OutPort axis_of(Node& node, std::string_view tensor, std::string_view attribute, int64_t otherwise) {
  Builder b(node);
  OutPort axis = input(node, tensor);
  if (!axis) axis = input(node, attribute);
  return axis ? scalar_of(b, axis) : b.i64_scalar(node.get_int(attribute, otherwise));
}

Constant listed(const Node& node, std::initializer_list<std::string_view> attributes, ElementType type,
                const Ints& shape) {
  const auto check = [&](size_t count) {
    uint64_t wanted = 1;
    for (const int64_t size : shape)
      if (size < 0 || (size > 0 && wanted > (uint64_t{1} << 40) / static_cast<uint64_t>(size)))
        throw Error(Code::BadAttribute, msg("shape has ", size));
      else
        wanted *= static_cast<uint64_t>(size);
    if (wanted != count) throw Error(Code::ShapeMismatch, msg(count, " numbers for a shape of ", wanted));
  };
  for (const std::string_view name : attributes) {
    const Ints* integers = node.attributes.get_if<Ints>(name);
    const Doubles* numbers = node.attributes.get_if<Doubles>(name);
    if (integers && !integers->empty()) {
      check(integers->size());
      return convert(owned_numbers(ElementType::I64, shape, *integers), type);
    }
    if (numbers && !numbers->empty()) {
      check(numbers->size());
      return convert(owned_numbers(ElementType::F64, shape, *numbers), type);
    }
  }
  check(0);
  return make_splat(type, shape, 0);
}

}  // namespace mo::paddle
