// Windows of tensors as elements of their own, and back.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

Attributes patch_window(const Node& node) {
  const Ints pads = ints_of_axes(node, "padding", 2);
  return {{"strides", ints_of_axes(node, "stride", 2)},
          {"dilations", ints_of_axes(node, "dilation", 2)},
          {"pads", Ints{pads[0], pads[1], pads[0], pads[1]}}};
}

}  // namespace

void extract_im2col(Node& node) {
  Attributes attributes = patch_window(node);
  attributes.set("kernel_shape", ints_of_axes(node, "kernel_size", 2));
  with_batch(node, 4, [&](Builder& b, OutPort x) { return std::vector<OutPort>{b.op("Patches", {x}, attributes)}; });
}

void extract_col2im(Node& node) {
  const Attributes attributes = patch_window(node);
  const Ints kernel = ints_of_axes(node, "kernel_size", 2);
  with_batch(node, 3, [&](Builder& b, OutPort x) {
    const OutPort image = int_list(node, b, "output_size"), block = b.i64(kernel);
    return std::vector<OutPort>{b.op("Col2Im", {x, image, block}, attributes)};
  });
}

/// The elements of a window come last.
void extract_unfold(Node& node) {
  const int64_t rank = rank_of(node, "self"), size = int_of(node, "size"), step = int_of(node, "step");
  if (rank < 1) throw Error(Code::UnsupportedForm, "windows of a tensor without dimensions");
  if (size < 1 || step < 1) throw Error(Code::BadAttribute, msg("size is ", size, ", step ", step));
  const int64_t axis = axis_of(node, "dimension", rank);
  Builder b(node);
  const OutPort x = required(node, "self"), zero = b.i64_scalar(0), one = b.i64_scalar(1);
  const auto numbered = [&](OutPort count) {
    return b.op("Range", {zero, count, one}, {{"output_type", ElementType::I64}});
  };
  const OutPort last = b.op("Sub", {b.squeeze(b.dims_of(x, {axis}), {0}), b.i64_scalar(size)});
  const OutPort count = b.op("Add", {b.op("Div", {last, b.i64_scalar(step)}), one});
  const OutPort starts = b.op("Mul", {numbered(count), b.i64_scalar(step)});
  const OutPort within = numbered(b.i64_scalar(size));
  const OutPort windows = b.gather(x, b.op("Add", {b.unsqueeze(starts, {1}), within}), axis);
  Ints order;
  for (int64_t i = 0; i <= rank; ++i)
    if (i != axis + 1) order.push_back(i);
  order.push_back(axis + 1);
  become(node, "AttributedTranspose", {windows}, {{"perm", order}});
}

}  // namespace mo::pytorch
