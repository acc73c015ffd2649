// Elements in another order along axes: reversed, shifted around, planes turned.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void reverse(Node& node, const Ints& axes) {
  const OutPort x = required(node, "self");
  for (const int64_t axis : axes)
    if (axis >= rank_of(node, "self")) return give(node, {x});  // of a scalar
  if (axes.empty()) return give(node, {x});
  const OutPort list = Builder(node).i64(axes);
  become(node, "ReverseV2", {x, list});
}

}  // namespace

void extract_flip(Node& node) { reverse(node, axes_of(node, "dims", rank_of(node, "self"))); }
void extract_fliplr(Node& node) { reverse(node, {1}); }
void extract_flipud(Node& node) { reverse(node, {0}); }

/// k quarters of a turn from the first axis to the second one.
void extract_rot90(Node& node) {
  const int64_t rank = rank_of(node, "self"), turns = ((int_of(node, "k") % 4) + 4) % 4;
  const Ints axes = axes_of(node, "dims", rank);
  if (axes.size() != 2 || axes[0] == axes[1] || rank < 2)
    throw Error(Code::BadAttribute, msg("dims has ", axes.size(), " axes of a tensor of rank ", rank));
  if (turns == 0) return give(node, {required(node, "self")});
  if (turns == 2) return reverse(node, axes);
  Builder b(node);
  const OutPort turned = b.op("ReverseV2", {required(node, "self"), b.i64({axes[turns == 1 ? 1 : 0]})});
  Ints order;
  for (int64_t axis = 0; axis < rank; ++axis)
    order.push_back(axis == axes[0] ? axes[1] : axis == axes[1] ? axes[0] : axis);
  become(node, "AttributedTranspose", {turned}, {{"perm", order}});
}

void extract_roll(Node& node) {
  const Ints axes = axes_of(node, "dims", rank_of(node, "self"));
  Builder b(node);
  const OutPort x = required(node, "self"), shifts = int_list(node, b, "shifts");
  if (!axes.empty()) return become(node, "Roll", {x, shifts, b.i64(axes)});
  const OutPort list = b.op("Roll", {b.reshape(x, {-1}, false), shifts, b.i64({0})});
  const OutPort shape = b.shape_of(x);
  become(node, "Reshape", {list, shape}, {{"special_zero", false}});
}

}  // namespace mo::pytorch
