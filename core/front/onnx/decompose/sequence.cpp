#include "core/front/onnx/decompose/sequence.h"

#include "core/decompose/shaping.h"
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
    if (node.op() == "Sequence" || node.op() == "SequenceOfSlices" || node.op() == "PackedSequence") return &node;
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

}  // namespace

SequenceView::SequenceView(Builder& b, Node& reader, int input) : b_(b) {
  if (!reader.has_in(input)) throw Error(Code::MissingInput, cat("input ", input), reader.place());
  Node* maker = maker_of(reader.source(input));
  if (!maker) throw Error(Code::UnsupportedForm, "a sequence that is only known when the model runs", reader.place());
  if (maker->op() == "SequenceOfSlices") {
    sliced_ =
        Slices{seen_from(b.graph(), maker->source(0)), maker->get_int("axis"), maker->get_bool("keep_dims", true)};
  } else if (maker->op() == "PackedSequence") {
    const OutPort data = seen_from(b.graph(), maker->source(0));
    packed_ = packed_of(*maker, data, seen_from(b.graph(), maker->source(1)));
  } else {
    for (int i = 0; i < maker->in_count(); ++i) elements_.push_back(seen_from(b.graph(), maker->source(i)));
  }
}

std::vector<OutPort> SequenceView::elements() const {
  if (packed_) throw Error(Code::UnsupportedForm, "elements of different shapes, taken one by one");
  if (!sliced_) return elements_;
  const PartialShape& shape = sliced_->data.tensor().shape;
  if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "a sequence of unknown length");
  const Dimension count = shape[normalize_axis(sliced_->axis, shape.rank())];
  if (!count.is_exact() || count.min > kMostElements)
    throw Error(Code::UnsupportedForm, cat("a sequence of [", to_string(count), "] elements, taken one by one"));
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
  if (elements_.empty()) throw Error(Code::UnsupportedForm, "an element of an empty sequence");
  std::vector<OutPort> stacked;
  for (const OutPort& element : elements_) {
    const PartialShape &shape = element.tensor().shape, &first = elements_[0].tensor().shape;
    if (!shape.is_static() || !(shape == first))
      throw Error(Code::UnsupportedForm, cat("any element of a sequence whose elements are of [", to_string(first),
                                             "] and [", to_string(shape), "]"));
    stacked.push_back(b_.unsqueeze(element, {0}));
  }
  return {b_.concat(stacked, 0), 0, false};
}

OutPort SequenceView::length() const {
  if (packed_) return dimension_of(b_, packed_->shapes, 0);
  if (!sliced_) return b_.i64_scalar(static_cast<int64_t>(elements_.size()));
  return dimension_of(b_, sliced_->data, sliced_->axis);
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
