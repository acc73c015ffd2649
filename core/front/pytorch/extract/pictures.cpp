// Resizing, padding and sampling of pictures.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

/// Sizes, or factors by which positions are computed, too.
void resize(Node& node, const char* mode, bool has_corners) {
  Builder b(node);
  const OutPort x = required(node, input(node, "input") ? "input" : "self");
  const bool corners = has_corners && node.get_bool("align_corners");
  Attributes attributes{{"mode", mode},       {"align_corners", corners}, {"half_pixel", !corners},
                        {"by_scales", false}, {"channels_last", false},   {"is_usual", true}};
  Doubles factors = node.get_floats("scale_factors");
  if (factors.empty())
    for (const char* key : {"scales", "scales_d", "scales_h", "scales_w"})
      if (node.has(key)) factors.push_back(number_of(node, key));
  const bool sized = is_given(node, "output_size");
  if (!factors.empty() && !sized) {
    attributes.set("by_scales", true);
    attributes.set("scales", factors);
    return become(node, "Resized", {x, OutPort(), OutPort()}, std::move(attributes));
  }
  if (!sized) throw Error(Code::MissingAttribute, "output_size");
  const OutPort sizes = int_list(node, b, "output_size");
  become(node, "Resized", {x, sizes, OutPort()}, std::move(attributes));
}

/// Pads of the last axes first, each a begin and an end; negative ones cut.
void pad(Node& node, const std::string& mode, double value) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const ElementType type = result_type(node);
  const int64_t rank = rank_of(node, "self");
  const Ints pads = ints_of(node, node.has("pad") ? "pad" : "padding");
  if (pads.size() % 2 != 0 || static_cast<int64_t>(pads.size()) > 2 * rank)
    throw Error(Code::BadAttribute, msg("pad has ", pads.size(), " numbers for ", rank, " axes"));
  Ints begin(static_cast<size_t>(rank), 0), end = begin;
  for (size_t i = 0; i < pads.size() / 2; ++i) {
    begin[begin.size() - 1 - i] = pads[2 * i];
    end[end.size() - 1 - i] = pads[2 * i + 1];
  }
  if (mode == "circular") {
    Ints all = begin;
    all.insert(all.end(), end.begin(), end.end());
    const OutPort list = b.i64(all);
    return become(node, "ONNXPad", {x, list}, {{"mode", "wrap"}});
  }
  const char* word = mode == "constant"    ? "constant"
                     : mode == "reflect"   ? "reflect"
                     : mode == "replicate" ? "edge"
                                           : nullptr;
  if (!word) throw Error(Code::BadAttribute, msg("mode is '", printable(mode), "'"));
  const OutPort first = b.i64(begin), last = b.i64(end);
  std::vector<OutPort> sources{x, first, last};
  if (mode == "constant") sources.push_back(b.constant(make_scalar(type, value)));
  become(node, "Pad", sources, {{"mode", word}});
}

}  // namespace

void extract_upsample_nearest(Node& node) { resize(node, "nearest", false); }
void extract_upsample_linear(Node& node) { resize(node, "linear", true); }
void extract_upsample_bicubic(Node& node) { resize(node, "cubic", true); }

void extract_pad(Node& node) {
  pad(node, node.get_string("mode", "constant"), node.has("value") ? number_of(node, "value") : 0);
}
void extract_constant_pad(Node& node) { pad(node, "constant", number_of(node, "value")); }
void extract_reflection_pad(Node& node) { pad(node, "reflect", 0); }
void extract_replication_pad(Node& node) { pad(node, "replicate", 0); }

void extract_grid_sampler(Node& node) {
  constexpr const char* kModes[] = {"linear", "nearest", "cubic"};
  constexpr const char* kPaddings[] = {"zeros", "border", "reflection"};
  const int64_t mode = int_of(node, "interpolation_mode"), padding = int_of(node, "padding_mode");
  if (mode < 0 || mode > 2 || padding < 0 || padding > 2)
    throw Error(Code::BadAttribute, msg("modes ", mode, " and ", padding));
  const OutPort x = required(node, "input"), grid = required(node, "grid");
  become(node, "GridSampleONNX", {x, grid},
         {{"mode", kModes[mode]},
          {"padding_mode", kPaddings[padding]},
          {"align_corners", node.get_bool("align_corners")}});
}

}  // namespace mo::pytorch
