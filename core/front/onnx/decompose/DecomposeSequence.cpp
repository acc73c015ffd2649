// Before: operations that create sequences (SequenceConstruct, SequenceEmpty, SequenceInsert, SequenceErase,
//         SplitToSequence, SequenceMap) and read them (SequenceAt, SequenceLength, ConcatFromSequence)
// After:  their tensors, sliced, stacked or concatenated where a sequence is read
// Conditions: where a sequence is read, its elements are known, or it is all slices of a tensor; if the index of the
//         element is known at run time only, all elements have the same known shape.

#include <algorithm>

#include "core/decompose/control/inline_body.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/sequence.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

using onnx::make_sequence;
using onnx::SequenceView;
using onnx::Slices;
using onnx::with_axis_moved;

std::optional<int64_t> known_position(const Node& node, int input) {
  const auto& ints = node.source(input).tensor().ints;
  if (!ints || !ints->is_exact() || ints->elements.size() != 1) return std::nullopt;
  return ints->elements[0].min;
}

/// The known position at `input`, counted from the front: the position of one of `count` elements, or with `behind`
/// also the position after the last. A missing input means the last position. Throws BadValue, and UnsupportedForm when
/// the position is unknown.
size_t position_in(const Node& node, int input, size_t count, bool behind) {
  const auto n = static_cast<int64_t>(count), last = behind ? n : n - 1;
  const std::optional<int64_t> given = node.has_in(input) ? known_position(node, input) : last;
  if (!given) throw Error(Code::UnsupportedForm, "a position that only the running model knows");
  const int64_t at = *given < 0 ? *given + n : *given;
  if (at < 0 || at > last) throw Error(Code::BadValue, msg("position ", *given, " in a sequence of ", n, " elements"));
  return static_cast<size_t>(at);
}

/// The attributes of a list that is made from another one. It is not written out: a chain of n of them would have n²
/// inputs.
Attributes places(size_t position, size_t count) {
  Attributes attributes;
  attributes.set("position", static_cast<int64_t>(position));
  attributes.set("count", static_cast<int64_t>(count));
  return attributes;
}

OutPort inserted(Builder& b, Node& node) {
  require_input(node, 1);
  const SequenceView sequence(b, node, 0);
  if (sequence.is_list()) {
    const size_t at = position_in(node, 2, sequence.count(), true);
    return b.op("ExtendedSequence", {node.source(0), node.source(1)}, places(at, sequence.count() + 1));
  }
  std::vector<OutPort> elements = sequence.elements();
  const size_t at = position_in(node, 2, elements.size(), true);
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(at), node.source(1));
  return make_sequence(b, elements);
}

OutPort erased(Builder& b, Node& node) {
  const SequenceView sequence(b, node, 0);
  if (sequence.is_list()) {
    const size_t at = position_in(node, 1, sequence.count(), false);
    return b.op("ShortenedSequence", {node.source(0)}, places(at, sequence.count() - 1));
  }
  std::vector<OutPort> elements = sequence.elements();
  const size_t at = position_in(node, 1, elements.size(), false);
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(at));
  return make_sequence(b, elements);
}

OutPort element_at(Builder& b, Node& node) {
  require_input(node, 1);
  const SequenceView sequence(b, node, 0);
  if (!sequence.is_sliced() && !sequence.packed() && known_position(node, 1))
    return sequence.element(position_in(node, 1, sequence.count(), false));
  if (sequence.packed()) return onnx::packed_element(b, *sequence.packed(), node.source(1));
  const Slices slices = sequence.slices();
  OutPort index = to_i64_scalar(b, node.source(1));
  index = from_front(b, index, dimension_of(b, slices.data, slices.axis));
  const OutPort element = b.gather(slices.data, index, slices.axis);
  return slices.keep_dims ? b.unsqueeze(element, {slices.axis}) : element;
}

