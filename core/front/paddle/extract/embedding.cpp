// Rows of tables by their numbers.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

void extract_lookup(Node& node, bool of_columns) {
  const OutPort table = required(node, "W"), ids = required(node, "Ids");
  become(node, "Lookup", {table, ids}, {{"padding_idx", node.get_int("padding_idx", -1)}, {"column", of_columns}});
}

}  // namespace

/// The numbers are a column, which the result does not have.
void extract_lookup_table(Node& node) { extract_lookup(node, true); }
void extract_lookup_table_v2(Node& node) { extract_lookup(node, false); }

/// A part of a table, which has all rows if it begins at 0.
void extract_c_embedding(Node& node) {
  const int64_t start = node.get_int("start_index");
  if (start != 0) throw Error(Code::UnsupportedForm, msg("start_index is ", start, ": the table of several devices"));
  extract_lookup(node, false);
}

/// Rows of a table of bytes, each with its range.
void extract_lookup_table_dequant(Node& node) {
  if (node.get_int("padding_idx", -1) >= 0) throw Error(Code::UnsupportedForm, "padding_idx is given");
  const OutPort table = required(node, "W"), ids = required(node, "Ids");
  become(node, "LookupOfBytes", {table, ids});
}

/// The sums of the rows of one sequence.
void extract_fused_embedding_seq_pool(Node& node) {
  const std::string combiner = node.get_string("combiner", "sum");
  if (combiner != "sum") throw Error(Code::UnsupportedForm, msg("combiner ", combiner));
  const OutPort table = required(node, "W"), ids = required(node, "Ids");
  Builder b(node);
  const OutPort rows = b.op("Lookup", {table, ids}, {{"padding_idx", node.get_int("padding_idx", -1)}});
  give(node, {{"Out", b.reshape(b.reduce("ReduceSum", rows, {0}, true), {1, -1})}});
}

}  // namespace mo::paddle
