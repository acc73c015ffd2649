// Operators that take elements by their indices, or put them there.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// Indices of rows may be a column.
OutPort index_list(Builder& b, OutPort indices) { return b.op("IndexList", {indices}); }

}  // namespace

void extract_gather(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  const OutPort indices = index_list(b, required(node, "Index"));
  const bool is_computed = input(node, "Axis") || input(node, "axis");
  const OutPort axis = axis_of(node, "Axis", "axis", 0);
  become(node, is_computed ? "TFGather" : "Gather", {x, indices, axis});
}

void extract_gather_nd(Node& node) {
  const OutPort x = required(node, "X"), indices = required(node, "Index");
  become(node, "GatherND", {x, indices}, {{"batch_dims", int64_t{0}}});
}

void extract_gather_tree(Node& node) { become(node, "BeamPaths", {required(node, "Ids"), required(node, "Parents")}); }

void extract_scatter(Node& node) {
  const OutPort x = required(node, "X"), updates = required(node, "Updates");
  Builder b(node);
  const OutPort indices = index_list(b, required(node, "Ids"));
  become(node, "ScatterRows", {x, indices, updates}, {{"overwrite", node.get_bool("overwrite", true)}});
}

void extract_scatter_nd_add(Node& node) {
  const OutPort x = required(node, "X"), indices = required(node, "Index"), updates = required(node, "Updates");
  become(node, "ScatterNDAdd", {x, indices, updates});
}

void extract_index_select(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  const OutPort indices = index_list(b, required(node, "Index")), axis = b.i64_scalar(node.get_int("dim"));
  become(node, "Gather", {x, indices, axis});
}

/// Elements of rows.
void extract_index_sample(Node& node) {
  become(node, "GatherElements", {required(node, "X"), required(node, "Index")}, {{"axis", int64_t{1}}});
}

void extract_index_add(Node& node) {
  const OutPort x = required(node, "X"), updates = required(node, "AddValue");
  Builder b(node);
  const OutPort indices = index_list(b, required(node, "Index"));
  become(node, "IndexAdd", {x, indices, updates}, {{"axis", node.get_int("axis")}});
}

void extract_index_put(Node& node) {
  std::vector<OutPort> all{required(node, "x"), required(node, "value")};
  for (const OutPort indices : inputs(node, "indices")) all.push_back(indices);
  if (all.size() < 3) throw Error(Code::MissingInput, "indices");
  become(node, "IndexPut", all, {{"accumulate", node.get_bool("accumulate")}}, {"out"});
}

void extract_take_along_axis(Node& node) {
  const OutPort x = required(node, "Input"), indices = required(node, "Index");
  become(node, "GatherElements", {x, indices}, {{"axis", node.get_int("Axis")}}, {"Result"});
}

void extract_put_along_axis(Node& node) {
  const OutPort x = required(node, "Input"), indices = required(node, "Index");
  Builder b(node);
  const OutPort value = b.op("Broadcast", {required(node, "Value"), b.shape_of(indices)}, {{"mode", "numpy"}});
  const std::string reduce = node.get_string("Reduce", "assign");
  const char* word = reduce == "assign"                        ? "none"
                     : reduce == "add"                         ? "sum"
                     : reduce == "mul" || reduce == "multiply" ? "prod"
                     : reduce == "amin"                        ? "min"
                     : reduce == "amax"                        ? "max"
                     : reduce == "mean"                        ? "mean"
                                                               : nullptr;
  if (!word) throw Error(Code::BadAttribute, msg("Reduce is '", reduce, "'"));
  const OutPort axis = b.i64_scalar(node.get_int("Axis"));
  become(node, "ScatterElementsUpdate", {x, indices, value, axis},
         {{"reduction", word}, {"use_init_val", node.get_bool("Include_self", true)}}, {"Result"});
}

void extract_where(Node& node) {
  become(node, "Select", {required(node, "Condition"), required(node, "X"), required(node, "Y")});
}

void extract_where_index(Node& node) { become(node, "TFWhere", {required(node, "Condition")}); }

void extract_masked_select(Node& node) {
  become(node, "MaskedSelect", {required(node, "X"), required(node, "Mask")}, {}, {"Y"});
}

/// Row i is that of the tensor which Ids names.
void extract_multiplex(Node& node) {
  const std::vector<OutPort> tensors = inputs(node, "X");
  const OutPort ids = required(node, "Ids");
  Builder b(node);
  const OutPort all = b.op("Pack", tensors, {{"axis", int64_t{0}}});
  become(node, "Multiplex", {all, ids});
}

}  // namespace mo::paddle
