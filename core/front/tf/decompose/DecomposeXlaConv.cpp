// Before: y = XlaConv(x, weights, strides, padding [spatial, 2], dilations of x, dilations of the weights, groups)
// After:  y = Conv(x, weights), or Deconvolution(x, weights reversed) where x is dilated: with strides 1 that is a
//         transposed convolution; else x is padded between its elements. Transposes where y has its axes in another
//         order. Groups of the batch become groups of the channels.
// Conditions: strides, padding and dilations are constants; 1 to 3 spatial axes.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/spatial/window.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaConv final : public Decomposition {
 public:
  Names ops() const override { return {"XlaConv"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0);
    if (rank_of(node, 1) != rank || rank < 3) throw Error(Code::RankMismatch, "the weights of a convolution");
    const size_t axes = rank - 2;
    const SpatialDims dims = spatial_dims(node, rank);
    Form form{
        node.source(0), node.source(1), numbers_of(node, 2, axes), numbers_of(node, 4, axes), numbers_of(node, 5, axes),
        Ints(axes),     Ints(axes),     numbers_of(node, 6, 1)[0]};
    const Ints pads = numbers_of(node, 3, 2 * axes);
    for (size_t i = 0; i < axes; ++i) form.low[i] = pads[2 * i], form.high[i] = pads[2 * i + 1];
    for (const Ints* numbers : {&form.strides, &form.dilations, &form.kernel_dilations})
      for (const int64_t number : *numbers)
        if (number < 1) throw Error(Code::BadValue, msg("a stride or dilation of ", number));
    const int64_t batch_groups = node.get_int("batch_group_count");
    if (form.groups < 1 || batch_groups < 1 || (form.groups > 1 && batch_groups > 1))
      throw Error(Code::BadValue, msg(form.groups, " feature groups and ", batch_groups, " batch groups"));

    const ElementType own = form.x.tensor().type, type = node.get_type("result_type", own);
    const bool widens = bits(type) >= bits(own);
    if (widens) form.x = b.convert(form.x, type), form.weights = b.convert(form.weights, type);
    if (batch_groups > 1) {
      form.x = batch_as_channels(b, form.x, dims, batch_groups);
      form.groups = batch_groups;
    }
    OutPort y = can_be_transposed(form, node) ? transposed(b, node, form, dims) : direct(b, node, form, dims);
    y = in_order(b, y, result_order(node, dims));
    return {widens ? y : b.convert(y, type)};
  }

 private:
  struct Form {
    OutPort x, weights;
    Ints strides, dilations, kernel_dilations, low, high;
    int64_t groups;
  };

  static bool all_are(const Ints& numbers, int64_t value) {
    return std::all_of(numbers.begin(), numbers.end(), [&](int64_t number) { return number == value; });
  }

  /// The size of the kernel along spatial axis i; nullopt if it is not known.
  static std::optional<int64_t> extent(const Form& form, const Node& node, size_t i) {
    const Dimension size = form.weights.tensor().shape[static_cast<size_t>(node.get_ints("kernel_spatial_idx")[i])];
    if (!size.is_exact()) return std::nullopt;
    return (size.min - 1) * form.kernel_dilations[i] + 1;
  }

  /// Whether the padding is not more than a transposed convolution has by itself.
  static bool can_be_transposed(const Form& form, const Node& node) {
    if (all_are(form.dilations, 1) || !all_are(form.strides, 1)) return false;
    for (size_t i = 0; i < form.low.size(); ++i) {
      const auto size = extent(form, node, i);
      // More padding at the end than dilation - 1 would be more than output_padding can be.
      if (!size || form.low[i] > *size - 1 || form.high[i] - (*size - 1) >= form.dilations[i]) return false;
    }
    return true;
  }

  static Attributes base_attributes(const Node& node) {
    Attributes out;
    for (const char* key : {"batch_dims", "channel_dims", "spatial_dims"})
      if (const Attribute* value = node.attributes.find(key)) out.set(key, *value);
    return out;
  }

  static OutPort direct(Builder& b, const Node& node, Form form, const SpatialDims& dims) {
    const bool crops = std::any_of(form.low.begin(), form.low.end(), [](int64_t pad) { return pad < 0; }) ||
                       std::any_of(form.high.begin(), form.high.end(), [](int64_t pad) { return pad < 0; });
    if (crops || !all_are(form.dilations, 1)) {
      Ints low(dims.rank(), 0), high = low, interior = low;
      for (size_t i = 0; i < dims.spatial.size(); ++i) {
        const size_t axis = dims.spatial[i];
        low[axis] = form.low[i], high[axis] = form.high[i], interior[axis] = form.dilations[i] - 1;
        form.low[i] = form.high[i] = 0;
      }
      form.x = padded(b, form.x, b.scalar_like(form.x, 0), low, high, interior);
    }
    Attributes attributes = base_attributes(node);
    for (const char* key : {"input_feature_channel", "output_feature_channel", "kernel_spatial_idx"})
      attributes.set(key, *node.attributes.find(key));
    Ints pads = form.low;
    pads.insert(pads.end(), form.high.begin(), form.high.end());
    attributes.set("strides", form.strides);
    attributes.set("dilations", form.kernel_dilations);
    attributes.set("pads", pads);
    attributes.set("group", form.groups);
    return decomposed(b, "Conv", {form.x, form.weights}, attributes)[0];
  }

  /// A transposed convolution has the kernel reversed, and takes off what the padding lacks.
  static OutPort transposed(Builder& b, const Node& node, const Form& form, const SpatialDims& dims) {
    const size_t axes = dims.spatial.size();
    const Ints spatial = node.get_ints("kernel_spatial_idx");
    Ints order{node.get_int("input_feature_channel"), node.get_int("output_feature_channel")};
    order.insert(order.end(), spatial.begin(), spatial.end());
    const OutPort turned = in_order(b, form.weights, order);  // [I / G, O, spatial…]
    const OutPort weights = by_group(b, reversed(b, turned), form.groups, axes);
    Ints begin(axes), end(axes), more(axes, 0);
    for (size_t i = 0; i < axes; ++i) {
      const int64_t own = *extent(form, node, i) - 1;
      begin[i] = own - form.low[i], end[i] = std::max<int64_t>(0, own - form.high[i]);
      more[i] = std::max<int64_t>(0, form.high[i] - own);
    }
    begin.insert(begin.end(), end.begin(), end.end());
    Attributes attributes = base_attributes(node);
    attributes.set("strides", form.dilations);
    attributes.set("dilations", form.kernel_dilations);
    attributes.set("pads", begin);
    attributes.set("output_padding", more);
    attributes.set("group", form.groups);
    return decomposed(b, "Deconvolution", {form.x, weights}, attributes)[0];
  }

  static constexpr int64_t kMostPlaces = 1 << 16;

  /// The kernel from its end. Of a constant one the spatial axes are reversed as one, so that it stays a place.
  static OutPort reversed(Builder& b, OutPort weights) {
    const PartialShape shape = weights.tensor().shape;
    const Interval all =
        PartialShape(std::vector<Dimension>(shape.dimensions().begin() + 2, shape.dimensions().end())).elements();
    if (const auto& value = weights.tensor().value; value && all.max <= kMostPlaces) {
      const Shape whole = value->shape;
      const int64_t places = all.min;
      Ints order = counted_axes(static_cast<size_t>(places));
      std::reverse(order.begin(), order.end());
      if (places <= 1) return weights;
      return b.constant(reshape(reorder(reshape(*value, {whole[0], whole[1], places}), 2, order), whole));
    }
    for (size_t i = 2; i < shape.dimensions().size(); ++i)
      if (shape[i].max > 1) weights = part(b, weights, static_cast<int64_t>(i), -1, INT64_MIN, -1);
    return weights;
  }

  /// [I / G, O, …] as [I, O / G, …]: the outputs of a group come with its inputs.
  static OutPort by_group(Builder& b, OutPort weights, int64_t groups, size_t axes) {
    if (groups == 1) return weights;
    const PartialShape& shape = weights.tensor().shape;
    if (!shape.is_static() || shape[1].min % groups != 0) throw Error(Code::ShapeMismatch, "groups of a convolution");
    Ints turn{1, 0, 2}, apart = shape.to_shape(), joined = apart;
    for (size_t i = 0; i < axes; ++i) turn.push_back(static_cast<int64_t>(i) + 3);
    apart[1] /= groups;
    apart.insert(apart.begin() + 1, groups);
    joined[0] *= groups, joined[1] /= groups;
    return b.reshape(b.transpose(b.reshape(weights, apart, false), turn), joined, false);
  }

  static constexpr int64_t kMostGroups = 1 << 12;

  /// Each part of the batch has outputs of its own, so it becomes a group of channels.
  static OutPort batch_as_channels(Builder& b, OutPort x, const SpatialDims& dims, int64_t groups) {
    const auto batch = static_cast<int64_t>(dims.batch), channel = static_cast<int64_t>(dims.channel);
    const Dimension size = x.tensor().shape[dims.batch];
    if (!size.is_exact() || size.min % groups != 0 || groups > kMostGroups)
      throw Error(Code::UnsupportedForm, "groups of a batch of unknown size");
    const OutPort parts =
        b.node("Split", {x, b.i64_scalar(batch)}, {{"num_splits", groups}}, static_cast<int>(groups)).out(0);
    std::vector<OutPort> all;
    for (int i = 0; i < static_cast<int>(groups); ++i) all.push_back(parts.node().out(i));
    return b.concat(all, channel);
  }

  /// The order of axes that gives the result from data with the axes of x.
  static Ints result_order(const Node& node, const SpatialDims& dims) {
    const Ints spatial = node.get_ints("output_spatial_dimensions");
    Ints order(dims.rank(), -1);
    const auto place = [&](int64_t at, size_t from) {
      if (at < 0 || at >= static_cast<int64_t>(order.size()) || order[static_cast<size_t>(at)] != -1)
        throw Error(Code::BadAttribute, "the dimensions of a convolution's result");
      order[static_cast<size_t>(at)] = static_cast<int64_t>(from);
    };
    place(node.get_int("output_batch_dimension"), dims.batch);
    place(node.get_int("output_feature_dimension"), dims.channel);
    for (size_t i = 0; i < spatial.size(); ++i) place(spatial[i], dims.spatial[i]);
    return order;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaConv;
MO_DEFINE_TRANSFORM(DecomposeXlaConv)
}  // namespace mo
