// Tensors joined along an axis, and grids of vectors.

#include <algorithm>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// All tensors as the type of the result. An empty list of old code joins nothing to tensors of more dimensions.
std::vector<OutPort> parts_of(Node& node, Builder& b, bool drop_empty) {
  const Ints types = node.get_ints("input_types"), ranks = node.get_ints("input_ranks"),
             sizes = node.get_ints("input_sizes");
  const ElementType type = result_type(node);
  std::vector<OutPort> out;
  size_t at = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const bool is_empty = ranks[i] == 1 && sizes[at] == 0;
    at += static_cast<size_t>(ranks[i]);
    require_input(node, static_cast<int>(i));
    if (drop_empty && is_empty && result_rank(node) > 1) continue;
    out.push_back(as_type(b, node.source(static_cast<int>(i)), static_cast<ElementType>(types[i]), type));
  }
  if (out.empty()) throw Error(Code::MissingInput, std::string("tensors"));
  return out;
}

void join(Node& node, const std::vector<OutPort>& parts, int64_t axis) {
  if (parts.size() == 1) return give(node, parts);
  become(node, "Concat", parts, {{"axis", axis}});
}

/// x with dimensions of 1 where NumPy's atleast_1d, atleast_2d and atleast_3d put them.
OutPort with_rank(Builder& b, OutPort x, int64_t rank, int64_t least) {
  if (rank >= least) return x;
  if (rank == 2) return b.unsqueeze(x, {2});
  if (rank == 1) return least == 2 ? b.unsqueeze(x, {0}) : b.unsqueeze(x, {0, 2});
  Ints all;
  for (int64_t axis = 0; axis < least; ++axis) all.push_back(axis);
  return b.unsqueeze(x, all);
}

void widen(Node& node, int64_t least) {
  Builder b(node);
  std::vector<OutPort> out;
  for (const Operand& one : operands_of(node, is_given(node, "tensors") ? "tensors" : "self"))
    out.push_back(with_rank(b, one.port, one.rank(), least));
  give(node, out);
}

void stack(Node& node, int64_t least, int64_t axis) {
  Builder b(node);
  std::vector<OutPort> parts;
  for (const Operand& one : operands_of(node, "tensors"))
    parts.push_back(with_rank(b, as_type(b, one.port, one.type, result_type(node)), one.rank(), least));
  join(node, parts, axis);
}

/// Each vector along an axis of its own, in the shape of all; "xy" has the second one along the first axis.
std::vector<OutPort> grid(Builder& b, const std::vector<OutPort>& lines, bool is_xy) {
  const auto place = [&](size_t i) { return is_xy && i < 2 ? 1 - i : i; };
  std::vector<OutPort> shape(lines.size()), out;
  for (size_t i = 0; i < lines.size(); ++i) shape[place(i)] = b.shape_of(b.reshape(lines[i], {-1}, false));
  const OutPort whole = shape.size() == 1 ? shape[0] : b.concat(shape, 0);
  for (size_t i = 0; i < lines.size(); ++i) {
    Ints along(lines.size(), 1);
    along[place(i)] = -1;
    out.push_back(b.op("Broadcast", {b.reshape(lines[i], along, false), whole}, {{"mode", "numpy"}}));
  }
  return out;
}

}  // namespace

void extract_cat(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", result_rank(node));
  const std::vector<OutPort> parts = parts_of(node, b, true);
  join(node, parts, axis);
}

void extract_stack(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", result_rank(node));
  const std::vector<OutPort> parts = parts_of(node, b, false);
  if (parts.size() == 1) return give(node, {b.unsqueeze(parts[0], {axis})});
  become(node, "Pack", parts, {{"axis", axis}});
}

void extract_hstack(Node& node) { stack(node, 1, result_rank(node) == 1 ? 0 : 1); }
void extract_vstack(Node& node) { stack(node, 2, 0); }
void extract_dstack(Node& node) { stack(node, 3, 2); }

/// Vectors are columns.
void extract_column_stack(Node& node) {
  Builder b(node);
  std::vector<OutPort> parts;
  for (const Operand& one : operands_of(node, "tensors")) {
    const OutPort x = as_type(b, one.port, one.type, result_type(node));
    parts.push_back(one.rank() == 0 ? b.unsqueeze(x, {0, 1}) : one.rank() == 1 ? b.unsqueeze(x, {1}) : x);
  }
  join(node, parts, 1);
}

void extract_atleast_1d(Node& node) { widen(node, 1); }
void extract_atleast_2d(Node& node) { widen(node, 2); }
void extract_atleast_3d(Node& node) { widen(node, 3); }

void extract_meshgrid(Node& node) {
  Builder b(node);
  const std::vector<OutPort> lines = inputs(node, "tensors");
  give(node, grid(b, lines, node.get_string("indexing", "ij") == "xy" && lines.size() > 1));
}

/// Each element of the first vector with each of the others, as rows.
void extract_cartesian_prod(Node& node) {
  Builder b(node);
  const std::vector<OutPort> lines = inputs(node, "tensors");
  if (lines.size() == 1) return give(node, lines);
  std::vector<OutPort> columns;
  for (const OutPort line : grid(b, lines, false)) columns.push_back(b.reshape(line, {-1, 1}, false));
  join(node, columns, 1);
}

void extract_broadcast_tensors(Node& node) {
  Builder b(node);
  const std::vector<OutPort> tensors = inputs(node, "tensors");
  if (tensors.empty()) throw Error(Code::MissingInput, std::string("tensors"));
  OutPort shape = b.shape_of(tensors[0]);
  for (size_t i = 1; i < tensors.size(); ++i) shape = b.op("BroadcastArgs", {shape, b.shape_of(tensors[i])});
  std::vector<OutPort> out;
  for (const OutPort x : tensors) out.push_back(b.op("Broadcast", {x, shape}, {{"mode", "numpy"}}));
  give(node, out);
}

/// Matrices one behind another along both axes, with zeros around.
void extract_block_diag(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  std::vector<OutPort> blocks, rows;
  for (const Operand& one : operands_of(node, "tensors")) {
    if (one.rank() > 2) throw Error(Code::RankMismatch, msg("a block of rank ", one.rank()));
    blocks.push_back(with_rank(b, as_type(b, one.port, one.type, type), one.rank(), 2));
  }
  const OutPort zero = b.constant(make_scalar(type, 0));
  OutPort before = b.i64({0}), whole = before;
  for (const OutPort block : blocks) whole = b.op("Add", {whole, b.dims_of(block, {1})});
  for (const OutPort block : blocks) {
    const OutPort end = b.op("Add", {before, b.dims_of(block, {1})});
    const OutPort first = b.concat({b.i64({0}), before}, 0),
                  last = b.concat({b.i64({0}), b.op("Sub", {whole, end})}, 0);
    rows.push_back(b.op("Pad", {block, first, last, zero}, {{"mode", "constant"}}));
    before = end;
  }
  join(node, rows, 0);
}

}  // namespace mo::pytorch
