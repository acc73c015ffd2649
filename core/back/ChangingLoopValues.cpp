// Before: Y = Loop or TensorIterator(X) {body}, where values that change their size in the body are not read behind it
// After:  Y, Z = the same, with these values as Z; Select(NotEqual(elements of Z, 0), Y, Y)
// The runtime takes the sizes of such a value for known ones, and overwrites its memory, unless it is read.
// Conditions: the rank of Z is known, and one of the outputs is read.

#include <map>

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
    OutPort read;
    for (int i = 0; i < loop.out_count() && !read; ++i)
      if (is_read(loop, i)) read = loop.out(i);
    if (!read) return;
    std::vector<int> ports;
    const Carried parameters = carried(loop);
    for (Node* result : loop.get_graph("body")->results) {
      int port = static_cast<int>(result->get_int("external_port_id", -1));
      if (!changes(loop, parameters, *result) || (port >= 0 && is_read(loop, port))) continue;
      if (port < 0 || !loop.has_out_port(port)) {
        port = loop.out_count();
        loop.add_out_ports(port + 1);
        result->set("external_port_id", int64_t{port});
      }
      ports.push_back(port);
    }
    if (ports.empty()) return;
    infer_node(loop);
    Builder b(loop);
    OutPort elements;
    for (const int port : ports) {
      const OutPort more = b.reduce("ReduceProd", b.shape_of(loop.out(port)), {0}, false);
      elements = elements ? b.op("Add", {elements, more}) : more;
    }
    const OutPort condition = b.op("NotEqual", {elements, b.i64_scalar(0)});
    Node& same = loop.graph().add_node("Select", loop.name() + "/Select");
    same.add_in_ports(3);
    same.add_out_ports(1);
    read.connection().set_source(same.out(0), TensorNames::Merge);
    same.in(0).connect(condition);
    for (const int i : {1, 2}) same.in(i).connect(read);
    infer_node(same);
  }

  static bool is_read(Node& loop, int port) { return loop.has_out_port(port) && !loop.out(port).disconnected(); }

  /// The Parameters that take the value of a Result in the next iteration, by its number.
  using Carried = std::map<int64_t, const Node*>;
  static Carried carried(const Node& loop) {
    Carried out;
    for (const Node* parameter : loop.get_graph("body")->parameters)
      if (parameter->has("back_edge")) out.emplace(parameter->get_int("back_edge"), parameter);
    return out;
  }

  /// Whether a carried value has a dimension that is known before the loop, and not in it.
  static bool changes(const Node& loop, const Carried& parameters, const Node& result) {
    if (!result.has("internal_layer_id") || result.has("axis") || !result.source(0)) return false;
    const auto found = parameters.find(result.get_int("internal_layer_id"));
    if (found == parameters.end()) return false;
    const int input = static_cast<int>(found->second->get_int("external_port_id", -1));
    if (!loop.has_in(input)) return false;
    const PartialShape &first = loop.source(input).tensor().shape, &next = result.source(0).tensor().shape;
    if (!next.has_rank() || first.rank() != next.rank()) return false;
    for (size_t i = 0; i < next.dimensions().size(); ++i)
      if (first[i].is_exact() && !next[i].is_exact()) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ChangingLoopValues)
}  // namespace mo
