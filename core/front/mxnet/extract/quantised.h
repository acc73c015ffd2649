// Quantised tensors. MXNet has integers, the least number and the largest one that they stand for; here operators of
// integers give and take the real numbers that the integers stand for, which are rounded to their steps, so that the
// runtime sees FakeQuantize around the usual operations. Others, and results, get the integers.
#pragma once

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {

struct Quantised {
  OutPort real, least, most;
  ElementType type;  ///< of the integers
};

/// The number that stands for the largest integer, [1].
OutPort magnitude(Builder& b, OutPort least, OutPort most);
/// The tensor of input `data` and of its limits, the inputs `limits` and `limits` + 1.
Quantised quantised_input(Node& node, int data, int limits);
/// How many steps the number of the limits is away from 0: half a step more than the largest integer.
double steps_of(ElementType type);
/// The largest of these integers.
int64_t largest_of(ElementType type);
/// x rounded to the steps of integers, with `full` steps_of() of them away from 0.
OutPort on_steps(Builder& b, OutPort x, OutPort full, ElementType type);
/// The same for operators of MXNet that give `full` the largest integer when they round: what it stands for is less.
OutPort on_whole_steps(Builder& b, OutPort x, OutPort full, ElementType type);
/// The integers of a tensor as numbers of f32, to compute with them where halves of steps are usual.
OutPort integers_of(Builder& b, const Quantised& x);
/// What these numbers of f32, rounded to integers, stand for.
OutPort reals_of(Builder& b, OutPort integers, OutPort full, ElementType type);
/// The node's outputs are this tensor and its limits.
void give_quantised(Node& node, const Quantised& tensor);
/// i8 or u8: auto is u8 for numbers that are not negative.
ElementType wanted_type(const Node& node, std::string_view otherwise);
/// The limits that calibration has found; {} without them.
std::optional<std::pair<double, double>> calibrated(const Node& node);
/// The node's result, where its inputs are quantised: real numbers if it is told so, else integers of this type in
/// calibrated limits. Throws UnsupportedForm without them.
void give_calibrated(Node& node, OutPort y, ElementType type);
/// An operator whose results have the limits of its data; `again`: they are between steps, often in the middle.
void give_in_same_limits(Node& node, void (*extract)(Node&), bool again = false);
/// An operator of real numbers with the node's attributes that begin with `prefix`, by its extractor.
OutPort of_reals(Node& node, void (*extract)(Node&), const std::vector<OutPort>& sources, std::string_view prefix = {});

}  // namespace mo::mxnet
