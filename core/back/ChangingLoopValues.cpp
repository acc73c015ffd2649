// Before: Y = Loop or TensorIterator(X) {body}, where X and all outputs that are read have known sizes, but a value
//         changes its size in the body
// After:  Y, Z = the same, with that value as Z; Select(NotEqual(elements of Z, 0), Y, Y)
// The runtime takes the sizes in such a body for known ones, and overwrites its memory, unless Z is read.
// Conditions: the rank of Z is known.

#include "core/build/builder.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ChangingLoopValues final : public Transform {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (const char* op : {"Loop", "TensorIterator"})
      for (Node* node : graph.nodes(op)) keep(*node);
  }

 private:
  static void keep(Node& loop) {
    for (int i = 0; i < loop.in_count(); ++i)
      if (loop.has_in(i) && !loop.source(i).tensor().shape.is_static()) return;
    OutPort read;
    for (int i = 0; i < loop.out_count(); ++i) {
      if (!loop.has_out_port(i) || loop.out(i).disconnected()) continue;
      if (!loop.out(i).tensor().shape.is_static()) return;
      if (!read) read = loop.out(i);
    }
    Node* changing = read ? changing_result(*loop.get_graph("body")) : nullptr;
    if (!changing) return;
    int port = static_cast<int>(changing->get_int("external_port_id", -1));
    if (port < 0 || !loop.has_out_port(port)) {
      port = loop.out_count();
      loop.add_out_ports(port + 1);
      changing->set("external_port_id", int64_t{port});
      infer_node(loop);
    }
    Builder b(loop);
    const OutPort elements = b.reduce("ReduceProd", b.shape_of(loop.out(port)), {0}, false);
    const OutPort condition = b.op("NotEqual", {elements, b.i64_scalar(0)});
    Node& same = loop.graph().add_node("Select", loop.name() + "/Select");
    same.add_in_ports(3);
    same.add_out_ports(1);
    read.connection().set_source(same.out(0), TensorNames::Merge);
    same.in(0).connect(condition);
    for (const int i : {1, 2}) same.in(i).connect(read);
    infer_node(same);
  }

  static Node* changing_result(const Graph& body) {
    for (Node* result : body.results) {
      const OutPort source = result->source(0);
      if (source && !result->has("purpose") && source.tensor().shape.has_rank() && !source.tensor().shape.is_static())
        return result;
    }
    return nullptr;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ChangingLoopValues)
}  // namespace mo
