// Padding and sampling of pictures.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

/// Pads of the last axes first, each a begin and an end: those of all axes.
struct Pads {
  OutPort begin, end;
};

Pads pads_of(Node& node, Builder& b) {
  const char* argument = is_given(node, "pad") ? "pad" : "padding";
  const int64_t rank = rank_of(node, "self");
  const auto count = static_cast<int64_t>(node.get_ints(argument).size());
  if (count % 2 != 0 || count > 2 * rank)
    throw Error(Code::BadAttribute, msg("pad has ", count, " numbers for ", rank, " axes"));
  Ints begin(static_cast<size_t>(rank - count / 2), 0), end = begin, from, to;
  for (int64_t at = count; at > 0; at -= 2) from.push_back(at - 2), to.push_back(at - 1);
  if (inputs(node, argument).empty()) {
    const Ints pads = ints_of(node, argument);
    for (const int64_t at : from) begin.push_back(pads[static_cast<size_t>(at)]);
    for (const int64_t at : to) end.push_back(pads[static_cast<size_t>(at)]);
    const OutPort first = b.i64(begin), last = b.i64(end);
    return {first, last};
  }
  const OutPort pads = int_list(node, b, argument);
  const auto along_all = [&](const Ints& none, const Ints& places) {
    const OutPort own = b.gather(pads, b.i64(places), 0);
    return none.empty() ? own : b.concat({b.i64(none), own}, 0);
  };
  const OutPort first = along_all(begin, from), last = along_all(end, to);
  return {first, last};
}

/// Negative pads cut.
void pad(Node& node, const std::string& mode, double value) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const Pads pads = pads_of(node, b);
  if (mode == "circular") {
    const OutPort list = b.concat({pads.begin, pads.end}, 0);
    return become(node, "ONNXPad", {x, list}, {{"mode", "wrap"}});
  }
  const char* word = mode == "constant"    ? "constant"
                     : mode == "reflect"   ? "reflect"
                     : mode == "replicate" ? "edge"
                                           : nullptr;
  if (!word) throw Error(Code::BadAttribute, msg("mode is '", printable(mode), "'"));
  std::vector<OutPort> sources{x, pads.begin, pads.end};
  if (mode == "constant") sources.push_back(b.constant(make_scalar(result_type(node), value)));
  become(node, "Pad", sources, {{"mode", word}});
}

double fill_of(const Node& node) { return node.has("value") ? number_of(node, "value") : 0; }

}  // namespace

void extract_pad(Node& node) { pad(node, node.get_string("mode", "constant"), fill_of(node)); }
void extract_circular_pad(Node& node) { pad(node, "circular", 0); }
void extract_pad_enum(Node& node) {
  constexpr const char* kModes[] = {"reflect", "replicate", "circular", "constant"};
  const int64_t mode = int_of(node, "mode");
  if (mode < 0 || mode > 3) throw Error(Code::BadAttribute, msg("mode is ", mode));
  pad(node, kModes[mode], fill_of(node));
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

void extract_affine_grid(Node& node) {
  const OutPort theta = required(node, "theta");
  Builder b(node);
  const OutPort size = int_list(node, b, "size");
  become(node, "AffineGrid", {theta, size}, {{"align_corners", node.get_bool("align_corners")}});
}

}  // namespace mo::pytorch
