// Before: operations on a TensorList: Stack, FromTensor, GetItem, SetItem, PushBack, PopBack, Length, Resize, Gather,
//         Scatter, Concat, Split, ElementShape
// After:  Gather, ScatterUpdate, Concat and Slice of a tensor with the elements along axis 0
// Conditions: the elements have one shape, or are those of a JoinedList. It is known before they are written in a loop,
// except in the forms that
//             DecomposeWhile knows.

#include "core/decompose/control/tensor_list.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

OutPort rows_between(Builder& b, OutPort x, OutPort begin, OutPort end) {
  return b.op("Slice", {x, begin, end, b.i64({1}), b.i64({0})});
}

OutPort written(Builder& b, OutPort list, OutPort index, OutPort item) {
  const OutPort at = b.reshape(b.convert(index, ElementType::I64), {1}, false);
  return b.op("ScatterUpdate", {list, at, b.unsqueeze(item, {0}), b.i64_scalar(0)});
}

/// Numbers 0, 1, …, as many as the list has.
bool is_whole_list(const Node& indices, OutPort list) {
  if (indices.op() != "Range" || indices.source(0).tensor().exact_int() != 0 ||
      indices.source(2).tensor().exact_int() != 1)
    return false;
  return is_length_of(indices.source(1), list);
}

class DecomposeTensorList final : public Decomposition {
 public:
  Names ops() const override {
    return {"TensorListStack",       "TensorListFromTensor", "TensorListGetItem", "TensorListSetItem",
            "TensorListPushBack",    "TensorListPopBack",    "TensorListLength",  "TensorListResize",
            "TensorListGather",      "TensorListScatter",    "TensorListConcat",  "TensorListSplit",
            "TensorListElementShape"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string op = node.op().substr(std::string_view("TensorList").size());
    const OutPort x = node.source(0);
    if (op == "FromTensor") return {x};
    if (op == "SetItem") return {set_item(b, node, x, node.source(1), node.source(2))};
    if (op == "PushBack") {
      const OutPort item = node.source(1), last = b.unsqueeze(item, {0});
      const Node* reserve = reserve_of(x);
      if (reserve && reserve->source(1).tensor().exact_int() == 0) return {last};
      return {b.concat({list_tensor(b, x, item), last}, 0)};
    }
    if (op == "Length") return {b.convert(list_length(b, x), ElementType::I32)};
    if (const Node* joined = joined_of(x)) {
      if (op == "Concat") return {joined->source(0), joined->source(1)};
      if (op == "GetItem") return {part(b, *joined, node.source(1))};
    }
    if (op == "Scatter") return {scatter(b, node)};
    if (op == "Split") return {split(b, node)};
    const OutPort list = list_tensor(b, x);
    if (op == "Stack") return {list};
    if (op == "GetItem") return {b.gather(list, node.source(1), 0)};
    if (op == "Gather") return {is_whole_list(node.source(1).node(), list) ? list : b.gather(list, node.source(1), 0)};
    if (op == "PopBack") {
      const OutPort end = b.i64({-1}), begin = b.i64({0});
      return {rows_between(b, list, begin, end), b.gather(list, b.i64_scalar(-1), 0)};
    }
    if (op == "Resize") {
      const OutPort size = to_i64_scalar(b, node.source(1));
      const OutPort end = b.reshape(size, {1}, false), begin = b.i64({0});
      return {grown(b, rows_between(b, list, begin, end), size)};
    }
    if (op == "ElementShape")
      return {b.convert(shape_behind(b, list, 1), node.get_type("shape_type", ElementType::I32))};
    return concat(b, list);
  }

 private:
  /// A list that may grow gets as many elements as the index needs.
  static OutPort set_item(Builder& b, const Node& node, OutPort list, OutPort index, OutPort item) {
    const OutPort tensor = list_tensor(b, list, item);
    const Node* reserve = reserve_of(list);
    const bool may_grow =
        node.get_bool("resize_if_index_out_of_bounds") || (reserve && reserve->get_bool("dynamic_size"));
    const auto at = index.tensor().exact_int();
    const PartialShape& shape = tensor.tensor().shape;
    if (!may_grow && !(at && shape.rank() > 0 && shape[0].max <= *at)) return written(b, tensor, index, item);
    const OutPort count = b.op("Add", {to_i64_scalar(b, index), b.i64_scalar(1)});
    return written(b, grown(b, tensor, count), index, item);
  }

  /// An element of a JoinedList.
  static OutPort part(Builder& b, const Node& joined, OutPort index) {
    const OutPort lengths = joined.source(1), at = b.reshape(b.convert(index, ElementType::I64), {1}, false);
    const OutPort begin = b.reduce("ReduceSum", rows_between(b, lengths, b.i64({0}), at), {0}, true);
    return rows_between(b, joined.source(0), begin, b.op("Add", {begin, b.gather(lengths, at, 0)}));
  }

  /// (list, tensor, indices)
  static OutPort scatter(Builder& b, const Node& node) {
    const OutPort list = node.source(0), tensor = node.source(1), indices = node.source(2);
    if (reserve_of(list) && is_whole_list(indices.node(), tensor)) return tensor;
    OutPort base = list_tensor(b, list, tensor, 1);
    const OutPort at = b.convert(indices, ElementType::I64);
    if (reserve_of(list)) base = grown(b, base, b.op("Add", {b.reduce("ReduceMax", at, {0}, false), b.i64_scalar(1)}));
    return b.op("ScatterUpdate", {base, at, tensor, b.i64_scalar(0)});
  }

  /// The elements joined along their first axis, and the length of each.
  static std::vector<OutPort> concat(Builder& b, OutPort list) {
    const OutPort joined = b.concat({b.i64({-1}), shape_behind(b, list, 2)}, 0);
    const OutPort count = b.dims_of(list, {0}), length = dimension_of(b, list, 1);
    return {b.op("Reshape", {list, joined}, {{"special_zero", false}}),
            b.op("Broadcast", {length, count}, {{"mode", "numpy"}})};
  }

  /// (tensor, lengths), which must be equal.
  static OutPort split(Builder& b, const Node& node) {
    const OutPort x = node.source(0), lengths = node.source(1);
    const auto known = lengths.tensor().exact_ints();
    for (size_t i = 0; !known || i < known->size(); ++i)
      if (!known || (*known)[i] != known->front())
        throw Error(Code::UnsupportedForm, "a list of tensors of several lengths");
    const OutPort rest = shape_behind(b, x, 1);
    const OutPort parts = b.i64({static_cast<int64_t>(known->size()), -1});
    return b.op("Reshape", {x, b.concat({parts, rest}, 0)}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTensorList)
}  // namespace mo
