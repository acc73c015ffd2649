// Variables that are stored in slices.
#pragma once

#include <string>
#include <vector>

#include "core/base/content.h"
#include "core/base/proto/message.h"

namespace mo::tf {

/// The key of a slice in a checkpoint's index. `slice` is a TensorSliceProto.
std::string slice_key(const std::string& name, const proto::Message& slice);

struct SlicePart {
  proto::Message slice;
  Constant value;
};
/// The shape of a slice of a tensor of that shape. Throws CorruptFile for a slice that does not lie in it.
Shape slice_shape(const Shape& whole, const proto::Message& slice);
/// Joins the slices of a tensor of that shape. It is cut along its dimensions in their order: first into rows, then
/// each piece of rows by itself into columns. Throws UnsupportedForm for another form, CorruptFile if a part is
/// missing.
Constant join_slices(const Shape& shape, const std::vector<SlicePart>& parts);

}  // namespace mo::tf
