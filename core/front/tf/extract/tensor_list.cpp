// Functions of operators.def for lists of tensors: TensorList, and TensorArray of TensorFlow 1, whose flow is the list.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

OutPort scalar(Node& node, double value) { return Builder(node).constant(make_scalar(ElementType::I32, value)); }

/// -1 for a dimension that is not known; a scalar -1 if there is no rank.
OutPort shape_constant(Node& node, const PartialShape* shape) {
  Builder b(node);
  if (!shape || !shape->has_rank()) return b.i64_scalar(-1);
  Ints sizes;
  for (const Dimension& size : shape->dimensions()) sizes.push_back(size.is_exact() ? size.min : -1);
  return b.i64(sizes);
}

}  // namespace

/// (element_shape, count); EmptyTensorList (element_shape, max_num_elements).
void extract_tensor_list_reserve(Node& node) {
  require_input(node, 1);
  node.set("element_dtype", type_of(node, "element_dtype"));
  if (node.op() == "EmptyTensorList") node.in(1).connect(scalar(node, 0));
  node.set_op("TensorListReserve");
}

/// (tensor, indices, element_shape, count?), where -1 is no count.
void extract_tensor_list_scatter(Node& node) {
  require_input(node, 2);
  Builder b(node);
  const OutPort none = scalar(node, 0);
  const OutPort count = node.has_in(3) ? b.op("Maximum", {node.source(3), none}) : none;
  const OutPort list =
      b.op("TensorListReserve", {node.source(2), count}, {{"element_dtype", type_of(node, "element_dtype")}});
  set_inputs(node, {list, node.source(0), node.source(1)});
  node.set_op("TensorListScatter");
}

/// (tensor, element_shape, lengths)
void extract_tensor_list_split(Node& node) {
  reorder_inputs(node, {0, 2});
  node.set_op("TensorListSplit");
}

/// (size) -> handle, flow
void extract_tensor_array(Node& node) {
  require_input(node, 0);
  node.set("element_dtype", type_of(node, "dtype"));
  set_inputs(node, {shape_constant(node, node.attributes.get_if<PartialShape>("element_shape")), node.source(0)});
  node.set_op("TensorListReserve");
  node.out(1).connection().set_source(node.out(0));
  node.delete_out_port(1);
}

void extract_tensor_array_operation(Node& node) {
  struct Row {
    std::string_view op;
    const char* internal;
    std::vector<int> order;
  };
  const Row kRows[] = {
      {"TensorArrayReadV3", "TensorListGetItem", {2, 1}},       {"TensorArrayWriteV3", "TensorListSetItem", {3, 1, 2}},
      {"TensorArrayScatterV3", "TensorListScatter", {3, 2, 1}}, {"TensorArrayGatherV3", "TensorListGather", {2, 1}},
      {"TensorArraySizeV3", "TensorListLength", {1}},           {"TensorArrayConcatV3", "TensorListConcat", {1}},
      {"TensorArraySplitV3", "TensorListSplit", {1, 2}}};
  for (const Row& row : kRows)
    if (node.op() == row.op) {
      reorder_inputs(node, row.order);
      return node.set_op(row.internal);
    }
}

}  // namespace mo::tf
