#include "core/front/onnx/decompose/sequence.h"

#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/element_tree.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo::onnx {
namespace {

/// Makes a port of the enclosing graph available in `body`, as a Parameter.
OutPort brought_in(Graph& body, OutPort outside) {
  Node& owner = *body.owner();
  const int port = owner.in_count();
  owner.add_in_ports(port + 1);
  owner.in(port).connect(outside);
  Node& parameter = body.add_node("Parameter", outside.node().name());
  parameter.add_out_ports(1);
  parameter.set("external_port_id", int64_t{port});
  infer_node(parameter);
  return parameter.out(0);
}

/// The node that creates the sequence, found by following nodes that pass it on.
Node* maker_of(OutPort port) {
  while (port) {
    Node& node = port.node();
    if (is_list(node) || node.op() == "SequenceOfSlices" || node.op() == "PackedSequence") return &node;
    if (node.op() == "Identity") {
      port = node.source(0);
    } else if (node.op() == "Parameter") {
      port = invariant_source(node);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// Makes `port`, of `graph` or an enclosing graph, available in `graph`.
OutPort seen_from(Graph& graph, OutPort port) {
  if (&port.node().graph() == &graph) return port;
  if (!graph.owner()) throw Error(Code::InvalidGraph, "a sequence of another graph");
  return brought_in(graph, seen_from(graph.owner()->graph(), port));
}

std::vector<InPort> inputs_of(Node& node) {
  std::vector<InPort> inputs;
  for (int i = 0; i < node.in_count(); ++i) inputs.push_back(node.in(i));
  return inputs;
}

/// The elements of a list that others were made from, or that was made from others. Lists on the way remember theirs: a
/// long chain of them is followed once.
const ElementTree& tree_of(Node& list) {
  constexpr size_t kStep = 8;  // a tree of each would take much memory
  std::vector<Node*> way;
  Node* node = &list;
  while (!node->memory<ElementTree>() && node->op() != "Sequence") {
    way.push_back(node);
    node = maker_of(node->source(0));
    if (!node || !is_list(*node)) throw Error(Code::UnsupportedForm, "a list that is no longer known", list.place());
  }
  if (!node->memory<ElementTree>()) {
    ElementTree tree;
    for (const InPort& input : inputs_of(*node)) tree = tree.with(tree.size(), input);
    node->remember(std::make_shared<ElementTree>(std::move(tree)));
  }
  ElementTree tree = *node->memory<ElementTree>();
  while (!way.empty()) {
    node = way.back();
    way.pop_back();
    const auto at = static_cast<size_t>(node->get_int("position"));
    tree = node->op() == "ExtendedSequence" ? tree.with(at, node->in(1)) : tree.without(at);
    if (way.size() % kStep == 0) node->remember(std::make_shared<ElementTree>(tree));
  }
  return *node->memory<ElementTree>();
}

std::vector<InPort> places_in(Node& list) {
  return list.op() == "Sequence" ? inputs_of(list) : tree_of(list).elements();
}

}  // namespace

SequenceView::SequenceView(Builder& b, Node& reader, int input) : b_(b) {
  if (!reader.has_in(input)) throw Error(Code::MissingInput, msg("input ", input), reader.place());
  Node* maker = maker_of(reader.source(input));
  if (!maker) throw Error(Code::UnsupportedForm, "a sequence that is only known when the model runs", reader.place());
  if (maker->op() == "SequenceOfSlices") {
    sliced_ =
        Slices{seen_from(b.graph(), maker->source(0)), maker->get_int("axis"), maker->get_bool("keep_dims", true)};
  } else if (maker->op() == "PackedSequence") {
    const OutPort data = seen_from(b.graph(), maker->source(0));
    packed_ = packed_of(*maker, data, seen_from(b.graph(), maker->source(1)));
  } else if (&maker->graph() == &b.graph()) {
    list_ = maker;
  } else {
    for (const InPort& place : places_in(*maker)) elements_.push_back(seen_from(b.graph(), place.source()));
  }
}

size_t SequenceView::count() const {
  if (!list_) return elements().size();
  return list_->op() == "Sequence" ? static_cast<size_t>(list_->in_count())
                                   : static_cast<size_t>(list_->get_int("count"));
}

OutPort SequenceView::element(size_t position) const {
  if (!list_) return elements()[position];
  const InPort place = list_->op() == "Sequence" ? list_->in(static_cast<int>(position)) : tree_of(*list_).at(position);
  return seen_from(b_.graph(), place.source());
}

std::vector<OutPort> SequenceView::elements() const {
  if (packed_) throw Error(Code::UnsupportedForm, "elements of different shapes, taken one by one");
  if (list_) {
    std::vector<OutPort> out;
    for (const InPort& place : places_in(*list_)) out.push_back(seen_from(b_.graph(), place.source()));
    return out;
  }
  if (!sliced_) return elements_;
  const PartialShape& shape = sliced_->data.tensor().shape;
  if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "a sequence of unknown length");
  const Dimension count = shape[normalize_axis(sliced_->axis, shape.rank())];
  if (!count.is_exact() || count.min > kMostElements)
    throw Error(Code::UnsupportedForm, msg("a sequence of [", to_string(count), "] elements, taken one by one"));
  if (count.min == 0) return {};
  Node& split = b_.node("Split", {sliced_->data, b_.i64_scalar(sliced_->axis)}, {{"num_splits", count.min}},
                        static_cast<int>(count.min));
  std::vector<OutPort> out;
  for (int i = 0; i < split.out_count(); ++i)
    out.push_back(sliced_->keep_dims ? split.out(i) : b_.squeeze(split.out(i), {sliced_->axis}));
  return out;
}

Slices SequenceView::slices() const {
  if (sliced_) return *sliced_;
  if (packed_) throw Error(Code::UnsupportedForm, "elements of different shapes as slices");
  const std::vector<OutPort> all = elements();
  if (all.empty()) throw Error(Code::UnsupportedForm, "an element of an empty sequence");
  std::vector<OutPort> stacked;
  for (const OutPort& element : all) {
    const PartialShape &shape = element.tensor().shape, &first = all[0].tensor().shape;
    if (!shape.is_static() || !(shape == first))
      throw Error(Code::UnsupportedForm, msg("any element of a sequence whose elements are of [", to_string(first),
                                             "] and [", to_string(shape), "]"));
    stacked.push_back(b_.unsqueeze(element, {0}));
  }
  return {b_.concat(stacked, 0), 0, false};
}

OutPort SequenceView::length() const {
  if (packed_) return dimension_of(b_, packed_->shapes, 0);
  if (!sliced_) return b_.i64_scalar(static_cast<int64_t>(count()));
  return dimension_of(b_, sliced_->data, sliced_->axis);
}

bool is_list(const Node& node) {
  return node.op() == "Sequence" || node.op() == "ExtendedSequence" || node.op() == "ShortenedSequence";
}

std::vector<const Node*> readers_of(OutPort sequence) {
  std::vector<const Node*> readers;
  std::vector<OutPort> open{sequence};
  while (!open.empty()) {
    const OutPort port = open.back();
    open.pop_back();
    for (const InPort& reader : port.destinations()) {
      readers.push_back(&reader.node());
      if (reader.node().op() == "Identity" || reader.node().op() == "SequenceJoin")
        open.push_back(reader.node().out(0));
    }
  }
  return readers;
}

int64_t axis_of_readers(OutPort sequence, int rank) {
  std::optional<int64_t> found;
  for (const Node* reader : readers_of(sequence)) {
    if (reader->op() != "ConcatFromSequence") continue;
    const auto axis = static_cast<int64_t>(normalize_axis(reader->get_int("axis"), rank));
    if (found && *found != axis) return 0;
    found = axis;
  }
  return found.value_or(0);
}

OutPort make_sequence(Builder& b, const std::vector<OutPort>& elements) { return b.op("Sequence", elements); }
OutPort make_sequence(Builder& b, const Slices& slices) {
  return b.op("SequenceOfSlices", {slices.data}, {{"axis", slices.axis}, {"keep_dims", slices.keep_dims}});
}

}  // namespace mo::onnx
