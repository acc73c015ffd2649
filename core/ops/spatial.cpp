#include "core/ops/spatial.h"

namespace mo {
namespace {

constexpr std::string_view kDims[] = {"batch_dims", "channel_dims", "spatial_dims"};

}  // namespace

SpatialDims spatial_dims(const Node& node, size_t rank) {
  if (!node.has(kDims[0]) && !node.has(kDims[1]) && !node.has(kDims[2])) {
    SpatialDims dims;
    for (size_t i = 2; i < rank; ++i) dims.spatial.push_back(i);
    return dims;
  }
  std::vector<size_t> axes;
  std::vector<char> seen(rank, 0);
  bool good = true;
  for (const std::string_view key : kDims) {
    const Ints given = node.get_ints(key);
    good &= key == kDims[2] || given.size() == 1;
    for (int64_t axis : given) {
      if (axis < 0) axis += static_cast<int64_t>(rank);
      if (axis < 0 || axis >= static_cast<int64_t>(rank) || seen[static_cast<size_t>(axis)]++) good = false;
      axes.push_back(static_cast<size_t>(axis));
    }
  }
  if (!good || axes.size() != rank || rank < 2)
    throw Error(Code::BadAttribute,
                msg("batch_dims, channel_dims and spatial_dims do not name each of ", rank, " axes once"),
                node.place());
  return {axes[0], axes[1], {axes.begin() + 2, axes.end()}};
}

std::vector<Dimension> spatial_sizes(const PartialShape& data, const SpatialDims& dims) {
  std::vector<Dimension> sizes;
  for (const size_t axis : dims.spatial) sizes.push_back(data.has_rank() ? data[axis] : kAnyDimension);
  return sizes;
}

int64_t channel_axis(const Node& node, const PartialShape& data) {
  const Ints given = node.get_ints("channel_dims", {1});
  if (given.size() != 1) throw Error(Code::BadAttribute, "channel_dims is not one axis", node.place());
  return data.has_rank() ? static_cast<int64_t>(normalize_axis(given[0], data.rank())) : given[0];
}

size_t channel_axis(const Graph& graph, size_t rank) {
  return graph.model().layout == DataLayout::Nhwc && rank > 3 ? rank - 1 : 1;
}

void copy_spatial_dims(const Node& node, Attributes& to) {
  for (const std::string_view key : kDims)
    if (const Attribute* axes = node.attributes.find(key)) to.set(key, *axes);
}

void set_spatial_dims(Node& node, const SpatialDims& dims) {
  node.set(kDims[0], Ints{static_cast<int64_t>(dims.batch)});
  node.set(kDims[1], Ints{static_cast<int64_t>(dims.channel)});
  node.set(kDims[2], Ints(dims.spatial.begin(), dims.spatial.end()));
}

SpatialDims SpatialDims::channels_last(size_t spatial_axes) {
  SpatialDims dims{0, spatial_axes + 1, {}};
  for (size_t i = 1; i <= spatial_axes; ++i) dims.spatial.push_back(i);
  return dims;
}

}  // namespace mo
