// Before: final states, scan outputs = Scan(states, scan inputs, captured) {body, num_scan_inputs, scan_input_axes, …}
// After:  … = TensorIterator(states, scan inputs, captured), with Squeeze and Unsqueeze of the slices in the body; a
//         Transpose after outputs whose axis counts from the back
// Before: Scan(sequence_lens, states, scan inputs, captured) {body, batched, …}: each with a leading batch dimension
// After:  the same for each sample in a TensorIterator over the batch, of the first elements of its scan inputs only,
//         with zeros behind its scan outputs; no such loop where the batch is 1 and there are no sequence_lens
// Conditions: axes counted from the back, and scan outputs with sequence_lens, need a known rank.

#include <algorithm>
#include <numeric>

#include "core/build/loop_builder.h"
#include "core/decompose/control/nested.h"
#include "core/decompose/control/positional_body.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

int64_t element_of(const Node& node, std::string_view attribute, int index, size_t size, int64_t otherwise) {
  const Ints values = node.get_ints(attribute);
  if (!values.empty() && values.size() != size)
    throw Error(Code::BadAttribute, msg(attribute, " has ", values.size(), " elements, want ", size));
  return values.empty() ? otherwise : values[static_cast<size_t>(index)];
}

/// Moves axis 0 of `x` to `axis`, counted from the back.
OutPort move_axis(Builder& b, OutPort x, int64_t axis) {
  const int rank = x.tensor().shape.rank();
  if (rank < 0) throw Error(Code::UnsupportedForm, "scan_output_axes from the back for an output of unknown rank");
  Ints order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  const auto to = static_cast<int64_t>(normalize_axis(axis, rank));
  order.erase(order.begin());
  order.insert(order.begin() + to, 0);
  return b.transpose(x, order);
}

class DecomposeScan final : public Decomposition {
 public:
  Names ops() const override { return {"Scan"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const bool batched = node.get_bool("batched");
    const int first = node.get_bool("has_lengths") ? 1 : 0;  // sequence_lens come before the states
    const int formal = formal_count(node) - first;
    const int64_t scans = node.get_int("num_scan_inputs");
    if (scans < 1 || scans > formal)
      throw Error(Code::BadAttribute, msg("num_scan_inputs is ", scans, " of ", formal, " inputs"));
    const int states = formal - static_cast<int>(scans);
    if (batched && (node.has_in(0) || !is_one_sample(node, formal))) return of_batch(b, node, states, formal);

    Node& loop = b.graph().add_node("TensorIterator", node.name() + "/TensorIterator");
    loop.add_in_ports(node.in_count());
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i))
        loop.in(i).connect(batched && i < first + formal ? b.squeeze(node.source(i), {0}) : node.source(i));
    const std::shared_ptr<Graph> body =
        copy_body(required_body(node, "body", std::max(states, node.out_count())), loop);
    loop.set("body", body);
    const std::vector<Node*> parameters = formal_parameters(*body, formal), results = body->results;
    const int outputs = static_cast<int>(results.size());
    loop.add_out_ports(outputs);

