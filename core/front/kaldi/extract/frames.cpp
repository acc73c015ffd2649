// Components that read a frame at several times: they become operations that MemoryOffset feeds.

#include <algorithm>

#include "core/front/kaldi/decompose/offsets.h"
#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

/// The offsets of nnet2's components; those of old files have a beginning and an end.
Ints context_of(const Node& node) {
  if (node.has("Context")) return list_of(node, "Context");
  const int64_t left = size_of(node, "LeftContext", 0), right = size_of(node, "RightContext", 0);
  if (left + right > kMostOffsets)
    throw Error(Code::BadAttribute, msg("LeftContext is ", left, ", RightContext ", right));
  Ints context;
  for (int64_t t = -left; t <= right; ++t) context.push_back(t);
  return context;
}

std::vector<OutPort> frames(Builder& b, OutPort x, const Ints& offsets) {
  std::vector<OutPort> found;
  for (const int64_t t : offsets) found.push_back(at_offset(b, x, t));
  return found;
}

}  // namespace

/// Of nnet1. Beyond its ends an utterance repeats its first and last frame: that is up to who feeds it.
void extract_splice(Node& node) {
  const OutPort x = frame(node);
  const Ints offsets = list_of(node, "Context");
  if (const int64_t inputs = node.get_int("inputs", -1); inputs > 0)
    require_sizes(node, -1, product("inputs", inputs, static_cast<int64_t>(offsets.size())));
  Builder b(node);
  give(node, b.concat(frames(b, x, offsets), 1));
}

/// Of nnet2: the last elements of a frame may be the same in all frames, and are not repeated.
void extract_splice_component(Node& node) {
  const OutPort x = frame(node);
  const int64_t inputs = size_of(node, "InputDim"), constant = size_of(node, "ConstComponentDim", 0, 0);
  if (constant >= inputs)
    throw Error(Code::ShapeMismatch, msg("ConstComponentDim is ", constant, ", InputDim ", inputs));
  const Ints context = context_of(node);
  product("InputDim", inputs, static_cast<int64_t>(context.size()));
  Builder b(node);
  if (constant == 0) return give(node, b.concat(frames(b, x, context), 1));
  Node& parts = b.split(x, 1, {inputs - constant, constant});
  std::vector<OutPort> all = frames(b, parts.out(0), context);
  all.push_back(parts.out(1));
  give(node, b.concat(all, 1));
}

void extract_splice_max(Node& node) {
  const OutPort x = frame(node);
  const Ints context = context_of(node);
  Builder b(node);
  const std::vector<OutPort> parts = frames(b, x, context);
  become(node, "EltwiseN", parts, {{"operation", "max"}});
}

void extract_tdnn(Node& node) {
  const OutPort x = frame(node);
  const Ints offsets = list_of(node, "TimeOffsets");
  Ints sorted = offsets;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error(Code::BadAttribute, "TimeOffsets has a number twice");
  const Constant weights = matrix_of(node, "LinearParams");
  times("the number of columns of LinearParams", weights.shape[1], "the number of TimeOffsets",
        static_cast<int64_t>(offsets.size()));
  Builder b(node);
  std::vector<OutPort> inputs{x, b.constant(weights)};
  if (has_elements(node, "BiasParams")) {
    const Constant bias = vector_of(node, "BiasParams", weights.shape[0]);
    inputs.push_back(b.constant(reshape(bias, {1, bias.shape[0]})));
  }
  become(node, "tdnncomponent", inputs, {{"time_offsets", offsets}});
}

void extract_restricted_attention(Node& node) {
  const OutPort x = frame(node);
  Attributes of;
  for (const auto& [key, name, least] : {std::tuple("NumHeads", "num_heads", 1),
                                         {"KeyDim", "key_dim", 1},
                                         {"ValueDim", "value_dim", 1},
                                         {"NumLeftInputs", "num_left_inputs", 0},
                                         {"NumRightInputs", "num_right_inputs", 0},
                                         {"TimeStride", "time_stride", 1},
                                         {"NumLeftInputsRequired", "num_left_inputs_required", 0},
                                         {"NumRightInputsRequired", "num_right_inputs_required", 0}})
    of.set(name, size_of(node, key, least));
  const auto value = [&](const char* name) { return *of.get_if<int64_t>(name); };
  const int64_t left = value("num_left_inputs"), right = value("num_right_inputs");
  if (left + right < 1 || left + right >= kMostOffsets)
    throw Error(Code::BadAttribute, msg("NumLeftInputs is ", left, ", NumRightInputs ", right));
  if (value("num_left_inputs_required") > left || value("num_right_inputs_required") > right)
    throw Error(Code::BadAttribute, "more inputs are required than there are");
  product("TimeStride", std::max(left, right), value("time_stride"));
  const int64_t query = product("KeyDim", 1, value("key_dim") + left + 1 + right);
  product("NumHeads", product("KeyDim", 1, value("key_dim") + value("value_dim") + query), value("num_heads"));
  const double scale = number_of(node, "KeyScale");
  if (!(scale > 0)) throw Error(Code::BadAttribute, msg("KeyScale is ", scale));
  of.set("key_scale", scale);
  of.set("output_context", node.get_bool("OutputContext"));
  become(node, "restrictedattentioncomponent", {x}, std::move(of));
}

}  // namespace mo::kaldi
