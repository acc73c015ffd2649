// Random numbers, which are others in each inference.

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// `first` and `second` are the limits of uniform numbers, or the average and the deviation of others.
struct Distribution {
  const char* op;
  double first, second;
};

Distribution uniform_of(const Node& node) {
  const double low = float_of(node, "low"), high = float_of(node, "high", 1);
  return {"TFRandomUniform", low, high - low};
}

Distribution normal_of(const Node& node) {
  return {"RandomStandardNormal", float_of(node, "loc"), float_of(node, "scale", 1)};
}

void draw(Node& node, const Distribution& distribution, OutPort shape, ElementType type) {
  Builder b(node);
  const OutPort numbers = b.op(distribution.op, {shape}, {{"dtype", type}});
  const OutPort wide =
      distribution.second == 1 ? numbers : b.op("Mul", {numbers, b.scalar_like(numbers, distribution.second)});
  if (distribution.first == 0) return give(node, {wide});
  become(node, "Add", {wide, b.scalar_like(wide, distribution.first)});
}

OutPort shape_given(Node& node) {
  const Ints shape = ints_of(node, "shape", {1});
  return Builder(node).i64(shape.empty() ? Ints{1} : shape);
}

}  // namespace

void extract_random_uniform(Node& node) {
  const OutPort shape = shape_given(node);
  draw(node, uniform_of(node), shape, type_of(node, "dtype", ElementType::F32));
}
void extract_random_normal(Node& node) {
  const OutPort shape = shape_given(node);
  draw(node, normal_of(node), shape, type_of(node, "dtype", ElementType::F32));
}
void extract_random_uniform_like(Node& node) {
  const OutPort shape = Builder(node).shape_of(required(node, 0));
  draw(node, uniform_of(node), shape, ElementType::F32);
}
void extract_random_normal_like(Node& node) {
  const OutPort shape = Builder(node).shape_of(required(node, 0));
  draw(node, normal_of(node), shape, ElementType::F32);
}

}  // namespace mo::mxnet
