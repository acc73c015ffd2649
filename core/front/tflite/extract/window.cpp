#include "core/front/tflite/extract/window.h"

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/build/builder.h"

namespace mo::tflite {

void set_axes(Node& node, int64_t spatial_axes) {
  Ints spatial(static_cast<size_t>(spatial_axes));
  std::iota(spatial.begin(), spatial.end(), 1);
  node.set("batch_dims", Ints{0});
  node.set("channel_dims", Ints{spatial_axes + 1});
  node.set("spatial_dims", spatial);
}

void set_window(Node& node, std::string_view axes) {
  Ints strides, dilations;
  const auto take = [&](const std::string& key, int64_t otherwise, Ints& out) {
    out.push_back(node.get_int(key, otherwise));
    if (out.back() < 1) throw Error(Code::BadAttribute, cat(key, " is ", out.back()));
    node.attributes.erase(key);
  };
  for (const char axis : axes) {
    take(cat("stride_", std::string(1, axis)), 1, strides);
    take(cat("dilation_", std::string(1, axis), "_factor"), 1, dilations);
  }
  const int64_t padding = node.get_int("padding");
  if (padding != 0 && padding != 1) throw Error(Code::BadAttribute, cat("padding is ", padding));
  node.attributes.erase("padding");
  node.set("strides", strides);
  node.set("dilations", dilations);
  node.set("auto_pad", std::string(padding == 0 ? "SAME_UPPER" : "VALID"));
}

OutPort turned_weights(Node& node, int port, const Ints& order) {
  require_input(node, port);
  Builder b(node);
  const OutPort weights = node.source(port);
  Node& dequantized = weights.node();
  if (dequantized.op() != "DequantizeLinear" || !dequantized.has_in(0) || dequantized.source(0).node().op() != "Const")
    return b.transpose(weights, order);
  const auto axis = std::find(order.begin(), order.end(), dequantized.get_int("axis"));
  const OutPort turned = b.transpose(dequantized.source(0), order);
  return b.op("DequantizeLinear", {turned, dequantized.source(1), dequantized.source(2)},
              {{"axis", int64_t{axis - order.begin()}}});
}

}  // namespace mo::tflite
