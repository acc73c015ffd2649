#include "core/front/tf/decompose/xla.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/text.h"
#include "core/decompose/control/inline_body.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/decompose/spatial/padding.h"
#include "core/graph/body.h"

namespace mo::xla {
namespace {

/// Operations that compute each element of their results from the elements at the same place.
constexpr std::string_view kOfElements[] = {"Parameter",  "Result",     "Const",      "Identity",   "IdentityN",
                                            "Cast",       "Add",        "Sub",        "Mul",        "Div",
                                            "Maximum",    "Minimum",    "Select",     "Abs",        "Negative",
                                            "Sign",       "Exp",        "Log",        "Log1p",      "Expm1",
                                            "Sqrt",       "Pow",        "Tanh",       "Sigmoid",    "Equal",
                                            "NotEqual",   "Less",       "LessEqual",  "Greater",    "LogicalOr",
                                            "LogicalAnd", "LogicalNot", "Floor",      "Ceiling",    "GreaterEqual",
                                            "BitwiseAnd", "BitwiseOr",  "IsNaN",      "IsInf",      "IsFinite",
                                            "FloorMod",   "BitwiseXor", "BitwiseNot", "Reciprocal", "SquaredDifference",
                                            "Erf"};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string simple_op(const Graph& body, size_t operand) {
  const std::vector<Node*>& parameters = body.parameters;
  const size_t width = body.results.size();
  const OutPort result = behind_identities(body.results[operand]->source(0));
  const auto is = [&](OutPort port, size_t argument) {
    const OutPort source = behind_identities(port);
    return source && &source.node() == parameters[argument];
  };
  if (is(result, width + operand)) return "Second";
  if (!result) return {};
  const Node& node = result.node();
  constexpr std::string_view kSymmetric[] = {"Add", "Mul", "Minimum", "Maximum", "LogicalAnd", "LogicalOr"};
  if (node.in_count() < 2) return {};
  const OutPort x = node.source(0), y = node.source(1);
  const bool straight = is(x, operand) && is(y, width + operand), turned = is(y, operand) && is(x, width + operand);
  if (straight && node.op() == "Sub") return "Sub";
  return (straight || turned) && is_one_of(node.op(), kSymmetric) ? node.op() : std::string();
}

}  // namespace

OutPort in_order(Builder& b, OutPort x, const Ints& order) {
  return order == counted_axes(order.size()) ? x : b.transpose(x, order);
}

Ints inverse(const Ints& order) {
  Ints out(order.size());
  for (size_t i = 0; i < order.size(); ++i) out[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return out;
}

Ints counted_axes(size_t count) {
  Ints out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

bool has_axis(const Ints& axes, int64_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

Ints other_axes(size_t rank, std::initializer_list<const Ints*> lists) {
  Ints out;
  for (const int64_t axis : counted_axes(rank))
    if (std::none_of(lists.begin(), lists.end(), [&](const Ints* list) { return has_axis(*list, axis); }))
      out.push_back(axis);
  return out;
}

size_t rank_of(const Node& node, int input) {
  require_input(node, input);
  const int rank = node.source(input).tensor().shape.rank();
  if (rank < 0) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
  return static_cast<size_t>(rank);
}

Ints axes_of(const Node& node, const char* attribute, size_t rank) {
  const Ints axes = node.get_ints(attribute);
  for (const int64_t axis : axes)
    if (axis < 0 || axis >= static_cast<int64_t>(rank))
      throw Error(Code::BadAttribute, msg(attribute, " names axis ", axis, " of ", rank));
  return axes;
}

Ints numbers_of(const Node& node, int input, size_t count) {
  require_input(node, input);
  const auto known = node.source(input).exact_ints();
  if (!known) throw Error(Code::UnsupportedForm, msg("input ", input, " is not constant"));
  if (known->size() != count)
    throw Error(Code::ShapeMismatch, msg("input ", input, " has ", known->size(), " numbers"));
  for (const int64_t number : *known)
    if (number < INT32_MIN || number > INT32_MAX) throw Error(Code::BadValue, msg("input ", input, " has ", number));
  return *known;
}

OutPort reshaped_to(Builder& b, OutPort x, const std::vector<std::vector<Size>>& dimensions) {
  Ints known, ones;
  size_t others = 0;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].empty()) ones.push_back(static_cast<int64_t>(i));
    others += dimensions[i].size();
  }
  // Dimensions of 1 that come or go need no numbers.
  const int rank = x.tensor().shape.rank();
  if (!ones.empty() && others == dimensions.size() - ones.size() && rank == static_cast<int>(others))
    return b.unsqueeze(x, ones);
  int open = 0;
  bool has_zero = false;
  for (const auto& factors : dimensions) {
    Interval product(1);
    for (const Size& size : factors) product = product * size.of.tensor().shape[static_cast<size_t>(size.axis)];
    open += !product.is_exact();
    has_zero = has_zero || product.min == 0;
    known.push_back(product.is_exact() ? product.min : -1);
  }
  if (open == 0 || (open == 1 && !has_zero)) {
    if (open == 0 && !has_zero && !known.empty()) known[0] = -1;  // the IR may get another batch
    return b.reshape(x, known, false);
  }
  std::vector<OutPort> parts;
  for (size_t i = 0; i < known.size(); ++i) {
    OutPort product;
    for (const Size& size : dimensions[i]) {
      if (known[i] >= 0) break;
      const OutPort one = b.dims_of(size.of, {size.axis});
      product = product ? b.op("Mul", {product, one}) : one;
    }
    parts.push_back(product ? product : b.i64({known[i]}));
  }
  return b.op("Reshape", {x, b.concat(parts, 0)}, {{"special_zero", false}});
}

OutPort part(Builder& b, OutPort x, int64_t axis, int64_t from, int64_t to, int64_t step) {
  return b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({step}), b.i64({axis})});
}

