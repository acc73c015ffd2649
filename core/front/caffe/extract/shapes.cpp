// Layers that join, cut, and change shapes.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

/// `axis`, or its name of old files.
int64_t axis_of(const Node& node, const char* former) { return node.get_int(former, node.get_int("axis", 1)); }

/// Dimensions from `begin` to `end` get this shape; negative ones count from behind the last: -1 is the end.
void become_reshape(Node& node, const Ints& shape, int64_t begin, int64_t end) {
  become(node, "ReshapedAxes", {node.source(0)});
  node.set("shape", shape);
  node.set("begin", begin);
  node.set("end", end);
}

}  // namespace

void extract_concat(Node& node) {
  require_input(node, 0);
  const int64_t axis = axis_of(node, "concat_dim");
  node.attributes = {};
  node.set("axis", axis);
  node.set_op("Concat");
}

/// At these points, or into equal parts.
void extract_slice(Node& node) {
  require_input(node, 0);
  Ints points = node.get_ints("slice_point");
  const OutPort x = node.source(0);
  const auto parts = static_cast<size_t>(node.out_count());
  Builder b(node);
  const OutPort axis = b.i64_scalar(axis_of(node, "slice_dim"));
  if (parts == 1 && points.empty()) return become(node, "Identity", {x});
  if (points.empty()) {
    become(node, "Split", {x, axis});
    return node.set("num_splits", static_cast<int64_t>(parts));
  }
  if (points.size() + 1 != parts)
    throw Error(Code::BadAttribute, msg(points.size(), " of slice_point for ", parts, " tops"));
  Ints lengths;
  int64_t from = 0;
  for (const int64_t point : points) {
    if (point <= from) throw Error(Code::BadAttribute, msg("slice_point is ", point, " behind ", from));
    lengths.push_back(point - from);
    from = point;
  }
  lengths.push_back(-1);
  const OutPort sizes = b.i64(lengths);
  become(node, "VariadicSplit", {x, axis, sizes});
}

void extract_flatten(Node& node) {
  require_input(node, 0);
  const int64_t axis = node.get_int("axis", 1), last = node.get_int("end_axis", -1);
  become_reshape(node, {-1}, axis < 0 ? axis - 1 : axis, last < 0 ? last : last + 1);
}

void extract_reshape(Node& node) {
  require_input(node, 0);
  const int64_t begin = node.get_int("axis"), count = node.get_int("num_axes", -1);
  const Ints shape = node.get_ints("shape");
  if (count < -1 || begin < INT32_MIN || begin > INT32_MAX) throw Error(Code::BadAttribute, msg("num_axes is ", count));
  if (begin < 0 && count >= 0 && begin + count > -1)
    throw Error(Code::BadAttribute, msg("num_axes is ", count, " from axis ", begin, " on"));
  become_reshape(node, shape, begin, count < 0 ? -1 : begin + count);
}

void extract_permute(Node& node) {
  require_input(node, 0);
  const Ints order = node.get_ints("order");
  become(node, "CaffePermute", {node.source(0)});
  node.set("order", order);
}

void extract_transpose(Node& node) {
  require_input(node, 0);
  const Ints order = node.get_ints("dim");
  become(node, "CaffePermute", {node.source(0)});
  node.set("order", order);
}

void extract_shuffle_channel(Node& node) {
  require_input(node, 0);
  const int64_t group = node.get_int("group");
  if (group < 1) throw Error(Code::BadAttribute, msg("group is ", group));
  become(node, "ShuffleChannels", {node.source(0)});
  node.set("axis", int64_t{1});
  node.set("group", group);
}

/// (x, numbers of samples)
void extract_batch_reindex(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  Builder b(node);
  const OutPort numbers = b.op("Cast", {node.source(1)}, {{"dst_type", ElementType::I32}}), axis = b.i64_scalar(0);
  become(node, "Gather", {node.source(0), numbers, axis});
}

/// (data…, what says by numbers other than 0 which samples stay)
void extract_filter(Node& node) {
  const int last = bottoms_of(node) - 1;
  for (int i = 0; i <= std::max(last, 1); ++i) require_input(node, i);
  if (node.out_count() != last) throw Error(Code::BadAttribute, msg(node.out_count(), " tops for ", last, " data"));
  Builder b(node);
  for (int i = 1; i < last; ++i) {
    const OutPort chosen = b.op("Chosen", {node.source(i), node.source(last)});
    node.out(i).connection().set_source(chosen, TensorNames::Merge);
  }
  node.truncate_out_ports(1);
  become(node, "Chosen", {node.source(0), node.source(last)});
}

/// (x, what has the size of the result), or in Intel's fork the sizes in the text.
void extract_crop(Node& node) {
  require_input(node, 0);
  const int64_t axis = node.get_int("axis", 2);
  const Ints offset = node.get_ints("offset"), sizes = node.get_ints("dimsize");
  if (!sizes.empty()) {
    Ints axes, stops = sizes, starts = offset;
    if (starts.size() < 2) starts.assign(sizes.size(), starts.empty() ? 0 : starts[0]);
    if (starts.size() != sizes.size())
      throw Error(Code::BadAttribute, msg(starts.size(), " offsets for ", sizes.size(), " axes"));
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (starts[i] < 0 || starts[i] > INT32_MAX) throw Error(Code::BadAttribute, msg("offset is ", starts[i]));
      if (sizes[i] < 1 || sizes[i] > INT32_MAX) throw Error(Code::BadAttribute, msg("dimsize is ", sizes[i]));
      axes.push_back(axis + static_cast<int64_t>(i));
      stops[i] += starts[i];
    }
    Builder b(node);
    const OutPort from = b.i64(starts), to = b.i64(stops), steps = b.i64(Ints(sizes.size(), 1)), along = b.i64(axes);
    return become(node, "Slice", {node.source(0), from, to, steps, along});
  }
  require_input(node, 1);
  become(node, "CroppedLike", {node.source(0), node.source(1)});
  node.set("axis", axis);
  node.set("offset", offset);
}

void extract_tile(Node& node) {
  require_input(node, 0);
  const int64_t tiles = node.get_int("tiles");
  if (tiles < 1) throw Error(Code::BadAttribute, msg("tiles is ", tiles));
  Builder b(node);
  const OutPort repeats = b.i64_scalar(tiles), axis = b.i64_scalar(node.get_int("axis", 1));
  become(node, "AttributedTile", {node.source(0), repeats, axis});
}

}  // namespace mo::caffe
