// Lists of tensors: LoDTensorArray. An operator that writes one has it as an input, too, which the loader calls Out.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// An index of one element as a scalar.
OutPort index_of(Node& node) {
  Builder b(node);
  return b.reshape(b.convert(required(node, "I"), ElementType::I32), {});
}

}  // namespace

void extract_write_to_array(Node& node) {
  const OutPort list = required(node, "Out"), index = index_of(node), item = required(node, "X");
  become(node, "TensorListSetItem", {list, index, item}, {{"resize_if_index_out_of_bounds", true}});
}

void extract_read_from_array(Node& node) {
  const OutPort list = required(node, "X"), index = index_of(node);
  become(node, "TensorListGetItem", {list, index});
}

void extract_lod_array_length(Node& node) {
  Builder b(node);
  const OutPort length = b.op("TensorListLength", {required(node, "X")});
  give(node, {{"Out", b.reshape(b.convert(length, ElementType::I64), {1})}});
}

/// Joins the elements along an axis, which is a new one with use_stack; OutIndex has the size of each along it.
void extract_tensor_array_to_tensor(Node& node) {
  const int64_t axis = node.get_int("axis");
  if (is_read(node, "OutIndex")) throw Error(Code::UnsupportedForm, "OutIndex is read");
  const OutPort list = required(node, "X");
  Builder b(node);
  const OutPort any = b.constant(make_scalar(ElementType::I32, -1));
  if (axis != 0) throw Error(Code::UnsupportedForm, msg("axis ", axis));
  give(node, {{"Out", b.op(node.get_bool("use_stack") ? "TensorListStack" : "TensorListConcat", {list, any})}});
}

}  // namespace mo::paddle