OutPort padded(Builder& b, OutPort x, OutPort value, const Ints& low, const Ints& high, const Ints& interior) {
  const size_t rank = low.size();
  const Ints none(rank, 0);
  value = to_scalar(b, value);
  const auto pad = [&](OutPort data, const Ints& begin, const Ints& end, OutPort with) {
    if (begin == Ints(begin.size(), 0) && end == begin) return data;
    const OutPort before = b.i64(begin), after = b.i64(end);
    return padded_with(b, data, before, after, with);
  };
  for (size_t i = 0; i < rank; ++i) {
    if (interior[i] == 0) continue;
    // Each element gets the others behind it, in an axis of its own; those behind the last one are too many.
    const auto axis = static_cast<int64_t>(i);
    std::vector<std::vector<Size>> dimensions;
    const OutPort apart = b.unsqueeze(x, {axis + 1});
    Ints end(rank + 1, 0);
    end[i + 1] = interior[i];
    const OutPort wide = pad(apart, Ints(rank + 1, 0), end, value);
    for (size_t k = 0; k < rank; ++k) {
      const auto at = static_cast<int64_t>(k < i + 1 ? k : k + 1);
      dimensions.push_back(k == i ? std::vector<Size>{{wide, axis}, {wide, axis + 1}} : std::vector<Size>{{wide, at}});
    }
    x = part(b, reshaped_to(b, wide, dimensions), axis, 0, -interior[i]);
  }
  Ints begin(rank), end(rank);
  for (size_t i = 0; i < rank; ++i) {
    begin[i] = std::max<int64_t>(0, low[i]), end[i] = std::max<int64_t>(0, high[i]);
    if (low[i] < 0 || high[i] < 0)
      x = part(b, x, static_cast<int64_t>(i), std::max<int64_t>(0, -low[i]), high[i] < 0 ? high[i] : INT64_MAX);
  }
  return pad(x, begin, end, value);
}

