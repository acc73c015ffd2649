// Operators that make tensors of one number, of listed numbers, or of numbers in steps.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/paddle/extract/filled.h"
#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
OutPort batch_size_like(Node& node) {
  Builder b(node);
  const OutPort like = required(node, "Input");
  Ints shape = ints_of(node, "shape");
  const int64_t at = node.get_int("output_dim_idx"), from = node.get_int("input_dim_idx");
  if (at < 0 || at >= static_cast<int64_t>(shape.size()))
    throw Error(Code::BadAttribute, msg("output_dim_idx is ", at, " of ", shape.size()));
  std::vector<OutPort> parts;
  if (at > 0) parts.push_back(b.i64(Ints(shape.begin(), shape.begin() + at)));
  parts.push_back(b.dims_of(like, {from}));
  if (at + 1 < static_cast<int64_t>(shape.size())) parts.push_back(b.i64(Ints(shape.begin() + at + 1, shape.end())));
  return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
}

OutPort filled_shape(Node& node) {
  const OutPort shape = integers(node, "ShapeTensor", "ShapeTensorList", "shape");
  if (!shape) throw Error(Code::MissingAttribute, "shape");
  return shape;
}

namespace {

/// Shapes of at most so many elements become constants.
constexpr uint64_t kMostFilled = 1024;

/// str_value says exactly what `value` may round.
Constant filling(const Node& node, ElementType type) {
  const std::string text = node.get_string("str_value");
  if (text.empty()) return make_scalar(type, node.get_float("value", static_cast<double>(node.get_int("value"))));
  if (const auto integer = parse_int(text); integer && !is_float(type)) return convert(make_i64_scalar(*integer), type);
  if (const auto number = parse_double(text)) return make_scalar(type, *number);
  throw Error(Code::BadAttribute, msg("str_value is '", printable(text), "'"));
}

void become_filled(Node& node, OutPort value, OutPort shape) {
  become(node, "Broadcast", {value, shape}, {{"mode", "numpy"}});
}

bool is_fixed(Node& node) {
  return !input(node, "ShapeTensor") && !input(node, "ShapeTensorList") && !input(node, "shape");
}

/// One value in the shape that the node names.
void fill(Node& node, const Constant& value) {
  Builder b(node);
  const Ints sizes = ints_of(node, "shape");
  uint64_t count = 1;
  for (const int64_t size : sizes) {
    if (is_fixed(node) && size < 0) throw Error(Code::BadAttribute, msg("shape has ", size));
    count = size <= 0 || count > kMostFilled ? count : count * std::min<uint64_t>(size, kMostFilled + 1);
  }
  if (!is_fixed(node) || count > kMostFilled || value.content->kind() != Content::Kind::Owned) {
    const OutPort one = b.constant(value), shape = filled_shape(node);
    return become_filled(node, one, shape);
  }
  const auto bytes = std::static_pointer_cast<const OwnedContent>(value.content)->bytes;
  give(node, {{"Out", b.constant(mo::fill(value.type, sizes, bytes))}});
}

}  // namespace

void extract_fill_constant(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  const OutPort value = input(node, "ValueTensor");
  if (!value) return fill(node, filling(node, type));
  Builder b(node);
  const bool has_dimensions = !is_fixed(node) || !ints_of(node, "shape").empty();
  if (!has_dimensions) return give(node, {{"Out", scalar_of(b, value, type)}});
  const OutPort one = b.convert(value, type);
  const OutPort shape = filled_shape(node);
  become_filled(node, one, shape);
}

/// What is not initialised is 0.
void extract_empty(Node& node) { fill(node, make_scalar(type_of(node, "dtype", ElementType::F32), 0)); }

void extract_fill_batch_size_like(Node& node) {
  Builder b(node);
  const OutPort value = b.constant(filling(node, type_of(node, "dtype", ElementType::F32)));
  const OutPort shape = batch_size_like(node);
  become_filled(node, value, shape);
}

