// Before: final states, scan outputs = Scan(states, scan inputs, captured) {body, num_scan_inputs, scan_input_axes, …}
// After:  … = TensorIterator(states, scan inputs, captured), with Squeeze and Unsqueeze of the slices in the body; a
//         Transpose after outputs whose axis counts from the back
// Conditions: axes counted from the back need a known rank. If batched, all tensors have a leading batch dimension: it
//         must be 1, and there are no sequence_lens.

#include <algorithm>
#include <numeric>

#include "core/build/loop_builder.h"
#include "core/front/onnx/extract/control_flow.h"
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
    const int first = batched ? 1 : 0;  // sequence_lens come before the states
    if (batched && node.has_in(0)) throw Error(Code::UnsupportedForm, "sequence_lens");
    const int formal = onnx::formal_count(node) - first;
    const int64_t scans = node.get_int("num_scan_inputs");
    if (scans < 1 || scans > formal)
      throw Error(Code::BadAttribute, msg("num_scan_inputs is ", scans, " of ", formal, " inputs"));
    const int states = formal - static_cast<int>(scans);

    Node& loop = b.graph().add_node("TensorIterator", node.name() + "/TensorIterator");
    loop.add_in_ports(node.in_count());
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i))
        loop.in(i).connect(i < first + formal ? without_batch(b, node.source(i), batched) : node.source(i));
    const std::shared_ptr<Graph> body =
        copy_body(onnx::required_body(node, "body", std::max(states, node.out_count())), loop);
    loop.set("body", body);
    const std::vector<Node*> parameters = onnx::formal_parameters(*body, formal), results = body->results;
    const int outputs = static_cast<int>(results.size());
    loop.add_out_ports(outputs);

    std::vector<OutPort> made;
    for (int i = 0; i < states; ++i) {
      require_input(loop, first + i);
      Node& result = *results[static_cast<size_t>(i)];
      if (onnx::carry(*parameters[static_cast<size_t>(i)], result, first + i)) {
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
      onnx::scan_output(*results[static_cast<size_t>(i)], i, std::max<int64_t>(axis, 0), reverse);
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
  static OutPort without_batch(Builder& b, OutPort x, bool batched) {
    if (!batched) return x;
    const PartialShape& shape = x.tensor().shape;
    if (shape.rank() < 1 || !(shape[0] == Dimension(1)))
      throw Error(Code::UnsupportedForm, msg("Scan of operator set 8 for a batch of [", to_string(shape), "], want 1"));
    return b.squeeze(x, {0});
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
