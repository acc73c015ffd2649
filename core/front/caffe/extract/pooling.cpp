// Pooling.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/front/caffe/extract/window.h"

namespace mo::caffe {

/// Windows are rounded up unless a fork's parameter says otherwise. Averages count padding, but nothing behind it.
void extract_pooling(Node& node) {
  require_input(node, 0);
  const std::string method = node.get_string("pool", "MAX");
  if (method == "STOCHASTIC") throw Error(Code::UnsupportedForm, "stochastic pooling");
  const bool global = node.get_bool("global_pooling"), has_places = node.out_count() > 1;
  if (has_places && (global || method != "MAX"))
    throw Error(Code::UnsupportedForm, "the places of maxima, of all data or of averages");
  SpatialWindow window(2);
  if (!global) {
    window.kernel = sizes_of(node, "kernel_size", 2, 0, 1);
    window.strides = sizes_of(node, "stride", 2, 1, 1);
    window.pads_begin = window.pads_end = sizes_of(node, "pad", 2, 0, 0);
    for (size_t i = 0; i < 2; ++i)
      if (window.pads_begin[i] >= window.kernel[i])
        throw Error(Code::BadAttribute, msg("pad is ", window.pads_begin[i], " for a kernel of ", window.kernel[i]));
    const bool floor = !node.get_bool("ceil_mode", true) || node.get_string("round_mode", "CEIL") == "FLOOR";
    window.rounding = floor ? Rounding::Floor : Rounding::CeilCaffe;
    window.counted = node.get_bool("avg_include_pad", true) ? Counted::Padding : Counted::Data;
  }
  const OutPort x = node.source(0);
  become(node, "Pooling", {x});
  if (has_places) {
    Node& places = Builder(node).node("PlaceInChannel", {OutPort(), x});
    node.out(1).connection().set_source(places.out(0), TensorNames::Merge);
    node.out(1).connect(places.in(0));
  }
  node.set("pool_method", std::string(method == "MAX" ? "max" : "avg"));
  if (global)
    node.set("global_pool", true);
  else
    window.set(node);
}

/// Windows of halves, quarters… of the data.
void extract_spp(Node& node) {
  require_input(node, 0);
  const std::string method = node.get_string("pool", "MAX");
  if (method == "STOCHASTIC") throw Error(Code::UnsupportedForm, "stochastic pooling");
  const int64_t height = node.get_int("pyramid_height");
  if (height < 1 || height > 16) throw Error(Code::BadAttribute, msg("pyramid_height is ", height));
  become(node, "SpatialPyramid", {node.source(0)});
  node.set("levels", height);
  node.set("pool_method", std::string(method == "MAX" ? "max" : "avg"));
}

}  // namespace mo::caffe
