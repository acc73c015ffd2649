// Operators that make tensors of random numbers. The runtime's numbers are others than PaddlePaddle's.

#include "core/front/paddle/extract/filled.h"
#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// Numbers of a distribution by formulas, which have two seeds.
OutPort drawn(Node& node, const char* op, const std::vector<OutPort>& inputs, ElementType type) {
  return Builder(node).op(op, inputs,
                          Attributes{{"dtype", type}, {"seed", node.get_int("seed")}, {"seed2", int64_t{0}}});
}

void become_random(Node& node, const char* op, OutPort shape, double factor, double summand) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  OutPort x = drawn(node, op, {shape}, ElementType::F32);
  if (factor != 1) x = b.op("Mul", {x, b.f32_scalar(static_cast<float>(factor))});
  if (summand != 0) x = b.op("Add", {x, b.f32_scalar(static_cast<float>(summand))});
  give(node, {{"Out", b.convert(x, type)}});
}

void become_uniform(Node& node, OutPort shape) {
  if (node.get_int("diag_num") != 0) throw Error(Code::UnsupportedForm, "a diagonal in random numbers");
  const double low = node.get_float("min", -1), high = node.get_float("max", 1);
  become_random(node, "TFRandomUniform", shape, high - low, low);
}

}  // namespace

void extract_uniform_random(Node& node) { become_uniform(node, filled_shape(node)); }
void extract_uniform_random_batch_size_like(Node& node) { become_uniform(node, batch_size_like(node)); }
void extract_gaussian_random(Node& node) {
  become_random(node, "RandomStandardNormal", filled_shape(node), node.get_float("std", 1), node.get_float("mean"));
}
void extract_gaussian_random_batch_size_like(Node& node) {
  become_random(node, "RandomStandardNormal", batch_size_like(node), node.get_float("std", 1), node.get_float("mean"));
}
void extract_truncated_gaussian_random(Node& node) {
  become_random(node, "TruncatedNormal", filled_shape(node), node.get_float("std", 1), node.get_float("mean"));
}

void extract_randint(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::I64);
  Builder b(node);
  const OutPort shape = filled_shape(node), low = b.constant(make_scalar(type, double(node.get_int("low")))),
                high = b.constant(make_scalar(type, double(node.get_int("high"))));
  give(node, {{"Out", drawn(node, "RandomUniformInt", {shape, low, high}, type)}});
}

void extract_randperm(Node& node) {
  const ElementType type = type_of(node, "dtype", ElementType::I64);
  Builder b(node);
  const OutPort first = b.i64_scalar(0), count = b.i64_scalar(node.get_int("n")), one = b.i64_scalar(1);
  const OutPort line = b.op("Range", {first, count, one}, {{"output_type", ElementType::I64}});
  give(node, {{"Out", b.convert(drawn(node, "RandomShuffle", {line}, ElementType::I64), type)}});
}

void extract_bernoulli(Node& node) {
  give(node, {{"Out", drawn(node, "BernoulliOf", {required(node, "X")}, ElementType::F32)}});
}

/// One place in each row of probabilities, as a number of the type of the result.
void extract_sampling_id(Node& node) {
  Builder b(node);
  const OutPort y = b.op("MultinomialOf", {required(node, "X")},
                         {{"count", int64_t{1}}, {"with_replacement", true}, {"seed", node.get_int("seed")}});
  give(node, {{"Out", b.squeeze(y, {-1})}});
}

/// Places in rows of probabilities.
void extract_multinomial(Node& node) {
  become(node, "MultinomialOf", {required(node, "X")},
         {{"count", node.get_int("num_samples", 1)},
          {"with_replacement", node.get_bool("replacement")},
          {"seed", node.get_int("seed")}});
}

}  // namespace mo::paddle
