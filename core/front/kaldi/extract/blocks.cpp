// Functions of groups of elements: sums, products, norms, choices.

#include <algorithm>
#include <map>

#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

/// The groups of InputDim elements of which OutputDim results come.
int64_t group_of(const Node& node) {
  const int64_t inputs = size_of(node, "InputDim"), outputs = size_of(node, "OutputDim");
  return times("InputDim", inputs, "OutputDim", outputs);
}

OutPort reduced(Builder& b, const char* op, OutPort x, const Ints& shape, int64_t axis) {
  return b.reshape(b.reduce(op, b.reshape(x, shape), {axis}, false), {1, -1});
}

OutPort taken(Builder& b, OutPort x, const Ints& indices) { return b.gather(x, b.i64(indices), 1); }

/// Indices of elements of the frame, the first of which is `first`.
Ints indices_of(const Node& node, std::string_view key, int64_t first) {
  Ints indices = list_of(node, key, first);
  for (int64_t& index : indices) index -= first;
  if (const int64_t inputs = node.get_int("inputs", -1); inputs >= 0)
    for (const int64_t index : indices)
      if (index >= inputs)
        throw Error(Code::BadAttribute, msg(std::string(key), " names element ", index + first, " of ", inputs));
  return indices;
}

void permute(Node& node, const Ints& indices) {
  const OutPort x = frame(node);
  require_sizes(node, -1, static_cast<int64_t>(indices.size()));
  Builder b(node);
  const OutPort places = b.i64(indices), axis = b.i64_scalar(1);
  become(node, "Gather", {x, places, axis});
}

}  // namespace

void extract_pnorm(Node& node) {
  const OutPort x = frame(node);
  const double p = number_of(node, "P", 2);
  if (!(p >= 0)) throw Error(Code::BadAttribute, msg(std::string("P"), " is ", p));
  become(node, "pnorm", {x}, {{"p", p}, {"group", group_of(node)}});
}

void extract_maxout(Node& node) {
  const OutPort x = frame(node);
  const int64_t group = group_of(node);
  Builder b(node);
  give(node, reduced(b, "ReduceMax", x, {-1, group}, 1));
}

void extract_elementwise_product(Node& node) {
  const OutPort x = frame(node);
  become(node, "EltwiseNin1", {x}, {{"operation", "mul"}, {"num_inputs", group_of(node)}});
}

void extract_sum_block(Node& node) {
  const OutPort x = frame(node);
  const double scale = number_of(node, "Scale");
  group_of(node);
  const int64_t size = size_of(node, "OutputDim");
  Builder b(node);
  const OutPort sum = reduced(b, "ReduceSum", x, {-1, size}, 0);
  give(node, scale == 1 ? sum : b.op("Mul", {sum, b.f32_scalar(static_cast<float>(scale))}));
}

/// Groups of one size are summed at once; then the sums are put in their order.
void extract_sum_group(Node& node) {
  const OutPort x = frame(node);
  const Ints sizes = list_of(node, "Sizes", 1);
  int64_t total = 0;
  std::map<int64_t, Ints> elements_of, places_of;
  const auto all_equal = std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) { return size == sizes[0]; });
  for (const int64_t size : sizes) {
    total += size;
    if (total > (1 << 24)) throw Error(Code::BadAttribute, "Sizes make more than 2^24 elements");
  }
  Builder b(node);
  if (all_equal) return give(node, reduced(b, "ReduceSum", x, {-1, sizes[0]}, 1));
  int64_t at = 0, place = 0;
  for (const int64_t size : sizes) {
    for (int64_t i = 0; i < size; ++i) elements_of[size].push_back(at++);
    places_of[size].push_back(place++);
  }
  std::vector<OutPort> sums;
  Ints order(sizes.size());
  int64_t next = 0;
  for (const auto& [size, elements] : elements_of) {
    const OutPort group = taken(b, x, elements);
    sums.push_back(size == 1 ? group : reduced(b, "ReduceSum", group, {-1, size}, 1));
    for (const int64_t to : places_of[size]) order[static_cast<size_t>(to)] = next++;
  }
  give(node, taken(b, b.concat(sums, 1), order));
}

/// Indices of nnet1 begin with 1.
void extract_copy(Node& node) { permute(node, indices_of(node, "Indices", 1)); }

/// nnet3 names the source of each output, nnet2 the output of each source.
void extract_permute(Node& node) {
  if (node.has("ColumnMap")) return permute(node, indices_of(node, "ColumnMap", 0));
  const Ints targets = indices_of(node, "Reorder", 0);
  Ints sources(targets.size(), -1);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] >= static_cast<int64_t>(targets.size()) || sources[static_cast<size_t>(targets[i])] >= 0)
      throw Error(Code::BadAttribute, msg("Reorder names ", targets[i], " of ", targets.size(), " elements, or twice"));
    sources[static_cast<size_t>(targets[i])] = static_cast<int64_t>(i);
  }
  permute(node, sources);
}

void extract_block_softmax(Node& node) {
  const OutPort x = frame(node);
  const Ints sizes = list_of(node, "BlockDims", 1);
  int64_t total = 0;
  for (const int64_t size : sizes) total += size;
  require_sizes(node, total, total);
  Builder b(node);
  Node& split = b.split(x, 1, sizes);
  std::vector<OutPort> parts;
  for (int i = 0; i < split.out_count(); ++i) parts.push_back(b.op("SoftMax", {split.out(i)}, {{"axis", 1}}));
  give(node, b.concat(parts, 1));
}

}  // namespace mo::kaldi
