// Before: MemoryOffset() {variable_id, t: -3} -> y; x -> MemoryStore {variable_id}
// After:  v = ReadValue -> its first frame -> y; Concat(v, x) without its first frame -> Assign
// Conditions: none. A state of one frame is y and x themselves. It is 0 in the first inference.

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/front/kaldi/time/states.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class ReplaceMemoryOffsetWithMemoryNodePattern final : public MiddleReplacementPattern {
 public:
  Names run_before() const override {
    return {"RemoveMemoryDuplicationPattern", "AddSelectBeforeMemoryNodePattern", "MiddleFinish"};
  }

  void find_and_replace_pattern(Graph& graph) override {
    std::map<std::string, std::vector<Node*>> readers;
    for (Node* node : graph.nodes("MemoryOffset"))
      if (!node->has_in(0)) readers[node->get_string("variable_id")].push_back(node);
    for (Node* store : graph.nodes("MemoryStore")) {
      at_node(*store, [&] { replace(*store, readers[store->get_string("variable_id")]); });
      graph.remove(*store);
    }
  }

 private:
  static void replace(Node& store, const std::vector<Node*>& readers) {
    if (readers.empty()) return;
    const std::string pair = store.get_string("variable_id");
    const OutPort x = store.source(0);
    const kaldi::FrameSizes sizes(x);
    int64_t most = 1;
    for (const Node* reader : readers) {
      most = std::max(most, -reader->get_int("t"));
      if (reader->get_int("dim") != sizes.dim)
        throw Error(Code::ShapeMismatch,
                    msg("the state has ", reader->get_int("dim"), " numbers, what is stored ", sizes.dim));
    }
    Builder b(store.graph(), pair);
    const OutPort state = kaldi::read_variable(b, pair, sizes, most * sizes.dim);
    for (Node* reader : readers) {
      const int64_t first = (most + reader->get_int("t")) * sizes.dim;
      const OutPort frame = most == 1 ? state : kaldi::columns_of(b, state, first, first + sizes.dim);
      reader->out(0).connection().set_source(frame);
    }
    const OutPort next =
        most == 1 ? x : kaldi::columns_of(b, b.concat({state, x}, 1), sizes.dim, (most + 1) * sizes.dim);
    kaldi::assign_variable(b, pair, next);
    store.graph().remove(readers);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceMemoryOffsetWithMemoryNodePattern)
}  // namespace mo