    std::vector<OutPort> made;
    for (int i = 0; i < states; ++i) {
      require_input(loop, first + i);
      Node& result = *results[static_cast<size_t>(i)];
      if (carry(*parameters[static_cast<size_t>(i)], result, first + i)) {
        result.set("external_port_id", int64_t{i});
        made.push_back(loop.out(i));
      } else {
        body->remove(result);
        loop.delete_out_port(i);
        made.push_back(loop.source(first + i));
      }
    }
    for (int i = 0; i < scans; ++i) {
      Node& parameter = *parameters[static_cast<size_t>(states) + static_cast<size_t>(i)];
      scan_input(node, loop, parameter, first + states + i, i);
    }
    const auto parts = static_cast<size_t>(outputs - states);
    for (int i = states; i < outputs; ++i) {
      const bool reverse = element_of(node, "scan_output_directions", i - states, parts, 0) != 0;
      const int64_t axis = element_of(node, "scan_output_axes", i - states, parts, 0);
      scan_output(*results[static_cast<size_t>(i)], i, std::max<int64_t>(axis, 0), reverse);
      made.push_back(loop.out(i));
    }
    infer_node(loop);
    for (int i = states; i < outputs; ++i)
      if (const int64_t axis = element_of(node, "scan_output_axes", i - states, parts, 0); axis < 0)
        made[static_cast<size_t>(i)] = move_axis(b, made[static_cast<size_t>(i)], axis);
    for (OutPort& port : made)
      if (batched) port = b.unsqueeze(port, {0});
    return made;
  }

 private:
  static bool is_one_sample(const Node& node, int formal) {
    for (int i = 1; i <= formal; ++i) {
      require_input(node, i);
      const PartialShape& shape = node.source(i).tensor().shape;
      if (shape.rank() < 1 || !(shape[0] == Dimension(1))) return false;
    }
    return true;
  }

  static std::vector<OutPort> of_batch(Builder& b, const Node& node, int states, int formal) {
    LoopBuilder loop(b);
    Builder& body = loop.body();
    const OutPort length = node.has_in(0) ? body.unsqueeze(loop.each(node.source(0), 0), {0}) : OutPort();
    OutPort whole;
    std::vector<OutPort> inputs(static_cast<size_t>(node.in_count()));
    for (int i = 1; i < node.in_count(); ++i) {
      OutPort& input = inputs[static_cast<size_t>(i)];
      if (node.has_in(i)) input = i <= formal ? loop.each(node.source(i), 0) : loop.invariant(node.source(i));
      if (!length || i <= states || i > formal) continue;
      whole = body.dims_of(input, {0});
      input = body.op("Slice", {input, body.i64({0}), length, body.i64({1}), body.i64({0})});
    }
    Attributes attributes = node.attributes;
    attributes.set("batched", false);
    std::vector<OutPort> outputs = decomposed(body, "Scan", inputs, std::move(attributes), node.out_count());
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (length && i >= static_cast<size_t>(states)) outputs[i] = filled(body, outputs[i], whole);
      outputs[i] = loop.collect(outputs[i], 0);
    }
    loop.finish();
    return outputs;
  }

  /// With zeros behind, so that axis 0 is as long.
  static OutPort filled(Builder& b, OutPort x, OutPort length) {
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "sequence_lens with an output of unknown rank");
    const OutPort missing = b.op("Sub", {length, b.dims_of(x, {0})});
    const Ints none(static_cast<size_t>(rank), 0), others(static_cast<size_t>(rank - 1), 0);
    const OutPort end = rank == 1 ? missing : b.concat({missing, b.i64(others)}, 0);
    return b.op("Pad", {x, b.i64(none), end, b.scalar_like(x, 0)}, {{"mode", "constant"}});
  }

  static void scan_input(const Node& node, Node& loop, Node& parameter, int port, int index) {
    require_input(loop, port);
    const auto scans = static_cast<size_t>(node.get_int("num_scan_inputs"));
    const bool reverse = element_of(node, "scan_input_directions", index, scans, 0) != 0;
    int64_t axis = element_of(node, "scan_input_axes", index, scans, 0);
    const int rank = loop.source(port).tensor().shape.rank();
    if (rank >= 0) {
      axis = static_cast<int64_t>(normalize_axis(axis, rank));
    } else if (axis < 0) {
      throw Error(Code::UnsupportedForm, "scan_input_axes from the back for an input of unknown rank");
    }
    parameter.set("external_port_id", int64_t{port});
    set_slices(parameter, axis, reverse);
    const std::vector<InPort> readers = parameter.out(0).destinations();
    const OutPort element = Builder(parameter).squeeze(parameter.out(0), {axis});
    for (const InPort& reader : readers) reader.connect(element);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeScan)
}  // namespace mo
