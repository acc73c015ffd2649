// Functions of operators.def for sparse tensors, and for rows of different lengths.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

[[noreturn]] void refuse_several() {
  throw Error(Code::UnsupportedForm, "several dimensions with rows of different lengths");
}

/// Refuses ragged tensors that have rows of different lengths in more than one dimension.
void require_one_ragged(const Node& node, const char* rank) {
  if (node.get_int(rank) != 1) refuse_several();
}

}  // namespace

/// The inputs are the indices of all sparse tensors, then their values, then their shapes. Each SparseJoin joins two.
void extract_sparse_concat(Node& node) {
  const int count = std::max(1, (node.in_count() + 2) / 3);
  require_input(node, 3 * count - 1);
  Builder b(node);
  std::vector<OutPort> joined = {node.source(0), node.source(count), node.source(2 * count)};
  for (int i = 1; i < count; ++i) {
    for (const int first : {0, count, 2 * count}) joined.push_back(node.source(first + i));
    Node& pair = b.node("SparseJoin", joined, {{"axis", node.get_int("concat_dim")}}, 3);
    joined = {pair.out(0), pair.out(1), pair.out(2)};
  }
  set_inputs(node, joined);
  node.set_op("SparseConcat");
}

void extract_sparse_bincount(Node& node) {
  const std::string count = node.get_bool("binary_output") ? "SparseBinaryBincount" : "SparseBincount";
  if (node.op() != "RaggedBincount") return node.set_op(count);
  node.set("count", count);
  node.set_op("RaggedBincount");
}

void extract_ragged_gather(Node& node) {
  require_one_ragged(node, "PARAMS_RAGGED_RANK");
  require_one_ragged(node, "OUTPUT_RAGGED_RANK");
  node.set_op("RaggedGather");
}

void extract_ragged_range(Node& node) {
  const ElementType type = node.has("T") ? type_of(node, "T") : ElementType::I32;
  node.set("dtype", node.has("Tsplits") ? type_of(node, "Tsplits") : ElementType::I64);
  node.set("steps", std::string(is_float(type) ? "StepsOfReals" : "StepsOfIntegers"));
  node.set_op("RaggedRange");
}

void extract_ragged_to_sparse(Node& node) {
  require_one_ragged(node, "RAGGED_RANK");
  node.set_op("RaggedTensorToSparse");
}

/// The rows are given as the place where each begins and ends, or as the number of the row of each value.
void extract_ragged_to_tensor(Node& node) {
  const Strings types = node.get_strings("row_partition_types");
  if (types == Strings{"ROW_SPLITS"}) return node.set_op("RaggedSplitsToTensor");
  if (types != Strings{"FIRST_DIM_SIZE", "VALUE_ROWIDS"}) refuse_several();
  node.set_op("RaggedRowIdsToTensor");
}

}  // namespace mo::tf
