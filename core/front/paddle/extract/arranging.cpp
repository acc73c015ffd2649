// Operators that put the elements of tensors in another order, or repeat them.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

OutPort diagonal_number(Builder& b, const Node& node) { return b.i64_scalar(node.get_int("offset")); }

}  // namespace

/// Without axes all elements are one list.
void extract_roll(Node& node) {
  const OutPort x = required(node, "X"), shifts = integers(node, "ShiftsTensor", {}, "shifts");
  if (!shifts) throw Error(Code::MissingAttribute, "shifts");
  const Ints axes = ints_of(node, "axis");
  Builder b(node);
  if (!axes.empty()) {
    const OutPort along = b.i64(axes);
    return become(node, "Roll", {x, shifts, along});
  }
  const OutPort shape = b.shape_of(x), zero = b.i64({0});
  const OutPort rolled = b.op("Roll", {b.reshape(x, {-1}, false), shifts, zero});
  become(node, "Reshape", {rolled, shape}, {{"special_zero", false}});
}

void extract_flip(Node& node) {
  const OutPort x = required(node, "X");
  const Ints axes = ints_of(node, "axis");
  if (axes.empty()) return give(node, {{"Out", x}});
  Builder b(node);
  const auto all = [&](int64_t value) { return b.i64(Ints(axes.size(), value)); };
  const OutPort start = all(-1), stop = all(INT64_MIN), step = all(-1), along = b.i64(axes);
  become(node, "AttributedSlice", {x, start, stop, along, step});
}

void extract_tril_triu(Node& node) {
  const OutPort x = required(node, "X");
  const OutPort k = Builder(node).i64_scalar(node.get_int("diagonal"));
  become(node, "Trilu", {x, k}, {{"upper", !node.get_bool("lower")}});
}

/// Each element as often as an attribute says, or each of the elements of a tensor.
void extract_repeat_interleave(Node& node) {
  const OutPort x = required(node, "X"), counts = input(node, "RepeatsTensor");
  const int64_t axis = node.get_int("dim");
  if (counts) return become(node, "RepeatedBy", {x, counts}, {{"axis", axis}});
  const int64_t count = node.get_int("Repeats", 1);
  if (count < 1) throw Error(Code::BadAttribute, msg("Repeats is ", count));
  become(node, "Repeated", {x}, {{"axis", axis}, {"count", count}});
}

/// Each tensor along an axis of its own.
void extract_meshgrid(Node& node) {
  std::vector<OutPort> lines = inputs(node, "X");
  Builder b(node);
  std::vector<OutPort> sizes;
  for (OutPort& line : lines) {
    line = b.op("AtLeast1D", {line});
    sizes.push_back(b.shape_of(line));
  }
  const OutPort whole = b.concat(sizes, 0);
  for (size_t i = 0; i < lines.size(); ++i) {
    Ints shape(lines.size() - i, 1);
    shape[0] = -1;
    const OutPort line = i + 1 < lines.size() ? b.reshape(lines[i], shape, false) : lines[i];
    lines[i] = b.op("Broadcast", {line, whole}, {{"mode", "numpy"}});
  }
  become(node, "IdentityN", lines);
}

void extract_broadcast_tensors(Node& node) {
  std::vector<OutPort> parts = inputs(node, "X");
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  Builder b(node);
  OutPort shape = b.shape_of(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) shape = b.op("BroadcastArgs", {shape, b.shape_of(parts[i])});
  for (OutPort& part : parts) part = b.op("Broadcast", {part, shape}, {{"mode", "numpy"}});
  become(node, "IdentityN", parts);
}

/// Elements of X as a list, at the offset plus strides times the place in the result.
void extract_as_strided(Node& node) {
  const Ints sizes = ints_of(node, "dims"), strides = ints_of(node, "stride");
  if (sizes.size() != strides.size())
    throw Error(Code::BadAttribute, msg(sizes.size(), " dims and ", strides.size(), " of stride"));
  const OutPort x = required(node, "input");
  Builder b(node);
  OutPort places = b.i64_scalar(node.get_int("offset"));
  for (size_t i = 0; i < sizes.size(); ++i) {
    const OutPort first = b.i64_scalar(0), count = b.i64_scalar(sizes[i]), one = b.i64_scalar(1);
    const OutPort line = b.op("Range", {first, count, one}, {{"output_type", ElementType::I64}});
    const OutPort along = b.op("Mul", {line, b.i64_scalar(strides[i])});
    Ints shape(sizes.size() - i, 1);
    shape[0] = -1;
    places = b.op("Add", {places, b.reshape(along, shape, false)});
  }
  const OutPort list = b.reshape(x, {-1}, false), axis = b.i64_scalar(0);
  become(node, "Gather", {list, places, axis}, {}, {"out"});
}

void extract_diagonal(Node& node) {
  const OutPort x = required(node, "Input");
  Builder b(node);
  const OutPort k = diagonal_number(b, node);
  become(node, "Diagonal", {x, k}, {{"axis1", node.get_int("axis1")}, {"axis2", node.get_int("axis2", 1)}});
}

/// A list becomes the diagonal of a matrix, of a matrix it is taken.
void extract_diag_v2(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  const OutPort k = diagonal_number(b, node);
  become(node, "DiagonalOrMatrix", {x, k}, {{"padding", node.get_float("padding_value")}});
}

/// 1.x.
void extract_diag(Node& node) {
  const OutPort diagonal = input(node, "Diagonal");
  become(node, "Diag", {diagonal ? diagonal : required(node, "X")});
}

void extract_diag_embed(Node& node) {
  const OutPort x = required(node, "Input");
  Builder b(node);
  const OutPort k = diagonal_number(b, node);
  become(node, "EmbeddedDiagonal", {x, k}, {{"axis1", node.get_int("dim1", -2)}, {"axis2", node.get_int("dim2", -1)}});
}

void extract_fill_diagonal_tensor(Node& node) {
  const OutPort x = required(node, "X"), diagonal = required(node, "Y");
  Builder b(node);
  const OutPort k = diagonal_number(b, node);
  become(node, "WithDiagonal", {x, diagonal, k}, {{"axis1", node.get_int("dim1")}, {"axis2", node.get_int("dim2", 1)}});
}

/// Without wrap, the diagonal of a tall matrix ends with its columns.
void extract_fill_diagonal(Node& node) {
  become(node, "FilledDiagonal", {required(node, "X")},
         {{"value", node.get_float("value")},
          {"offset", node.get_int("offset")},
          {"wrap", int64_t{node.get_bool("wrap")}}});
}

/// Labels of one of several parts of all classes.
void extract_shard_index(Node& node) {
  const int64_t count = node.get_int("index_num"), parts = node.get_int("nshards");
  if (parts < 1 || count < 1) throw Error(Code::BadAttribute, msg(count, " classes in ", parts, " parts"));
  become(node, "ShardIndex", {required(node, "X")},
         {{"size", (count - 1) / parts + 1},
          {"shard", node.get_int("shard_id")},
          {"ignored", node.get_int("ignore_value", -1)}});
}

}  // namespace mo::paddle