/// Without a type that of X.
void extract_fill_like(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  const double number = node.get_float("value_float", node.get_float("value"));
  const bool is_typed = node.get_int("dtype", -1) >= 0;
  const OutPort value = is_typed ? b.constant(make_scalar(type_of(node, "dtype"), number)) : b.scalar_like(x, number);
  const OutPort shape = b.shape_of(x);
  become_filled(node, value, shape);
}

void extract_fill_zeros_like(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  const OutPort zero = b.scalar_like(x, 0), shape = b.shape_of(x);
  become_filled(node, zero, shape);
}

void extract_assign_value(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  const Constant value =
      listed(node, {"values", "fp32_values", "int32_values", "int64_values", "fp64_values", "bool_values", "value"},
             type, ints_of(node, "shape"));
  give(node, {{"Out", Builder(node).constant(value)}});
}

void extract_eye(Node& node) {
  const auto count = [&](const char* name, double otherwise) {
    if (input(node, name)) throw Error(Code::UnsupportedForm, msg(name, " is computed"));
    return static_cast<int64_t>(std::clamp(node.get_float(name, otherwise), -1.0, 2e9));
  };
  const int64_t rows = count("num_rows", 0), given = count("num_columns", -1);
  const int64_t columns = given < 0 ? rows : given;
  if (rows < 0) throw Error(Code::BadAttribute, msg("num_rows is ", rows));
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  const OutPort first = b.i64_scalar(rows), second = b.i64_scalar(columns), k = b.i64_scalar(0);
  const OutPort y = b.op("Eye", {first, second, k}, {{"output_type", ElementType::F32}});
  give(node, {{"Out", b.convert(y, type)}});
}

/// PaddlePaddle 3 says the type of the numbers, and gives its ends in any.
void extract_range(Node& node) {
  Builder b(node);
  const bool is_typed = node.get_int("dtype", -1) >= 0;
  const auto end = [&](const char* slot) {
    const OutPort x = required(node, slot);
    return is_typed ? b.convert(x, type_of(node, "dtype")) : x;
  };
  const OutPort first = end("Start"), last = end("End"), step = end("Step");
  become(node, "RangeONNX", {first, last, step});
}

void extract_linspace(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  become(node, "Linear", {required(node, "Start"), required(node, "Stop"), required(node, "Num")}, {{"dtype", type}});
}

/// Powers of the base, computed as f32.
void extract_logspace(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  const OutPort base = scalar_of(b, required(node, "Base"), ElementType::F32);
  const OutPort exponents = b.op("Linear", {required(node, "Start"), required(node, "Stop"), required(node, "Num")},
                                 {{"dtype", ElementType::F32}});
  give(node, {{"Out", b.convert(b.op("Pow", {base, exponents}), type)}});
}

namespace {

/// The rows and columns of a matrix's elements on a diagonal and on one side of it.
void indices_of_triangle(Node& node, int64_t rows, int64_t columns, bool upper) {
  const ElementType type = type_of(node, "dtype", ElementType::I64);
  constexpr int64_t kMost = 1 << 10;
  if (rows < 0 || columns < 0) throw Error(Code::BadAttribute, msg(rows, " rows and ", columns, " columns"));
  if (rows > kMost || columns > kMost)
    throw Error(Code::UnsupportedForm, msg("indices of ", rows, " rows and ", columns, " columns"));
  const int64_t offset = std::clamp<int64_t>(node.get_int("offset"), -kMost, kMost);
  Ints all, of_columns;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      if (upper ? column - row < offset : column - row > offset) continue;
      all.push_back(row);
      of_columns.push_back(column);
    }
  }
  const auto count = static_cast<int64_t>(all.size());
  all.insert(all.end(), of_columns.begin(), of_columns.end());
  give(node, {{"out", Builder(node).constant(convert(reshape(make_i64(all), {2, count}), type))}});
}

}  // namespace

void extract_tril_indices(Node& node) {
  const int64_t rows = node.get_int("rows");
  indices_of_triangle(node, rows, node.get_int("cols", rows), false);
}
void extract_triu_indices(Node& node) {
  const int64_t rows = node.get_int("row");
  indices_of_triangle(node, rows, node.get_int("col", rows), true);
}

}  // namespace mo::paddle
