// Rows of a table, one by one or combined in bags.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// The index that bags leave out; -1: none.
int64_t padding_index(const Node& node, bool counts_from_end) {
  if (!is_given(node, "padding_idx")) return -1;
  const int64_t index = int_of(node, "padding_idx");
  if (index >= 0 || !counts_from_end) return index < 0 ? -1 : index;
  const int64_t rows = sizes_of(node, "weight").at(0);
  if (rows < 0) throw Error(Code::UnsupportedForm, "padding_idx from the end of a table of unknown size");
  if (index < -rows) throw Error(Code::BadAttribute, msg("padding_idx is ", index));
  return index + rows;
}

OutPort spread_rows(Builder& b, List<OutPort> x_and_shape) {
  return b.op("Broadcast", x_and_shape, {{"mode", "numpy"}});
}

/// The bag of each of `count` indices: how many bags begin before it, less one.
OutPort bag_of_each(Builder& b, OutPort offsets, OutPort count) {
  const OutPort one = b.i64({1}), zero = b.i64_scalar(0), more = b.op("Add", {count, one});
  const OutPort zeros = spread_rows(b, {zero, more}), ones = spread_rows(b, {b.i64_scalar(1), b.shape_of(offsets)});
  const OutPort begun = b.op("ScatterElementsUpdate", {zeros, offsets, ones, zero}, {{"reduction", "sum"}});
  const OutPort bags = b.op("Sub", {b.op("CumSum", {begun, zero}), one});
  return b.op("Slice", {bags, b.i64({0}), count, one, b.i64({0})});
}

/// Indices of padding, and those behind the last offset, are in a bag that is cut off.
void combine_bags(Node& node, bool counts_from_end) {
  constexpr const char* kReductions[] = {"sum", "mean", "max"};
  const int64_t mode = int_of(node, "mode"), padding = padding_index(node, counts_from_end);
  if (mode < 0 || mode > 2) throw Error(Code::BadAttribute, msg("mode is ", mode));
  if (rank_of(node, "indices") != 1 || rank_of(node, "offsets") != 1 || rank_of(node, "weight") != 2)
    throw Error(Code::UnsupportedForm, "bags of more than one dimension");
  const bool weighted = bool(input(node, "per_sample_weights")), ends = node.get_bool("include_last_offset");
  if (weighted && mode != 0) throw Error(Code::BadAttribute, msg("per_sample_weights with mode ", mode));
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort table = operand(node, b, "weight", type), indices = operand(node, b, "indices", ElementType::I64),
                offsets = operand(node, b, "offsets", ElementType::I64);
  const OutPort one = b.i64({1}), zero = b.i64_scalar(0), given = b.dims_of(offsets, {0});
  const OutPort bags = ends ? b.op("Sub", {given, one}) : given;
  const bool has_spare = ends || padding >= 0;
  OutPort bag = bag_of_each(b, offsets, b.dims_of(indices, {0}));
  if (padding >= 0) bag = b.op("Select", {b.op("NotEqual", {indices, b.i64_scalar(padding)}), bag, bags});
  OutPort rows = b.gather(table, indices, 0);
  if (weighted) rows = b.op("Mul", {rows, b.unsqueeze(operand(node, b, "per_sample_weights", type), {1})});
  const OutPort count = has_spare ? b.op("Add", {bags, one}) : bags, width = b.dims_of(table, {1});
  const OutPort nothing = spread_rows(b, {b.constant(make_scalar(type, 0)), b.concat({count, width}, 0)});
  const OutPort places = spread_rows(b, {b.unsqueeze(bag, {1}), b.shape_of(rows)});
  const OutPort y = b.op("ScatterElementsUpdate", {nothing, places, rows, zero},
                         {{"reduction", kReductions[mode]}, {"use_init_val", mode == 0}});
  give(node, {has_spare ? b.op("Slice", {y, b.i64({0}), bags, one, b.i64({0})}) : y});
}

}  // namespace

/// Rows of padding are those of the table, too: only training leaves them as they are.
void extract_embedding(Node& node) {
  const OutPort table = required(node, "weight"), indices = required(node, "indices"),
                along = Builder(node).i64_scalar(0);
  become(node, "Gather", {table, indices, along});
}

void extract_embedding_bag(Node& node) { combine_bags(node, true); }
void extract_native_embedding_bag(Node& node) { combine_bags(node, false); }

}  // namespace mo::pytorch