OutPort concatenated(Builder& b, Node& node) {
  if (!node.has("axis")) throw Error(Code::MissingAttribute, "axis");
  const int64_t axis = node.get_int("axis");
  const bool new_axis = node.get_int("new_axis") != 0;
  const SequenceView sequence(b, node, 0);
  if (sequence.packed())
    return new_axis ? with_axis_moved(b, onnx::stacked(b, *sequence.packed()), 0, axis)
                    : onnx::joined(b, *sequence.packed(), axis);
  if (sequence.is_sliced()) {
    const Slices slices = sequence.slices();
    if (new_axis && !slices.keep_dims) return with_axis_moved(b, slices.data, slices.axis, axis);
    const int rank = slices.data.tensor().shape.rank();
    if (!new_axis && slices.keep_dims && rank >= 0 && normalize_axis(axis, rank) == normalize_axis(slices.axis, rank))
      return slices.data;
    if (!new_axis && !slices.keep_dims && rank > 1) {
      // [.., n, .., d, ..]: n is moved before the dimension with which it is merged.
      const auto along = static_cast<int64_t>(normalize_axis(axis, rank - 1));
      const OutPort moved = with_axis_moved(b, slices.data, slices.axis, along);
      const OutPort shape = b.shape_of(moved);
      std::vector<OutPort> wanted;
      if (along > 0) wanted.push_back(b.op("Slice", {shape, b.i64({0}), b.i64({along}), b.i64({1}), b.i64({0})}));
      wanted.push_back(b.i64({-1}));
      if (along + 2 < rank)
        wanted.push_back(b.op("Slice", {shape, b.i64({along + 2}), b.i64({rank}), b.i64({1}), b.i64({0})}));
      return b.op("Reshape", {moved, wanted.size() == 1 ? wanted[0] : b.concat(wanted, 0)}, {{"special_zero", false}});
    }
  }
  std::vector<OutPort> parts = sequence.elements();
  if (parts.empty()) throw Error(Code::UnsupportedForm, "concatenation of an empty sequence");
  if (new_axis)
    for (OutPort& part : parts) part = b.unsqueeze(part, {axis});
  return parts.size() == 1 ? parts[0] : b.concat(parts, axis);
}

OutPort split_by(Builder& b, OutPort x, int64_t axis, OutPort lengths, int64_t parts) {
  if (parts > onnx::kMostElements) throw Error(Code::UnsupportedForm, msg("a sequence of ", parts, " elements"));
  if (parts == 0) return make_sequence(b, std::vector<OutPort>{});
  Node& made = b.node("VariadicSplit", {x, b.i64_scalar(axis), lengths}, {}, static_cast<int>(parts));
  std::vector<OutPort> elements;
  for (int i = 0; i < made.out_count(); ++i) elements.push_back(made.out(i));
  return make_sequence(b, elements);
}

/// Parts of `size` elements; the last has the rest.
OutPort split_equally(Builder& b, OutPort x, int64_t axis, std::optional<int64_t> size) {
  if (!size) throw Error(Code::UnsupportedForm, "parts of a size that only the running model knows");
  if (*size < 1) throw Error(Code::BadValue, msg("parts of ", *size, " elements"));
  if (*size == 1) return make_sequence(b, Slices{x, axis, true});
  const int rank = x.tensor().shape.rank();
  const Dimension along = rank >= 0 ? x.tensor().shape[static_cast<size_t>(axis)] : kAnyDimension;
  if (!along.is_exact() || along.min / *size > onnx::kMostElements)
    throw Error(Code::UnsupportedForm, msg("parts of ", *size, " elements of a dimension of [", to_string(along), "]"));
  Ints lengths(static_cast<size_t>(along.min / *size), *size);
  if (along.min % *size != 0) lengths.push_back(along.min % *size);
  return split_by(b, x, axis, b.i64(lengths), static_cast<int64_t>(lengths.size()));
}

/// Whether all numbers are 1, even if their count is unknown.
bool all_ones(OutPort numbers) {
  const Node& made = numbers.node();
  const bool filled = made.op() == "Broadcast";
  const Boxed<IntTensor>& ints = (filled ? made.source(0) : numbers).tensor().ints;
  return ints && (filled || !ints->elements.empty()) &&
         std::all_of(ints->elements.begin(), ints->elements.end(), [](const Interval& i) {
           return i == Interval{1, 1};
         });
}

