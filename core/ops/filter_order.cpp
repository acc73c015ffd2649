#include "core/ops/filter_order.h"

namespace mo {
namespace {

std::string_view spatial_names(size_t axes) {
  constexpr std::string_view kNames = "DHW";
  if (axes < 1 || axes > kNames.size()) throw Error(Code::UnsupportedForm, msg("a filter of ", axes, " spatial axes"));
  return kNames.substr(kNames.size() - axes);
}

}  // namespace

FilterOrder::FilterOrder(std::string_view axes, size_t spatial_axes) : axes_(axes) {
  axes_.replace(axes_.find('*'), 1, spatial_names(spatial_axes));
}

std::optional<FilterOrder> FilterOrder::of(const Node& node, int rank) {
  const bool is_named = node.has("kernel_spatial_idx");
  if (node.has("input_feature_channel") != is_named || node.has("output_feature_channel") != is_named)
    throw Error(Code::BadAttribute,
                "input_feature_channel, output_feature_channel and kernel_spatial_idx come together");
  if (!is_named) return std::nullopt;
  if (rank < 0) throw Error(Code::UnsupportedForm, "weights of unknown rank");
  const Ints spatial = node.get_ints("kernel_spatial_idx");
  if (spatial.size() + 2 != static_cast<size_t>(rank))
    throw Error(Code::ShapeMismatch, msg(spatial.size(), " spatial axes of weights of ", rank, " dimensions"));
  std::string axes(static_cast<size_t>(rank), '*');
  const auto name = [&](int64_t axis, char letter) {
    char& at = axes[normalize_axis(axis, rank)];
    if (at != '*') throw Error(Code::BadValue, msg("axis ", axis, " of the weights has two names"));
    at = letter;
  };
  const size_t in = normalize_axis(node.get_int("input_feature_channel"), rank),
               out = normalize_axis(node.get_int("output_feature_channel"), rank);
  name(static_cast<int64_t>(in), in == out ? 'G' : 'I');
  if (in != out) name(static_cast<int64_t>(out), 'O');
  const std::string_view names = spatial_names(spatial.size());
  for (size_t i = 0; i < spatial.size(); ++i) name(spatial[i], names[i]);
  if (in == out) axes[axes.find('*')] = 'O';
  return FilterOrder(std::move(axes));
}

void FilterOrder::set(Node& node) const {
  Ints spatial;
  for (const char name : spatial_names(axes_.size() - 2)) spatial.push_back(static_cast<int64_t>(axes_.find(name)));
  const auto in = static_cast<int64_t>(inputs());
  node.set("kernel_spatial_idx", spatial);
  node.set("input_feature_channel", in);
  node.set("output_feature_channel", is_depthwise() ? in : static_cast<int64_t>(axes_.find('O')));
}

Ints FilterOrder::to_ir(bool transposed) const {
  std::string wanted = is_depthwise() ? "GO" : transposed ? "IO" : "OI";
  wanted += spatial_names(axes_.size() - 2);
  Ints order;
  for (const char name : wanted) order.push_back(static_cast<int64_t>(axes_.find(name)));
  return order;
}

}  // namespace mo
