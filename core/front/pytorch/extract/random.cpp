// Operators that make random numbers. The runtime's are others than PyTorch's.

#include "core/front/pytorch/extract/elementwise.h"

namespace mo::pytorch {
namespace {

/// Random numbers by formulas, which have two seeds.
OutPort drawn(Builder& b, const char* op, const std::vector<OutPort>& sources, ElementType type) {
  return b.op(op, sources, Attributes{{"dtype", type}, {"seed", int64_t{0}}, {"seed2", int64_t{0}}});
}

/// That of the argument "size", or of self.
OutPort shape_of_result(Node& node, Builder& b) {
  return is_given(node, "size") ? int_list(node, b, "size") : b.shape_of(required(node, "self"));
}

/// f32, as the type of the result.
void give_random(Node& node, Builder& b, OutPort x) { give_typed(node, b, x, ElementType::F32); }

OutPort uniform(Builder& b, OutPort shape) { return drawn(b, "TFRandomUniform", {shape}, ElementType::F32); }
OutPort normal(Builder& b, OutPort shape) { return drawn(b, "RandomStandardNormal", {shape}, ElementType::F32); }

/// A mean or a deviation: a tensor or a number.
OutPort parameter(Node& node, Builder& b, std::string_view argument, double otherwise) {
  if (!is_given(node, argument)) return number_as(b, ElementType::F32, otherwise);
  return operand(node, b, argument, ElementType::F32);
}

}  // namespace

void extract_rand(Node& node) {
  Builder b(node);
  give_random(node, b, uniform(b, shape_of_result(node, b)));
}

void extract_randn(Node& node) {
  Builder b(node);
  give_random(node, b, normal(b, shape_of_result(node, b)));
}

void extract_randint(Node& node) {
  Builder b(node);
  const OutPort low = is_given(node, "low") ? operand(node, b, "low", ElementType::I64) : b.i64_scalar(0),
                high = operand(node, b, "high", ElementType::I64), shape = shape_of_result(node, b);
  give_typed(node, b, drawn(b, "RandomUniformInt", {shape, low, high}, ElementType::I64), ElementType::I64);
}

void extract_randperm(Node& node) {
  Builder b(node);
  const OutPort first = b.i64_scalar(0), count = int_scalar(node, b, "n"), step = b.i64_scalar(1);
  const OutPort line = b.op("Range", {first, count, step}, {{"output_type", ElementType::I64}});
  give_typed(node, b, drawn(b, "RandomShuffle", {line}, ElementType::I64), ElementType::I64);
}

/// From one number to another.
void extract_uniform(Node& node) {
  Builder b(node);
  const double from = number_of(node, "from"), to = number_of(node, "to");
  const OutPort y = b.op("Mul", {uniform(b, shape_of_result(node, b)), b.f32_scalar(static_cast<float>(to - from))});
  give_random(node, b, b.op("Add", {y, b.f32_scalar(static_cast<float>(from))}));
}

/// Means and deviations are tensors or numbers; the shape is that of both, unless it is given.
void extract_normal(Node& node) {
  Builder b(node);
  const OutPort mean = parameter(node, b, "mean", 0), deviation = parameter(node, b, "std", 1);
  OutPort shape;
  if (is_given(node, "size") || input(node, "self"))
    shape = shape_of_result(node, b);
  else
    shape = b.shape_of(b.op("Add", {mean, deviation}));
  give_random(node, b, b.op("Add", {b.op("Mul", {normal(b, shape), deviation}), mean}));
}

/// With a rate.
void extract_exponential(Node& node) {
  Builder b(node);
  const double rate = number_of(node, "lambd");
  if (!(rate > 0)) throw Error(Code::BadAttribute, msg("lambd is ", rate));
  const OutPort rest = b.op("Sub", {b.f32_scalar(1), uniform(b, shape_of_result(node, b))});
  give_random(node, b, b.op("Div", {b.op("Log", {rest}), b.f32_scalar(static_cast<float>(-rate))}));
}

/// 1 with the probability that each element says, or that p says for all.
void extract_bernoulli(Node& node) {
  Builder b(node);
  const OutPort shape = shape_of_result(node, b);
  const OutPort p = operand(node, b, is_given(node, "p") ? "p" : "self", ElementType::F32);
  give_typed(node, b, b.op("Less", {uniform(b, shape), p}), ElementType::Bool);
}

/// What is dropped is random in training only.
void extract_native_dropout(Node& node) {
  const bool of_training = !node.has("train") || int_of(node, "train") != 0;
  if (of_training && number_of(node, "p") != 0)
    throw Error(Code::UnsupportedForm, "dropout of training: call model.eval() before the export");
  Builder b(node);
  const OutPort x = required(node, "input"), kept = number_as(b, ElementType::Bool, 1);
  give(node, {x, b.op("Broadcast", {kept, b.shape_of(x)}, {{"mode", "numpy"}})});
}

void extract_multinomial(Node& node) {
  become(node, "MultinomialOf", {required(node, "self")},
         {{"count", int_of(node, "num_samples")},
          {"with_replacement", node.get_bool("replacement")},
          {"seed", int64_t{0}}});
}

}  // namespace mo::pytorch
