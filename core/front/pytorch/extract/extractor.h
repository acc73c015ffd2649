// From PyTorch's operators to Model Optimizer's operations: the table operators.def and the functions named in it.
//
// A node stands for one overload of an operator, in-place forms as the others. Arguments have the names of the
// operator's schema. Tensors, and integers that the graph computes, are inputs: "input_slots" names the argument of
// each. Everything else is an attribute; arguments that the program leaves out have the defaults of schemas.def. A list
// of integers of which the graph gives some has kFromGraph in their places. The program says types and shapes of all
// tensors, so functions choose by them: no rules of promotion are needed but those of comparisons.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/build/builder.h"
#include "core/front/common/become.h"
#include "core/front/common/operators.h"

namespace mo::pytorch {

/// The rows of operators.def.
const Operators& operators();
/// Sets the arguments that are not given to the defaults of the schema.
void add_defaults(Node& node);

// Arguments.
/// The tensors of an argument, none if it is None.
std::vector<OutPort> inputs(const Node& node, std::string_view argument);
/// The only one; empty if it is None.
OutPort input(const Node& node, std::string_view argument);
/// The same. Throws MissingInput.
OutPort required(const Node& node, std::string_view argument);
/// Whether it is given, and not None.
bool is_given(const Node& node, std::string_view argument);
/// A number that is known. Throws UnsupportedForm if the graph computes it, MissingAttribute without one.
int64_t int_of(const Node& node, std::string_view argument);
/// A number, whole or not. Throws MissingAttribute.
double number_of(const Node& node, std::string_view argument);
/// A list of known integers. Throws UnsupportedForm, MissingAttribute.
Ints ints_of(const Node& node, std::string_view argument);
/// The same for `axes` axes: one number is for all, and an empty list `otherwise`. Throws BadAttribute.
Ints ints_of_axes(const Node& node, std::string_view argument, size_t axes, const Ints& otherwise = {});
/// The integers of an argument as 1-D i64: known ones, and those of the graph.
OutPort int_list(Node& node, Builder& b, std::string_view argument);
/// One integer as a scalar of i64.
OutPort int_scalar(Node& node, Builder& b, std::string_view argument);
/// A tensor, or a number, as that type.
OutPort operand(Node& node, Builder& b, std::string_view argument, ElementType type);

// What the program says of tensors.
/// The type of the first tensor of an argument, of complex ones that of their parts. Throws UnsupportedType for types
/// that are none of ours, MissingInput.
ElementType type_of(const Node& node, std::string_view argument);
int64_t rank_of(const Node& node, std::string_view argument);
/// Its sizes; -1: not known.
Ints sizes_of(const Node& node, std::string_view argument);
/// A tensor, and what the program says of it.
struct Operand {
  OutPort port;
  ElementType type = ElementType::Unknown;
  Ints sizes;  ///< -1: not known

  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};
/// All tensors of an argument. Throws what type_of() throws, MissingInput if there are none.
std::vector<Operand> operands_of(const Node& node, std::string_view argument);
/// Whether its elements are those of its storage from the first one on, in their order.
bool is_in_order(const Node& node, std::string_view argument);
/// The same of an output.
ElementType result_type(const Node& node, size_t index = 0);
int64_t result_rank(const Node& node, size_t index = 0);
Ints result_sizes(const Node& node, size_t index = 0);
/// The tensor with its axes as its storage has them, the outermost first. Throws UnsupportedForm if it is a part of its
/// storage.
OutPort as_stored(Node& node, Builder& b, std::string_view argument);
/// `axis`, counted from the front. A scalar has one axis, which is 0. Throws BadAttribute.
int64_t axis_of(const Node& node, std::string_view argument, int64_t rank);
/// The same of a list of axes.
Ints axes_of(const Node& node, std::string_view argument, int64_t rank);
/// Integers become the type, which the result has.
OutPort as_type(Builder& b, OutPort x, ElementType from, ElementType to);

/// The type in which PyTorch computes with two arguments, each a tensor or a number.
ElementType common_type(const Node& node, std::string_view a, std::string_view b);

using numbered::become;
using numbered::give;
/// give() of one tensor, as the type of the result.
void give_typed(Node& node, Builder& b, OutPort x, ElementType from);
/// Calls `make` with data that has a batch, which makes it `rank` axes, and takes the batch away from its results
/// again.
template <typename Make>
void with_batch(Node& node, int64_t rank, const Make& make) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const bool batched = rank_of(node, "self") == rank;
  std::vector<OutPort> results = make(b, batched ? x : b.unsqueeze(x, {0}));
  for (OutPort& result : results)
    if (!batched) result = b.squeeze(result, {0});
  give(node, results);
}
/// The argument `reduce` as a word of ScatterElementsUpdate: "sum", "prod", "mean", "max", "min". Throws BadAttribute.
std::string_view reduction_of_scatter(const Node& node);
/// The node becomes x with updates combined at their places along the axis, by a reduction of ScatterElementsUpdate.
/// The mean of integers is rounded down.
void become_scattered(Node& node, OutPort x, OutPort places, OutPort updates, int64_t axis, std::string_view reduction,
                      bool with_initial);

}  // namespace mo::pytorch
