// Pooling within a frame: over patches that lie one after the other, or over an image.

#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

void become_pooling(Node& node, const char* method, const Ints& shape, const Ints& kernel, const Ints& strides) {
  become(node, "PoolingOfFrame", {frame(node)},
         {{"pool_method", method}, {"shape", shape}, {"kernel", kernel}, {"strides", strides}});
}

/// Over `size` patches of `stride` elements, every `step` patches.
void pool_patches(Node& node, const char* method, int64_t inputs, int64_t size, int64_t step) {
  const int64_t stride = size_of(node, "PoolStride");
  const int64_t patches = times("the number of inputs", inputs, "PoolStride", stride);
  if (size > patches) throw Error(Code::ShapeMismatch, msg("PoolSize is ", size, " for ", patches, " patches"));
  become_pooling(node, method, {patches, stride}, {size, 1}, {step, 1});
}

/// The sizes in front of the fields say how many patches there are.
void pool_of_nnet1(Node& node, const char* method) {
  const int64_t inputs = size_of(node, "inputs"), size = size_of(node, "PoolSize"), step = size_of(node, "PoolStep");
  const int64_t patches = inputs / size_of(node, "PoolStride");
  if (size <= patches) require_sizes(node, -1, (1 + (patches - size) / step) * size_of(node, "PoolStride"));
  pool_patches(node, method, inputs, size, step);
}

}  // namespace

void extract_max_pooling(Node& node) { pool_of_nnet1(node, "max"); }
void extract_average_pooling(Node& node) { pool_of_nnet1(node, "avg"); }

/// That of nnet2 is over patches, that of nnet3 over an image.
void extract_maxpooling(Node& node) {
  if (!node.has("InputXDim")) {
    const int64_t size = size_of(node, "PoolSize");
    return pool_patches(node, "max", size_of(node, "InputDim"), size, size);
  }
  Ints shape, kernel, strides;
  int64_t elements = 1;
  for (const char axis : {'X', 'Y', 'Z'}) {
    const auto size = [&](const char* what) {
      return size_of(node, cat(what[0] == 'I' ? "Input" : "Pool", axis, what[0] == 'I' ? "Dim" : what));
    };
    shape.push_back(size("I"));
    kernel.push_back(size("Size"));
    strides.push_back(size("Step"));
    if (kernel.back() > shape.back())
      throw Error(Code::ShapeMismatch, msg("a pool of ", kernel.back(), " for an axis of ", shape.back()));
    elements = product(cat("Input", axis, "Dim"), elements, shape.back());
  }
  become_pooling(node, "max", shape, kernel, strides);
}

}  // namespace mo::kaldi