OutPort split(Builder& b, Node& node) {
  require_input(node, 0);
  const OutPort x = node.source(0);
  int64_t axis = node.get_int("axis");
  const int rank = x.tensor().shape.rank();
  if (rank >= 0) axis = static_cast<int64_t>(normalize_axis(axis, rank));
  if (!node.has_in(1)) return make_sequence(b, Slices{x, axis, node.get_int("keepdims") != 0});
  const OutPort lengths = node.source(1);
  const Tensor& known = lengths.tensor();
  if (known.shape.rank() == 0) return split_equally(b, x, axis, known_position(node, 1));
  const PartialShape& shape = x.tensor().shape;
  const bool fits = known.shape.rank() == 1 && rank >= 0 && intersect(known.shape[0], shape[static_cast<size_t>(axis)]);
  if (fits && all_ones(lengths)) return make_sequence(b, Slices{x, axis, true});
  if (known.shape.rank() != 1 || !known.shape.is_static())
    throw Error(Code::UnsupportedForm, "a number of parts that only the running model knows");
  return split_by(b, x, axis, lengths, known.shape[0].min);
}

/// One output sequence for each result of the body. The body is copied for each element.
std::vector<OutPort> mapped(Builder& b, Node& node) {
  const size_t count = SequenceView(b, node, 0).elements().size();
  std::vector<std::vector<OutPort>> inputs(count);
  const Graph* body = node.get_graph("body");
  if (!body) throw Error(Code::MissingAttribute, "body");
  size_t formal = 0;
  for (const Node* parameter : body->parameters) formal += parameter->has("external_port_id") ? 0 : 1;
  for (size_t i = 0; i < formal; ++i) {
    const int input = static_cast<int>(i);
    require_input(node, input);
    const Node& made_by = node.source(input).node();
    const bool sequence = i == 0 || made_by.op() == "SequenceOfSlices" || onnx::is_list(made_by);
    const std::vector<OutPort> elements = sequence ? SequenceView(b, node, input).elements() : std::vector<OutPort>();
    if (sequence && elements.size() != count)
      throw Error(Code::ShapeMismatch, msg("sequences of ", count, " and ", elements.size(), " elements"));
    for (size_t k = 0; k < count; ++k) inputs[k].push_back(sequence ? elements[k] : node.source(input));
  }
  std::vector<std::vector<OutPort>> made(body->results.size());
  for (const std::vector<OutPort>& given : inputs) {
    const std::vector<OutPort> results = inline_body(b, node, "body", given);
    for (size_t i = 0; i < results.size(); ++i) made[i].push_back(results[i]);
  }
  std::vector<OutPort> out;
  for (const std::vector<OutPort>& elements : made) out.push_back(make_sequence(b, elements));
  return out;
}

class DecomposeSequence final : public Decomposition {
 public:
  Names ops() const override {
    return {"SequenceConstruct", "SequenceEmpty", "SequenceInsert", "SequenceErase",      "SplitToSequence",
            "SequenceAt",        "SequenceMap",   "SequenceLength", "ConcatFromSequence", "SequenceJoin"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    if (op == "SequenceInsert") return {inserted(b, node)};
    if (op == "SequenceJoin") return {onnx::joined_sequences(b, node)};
    if (op == "SequenceErase") return {erased(b, node)};
    if (op == "SplitToSequence") return {split(b, node)};
    if (op == "SequenceAt") return {element_at(b, node)};
    if (op == "SequenceMap") return mapped(b, node);
    if (op == "SequenceLength") return {SequenceView(b, node, 0).length()};
    if (op == "ConcatFromSequence") return {concatenated(b, node)};
    std::vector<OutPort> elements;
    for (int i = 0; i < node.in_count(); ++i) require_input(node, i), elements.push_back(node.source(i));
    return {make_sequence(b, elements)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSequence)
}  // namespace mo
