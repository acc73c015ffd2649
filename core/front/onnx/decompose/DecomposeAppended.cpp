// Before: S = SequenceOfSlices(Loop {body with item, whose slices are an output}) {appended}
// After:  the same, not appended, if all items have one shape; otherwise S = PackedSequence(list[1:], shapes), where
//         Loop {body: list = Concat(list, Reshape(item, [-1])); the slices of shapes are ShapeOf(item)}
// Conditions: the rank of the items is known.

#include <algorithm>

#include "core/build/loop_builder.h"
#include "core/decompose/control/positional_body.h"
#include "core/front/onnx/decompose/packed_sequence.h"
#include "core/front/onnx/decompose/same_shape.h"
#include "core/front/onnx/decompose/sequence.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Joining along a new axis needs equal shapes.
bool are_stacked(OutPort sequence) {
  const std::vector<const Node*> readers = onnx::readers_of(sequence);
  return std::any_of(readers.begin(), readers.end(), [](const Node* reader) {
    return reader->op() == "ConcatFromSequence" && reader->get_int("new_axis") != 0;
  });
}

class DecomposeAppended final : public Decomposition {
 public:
  Names ops() const override { return {"SequenceOfSlices"}; }
  bool applies(const Node& node) const override { return node.get_bool("appended"); }

  /// All sequences to which the loop appends, at once.
  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    Node& loop = node.source(0).node();
    if (loop.op() != "Loop") throw Error(Code::UnsupportedForm, msg("elements appended by ", loop.op()));
    const std::vector<char> same = onnx::same_shapes(*loop.get_graph("body"));
    std::vector<Node*> packed;
    for (int i = 0, outputs = loop.out_count(); i < outputs; ++i) {
      if (!loop.has_out_port(i)) continue;
      for (const InPort& reader : loop.out(i).destinations()) {
        Node& sequence = reader.node();
        if (sequence.op() != "SequenceOfSlices" || !sequence.get_bool("appended")) continue;
        sequence.set("appended", false);
        const Node& slices = result_for(*loop.get_graph("body"), i)->source(0).node();
        if (same[static_cast<size_t>(slices.id())] || are_stacked(sequence.out(0))) continue;
        pack(b, loop, i, sequence);
        packed.push_back(&sequence);
        break;
      }
    }
    if (!packed.empty()) infer_node(loop);
    for (Node* sequence : packed) {
      const OutPort list = sequence->source(0);
      sequence->in(0).connect(b.op("Slice", {list, b.i64({1}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})}));
    }
    Node& made = b.graph().add_copy(node, node.name() + "/" + node.op());
    for (int i = 0; i < node.in_count(); ++i) made.in(i).connect(node.source(i));
    infer_node(made);
    return {made};
  }

 private:
  static void pack(Builder& b, Node& loop, int output, Node& sequence) {
    Graph& body = *loop.get_graph("body");
    Node& slices = *result_for(body, output);
    Builder inside(body, slices.name());
    OutPort item = slices.source(0);
    item = item.node().op() == "Unsqueeze" ? item.node().source(0) : inside.squeeze(item, {0});
    const PartialShape shape = item.tensor().shape;
    if (!shape.has_rank())
      throw Error(Code::UnsupportedForm, "elements of unknown rank, which a loop appends", slices.place());
    const int64_t axis = onnx::axis_of_readers(sequence.out(0), shape.rank());
    const OutPort data = grow(b, loop, inside, onnx::flat_element(inside, item, axis));
    Node& shapes = add_result(loop, inside, inside.shape_of(item), "shapes");
    scan_output(shapes, static_cast<int>(shapes.get_int("external_port_id")), 0, false);
    sequence.in(0).connect(data);
    sequence.add_in_ports(2);
    sequence.in(1).connect(loop.out(static_cast<int>(shapes.get_int("external_port_id"))));
    sequence.attributes = Attributes{{"axis", axis}, {"element", shape}};
    sequence.set_op("PackedSequence");
    sequence.require_shape_inference();
    body.remove(slices);
    loop.delete_out_port(output);
  }

  /// A list to which each iteration appends `more`. It begins with a 0: OpenVINO 2023.3 joins nothing to an empty one.
  static OutPort grow(Builder& b, Node& loop, Builder& inside, OutPort more) {
    const ElementType type = more.tensor().type;
    const int port = loop.in_count();
    loop.add_in_ports(port + 1);
    loop.in(port).connect(b.constant(make_splat(type, {1}, 0)));
    Node& before = inside.graph().add_node("Parameter", inside.prefix() + "/before");
    before.add_out_ports(1);
    before.set("external_port_id", int64_t{port});
    before.set("shape", PartialShape::of_rank(1));
    before.set("data_type", type);
    Node& result = add_result(loop, inside, {}, "data");
    before.set("back_edge", result.get_int("internal_layer_id"));
    infer_node(before);
    result.in(0).connect(inside.concat({before, more}, 0));
    return loop.out(static_cast<int>(result.get_int("external_port_id")));
  }

  /// A Result with a number and an output of its own.
  static Node& add_result(Node& loop, Builder& inside, OutPort source, const char* name) {
    int64_t id = 0;
    for (const Node* other : inside.graph().results) id = std::max(id, other->get_int("internal_layer_id") + 1);
    Node& result = inside.graph().add_node("Result", cat(inside.prefix(), "/", name));
    result.add_in_ports(1);
    if (source) result.in(0).connect(source);
    const int port = loop.out_count();
    loop.add_out_ports(port + 1);
    result.set("internal_layer_id", id);
    result.set("external_port_id", int64_t{port});
    return result;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAppended)
}  // namespace mo