Reducer::Reducer(Builder& b, Node& node, const char* attribute, size_t width)
    : b_(b), node_(node), attribute_(attribute) {
  const Graph* body = node.get_graph(attribute);
  if (!body) throw Error(Code::MissingAttribute, msg(attribute));
  if (width == 0 || body->parameters.size() != 2 * width || body->results.size() != width)
    throw Error(Code::ShapeMismatch, msg(attribute, " has ", body->parameters.size(), " arguments"));
  for (size_t i = 0; i < width; ++i) ops_.push_back(simple_op(*body, i));
  if (is_simple()) return;
  for (const Node* each : body->nodes())
    if (!is_one_of(each->op(), kOfElements))
      throw Error(Code::UnsupportedForm, msg("a function of elements in which there is ", each->op()));
}

bool Reducer::is_simple() const {
  return std::none_of(ops_.begin(), ops_.end(), [](const std::string& op) { return op.empty(); });
}

std::vector<OutPort> Reducer::operator()(List<OutPort> first, List<OutPort> second) const {
  std::vector<OutPort> out;
  if (is_simple()) {
    for (size_t i = 0; i < first.size(); ++i)
      out.push_back(ops_[i] == "Second" ? second[i] : b_.op(ops_[i].c_str(), {first[i], second[i]}));
    return out;
  }
  std::vector<OutPort> inputs(first.begin(), first.end());
  inputs.insert(inputs.end(), second.begin(), second.end());
  return inline_body(b_, node_, attribute_, inputs);
}

bool Reducer::is_neutral(OutPort initial, size_t operand) const {
  const std::string& op = ops_[operand];
  const auto number = known_number(b_, initial);
  if (!number || op.empty()) return false;
  const OutPort neutral = neutral_of(b_, op, initial);
  if (!neutral) return false;
  const auto wanted = known_number(b_, neutral);
  const bool infinite = op == "Maximum" ? *number == -kInfinity : op == "Minimum" && *number == kInfinity;
  return infinite || (wanted && *wanted == *number);
}

OutPort neutral_of(Builder& b, const std::string& op, OutPort x) {
  const ElementType type = x.tensor().type;
  if (op == "Add" || op == "Sub") return b.scalar_like(x, 0);
  if (op == "Mul") return b.scalar_like(x, 1);
  if (op == "LogicalAnd" || op == "LogicalOr") return b.scalar_like(x, op == "LogicalAnd");
  if (op != "Minimum" && op != "Maximum") return {};
  if (is_float(type)) return b.scalar_like(x, op == "Minimum" ? kInfinity : -kInfinity);
  if (!is_integer(type)) return {};
  const unsigned width = static_cast<unsigned>(bits(type)) - (is_signed(type) ? 1 : 0);
  const double most = width >= 63 ? 0x1p63 : static_cast<double>(uint64_t{1} << width);
  if (op == "Maximum") return b.scalar_like(x, is_signed(type) ? -most : 0);
  return width > 53 ? OutPort() : b.scalar_like(x, most - 1);
}

OutPort inside(Builder& b, OutPort starts, OutPort x, const Ints& axes, const Ints& sizes) {
  const PartialShape& shape = x.tensor().shape;
  Ints last;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dimension& dimension = shape[static_cast<size_t>(axes[i])];
    if (dimension.is_exact() && sizes[i] > dimension.min)
      throw Error(Code::ShapeMismatch, msg("windows of ", sizes[i], " along a dimension of ", dimension.min));
    last.push_back(sizes[i] < 0 ? 0 : dimension.is_exact() ? dimension.min - sizes[i] : -1);
  }
  OutPort most;
  if (!has_axis(last, -1)) {
    most = b.i64(last);
  } else {
    Ints taken;
    for (size_t i = 0; i < axes.size(); ++i) taken.push_back(std::max<int64_t>(0, sizes[i]));
    most = b.op("Sub", {b.dims_of(x, axes), b.i64(taken)});
  }
  const OutPort low = b.op("Maximum", {b.convert(starts, ElementType::I64), b.i64_scalar(0)});
  return b.op("Minimum", {low, most});
}

OutPort in_window(Builder& b, OutPort start, int64_t size) {
  return size == 1 ? start : b.op("Add", {start, counted(b, b.i64_scalar(size))});
}

}  // namespace mo::xla
