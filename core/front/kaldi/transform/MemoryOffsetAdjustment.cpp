// Before: Append(MemoryOffset(x) {t: -1}, x, MemoryOffset(x) {t: 1}) -> y; MemoryOffset() {variable_id, t: -3, dim}
// After:  Append(MemoryOffset(x) {t: -2}, MemoryOffset(x) {t: -1}, x) -> y, which is one inference late
// Conditions: none.
//
// One frame a call: later frames cannot be read, so that everything is late by what it needs of them
// (core/front/kaldi/time/schedule.h says by how much, and what frame 0 is). Afterwards offsets are negative and count
// inferences: states. Each branch of a join is delayed by what it lacks. Defaults, Failover, Round, Switch and
// ReplaceIndex get the numbers of the inferences that they mean, counted from 0 at the beginning of a run.
// The contexts L and R of the network become facts of the model.

#include <map>

#include "core/base/text.h"
#include "core/front/kaldi/time/recurrence.h"
#include "core/front/kaldi/time/schedule.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

using kaldi::Schedule;
using kaldi::Times;

/// Where the numbers of a tensor are: in a tensor or a state, so many inferences earlier than the label says.
struct Timed {
  OutPort base;             ///< empty for a state
  std::string pair;         ///< of the state
  int64_t dim = 0;          ///< of the state
  int64_t delay = 0;        ///< by how much the tensor, or what is stored, is late: with the offsets
  int64_t offset = 0;       ///< the sum of offsets
  bool is_guarded = false;  ///< 0 where it cannot be computed
  bool from_first = false;  ///< not 0 before the first frame
  int64_t label() const { return delay + offset; }
};

class Adjustment {
 public:
  explicit Adjustment(Graph& graph) : graph_(graph), schedule_(graph) {}

  void run() {
    const std::vector<Node*> order = graph_.topological_order();
    for (Node* node : order) {
      graph_.model().beat();
      if (node->op() == "MemoryOffset") continue;
      if (node->op() == "MemoryStore") {
        stores_.push_back(node);
        continue;
      }
      count(*node);
      for (int i = 0; i < node->in_count(); ++i)
        if (node->has_in(i)) adjust(*node, i);
    }
    for (Node* store : stores_) guard(*store);
    std::vector<Node*> former;
    for (Node* node : order)
      if (node->op() == "MemoryOffset") former.push_back(node);
    graph_.remove(former);
    graph_.model().facts.emplace_back("left_context", std::to_string(schedule_.left()));
    graph_.model().facts.emplace_back("right_context", std::to_string(schedule_.right()));
  }

 private:
  /// Numbers of inferences for what counts them.
  void count(Node& node) {
    const int64_t start = schedule_.left() + schedule_.delay(node);
    if (node.op() == "TimeFailover" && node.has_in(0))
      node.set("calls", schedule_.calls(schedule_.times(node.source(0).node()), schedule_.delay(node)));
    if (node.op() == "TimeRound") node.set("phase", kaldi::remainder(start, node.get_int("modulus", 1)));
    if (node.op() == "TimeSwitch") node.set("phase", kaldi::remainder(start, std::max(node.in_count(), 1)));
  }

  void adjust(Node& node, int input) {
    const OutPort source = node.source(input);
    if (!schedule_.is_timed(source.node())) return follow_timeless(node, input);
    const Timed from = timed(source);
    int64_t delay = schedule_.delay(node);
    if (node.op() == "TimeAt") {  // takes the frame when it comes
      delay = from.label() + (from.pair.empty() ? 0 : 1);
      node.set("call", delay + schedule_.left() + node.get_int("t"));
    }
    const OutPort found = delayed(from, delay);
    if (found == source) return;
    node.in(input).connect(found);
    if (node.op() != "Result") return;
    // Users take outputs by their names: these go with what is late, not with what it is made of.
    move_names(source.tensor(), found.tensor());
    if (from.base && from.base != found) move_names(from.base.tensor(), found.tensor());
  }

  static void move_names(Tensor& from, Tensor& to) {
    for (const std::string& name : from.names.all()) to.add_name(name);
    from.names.clear();
  }

  /// What has no time is the same at all times.
  void follow_timeless(Node& node, int input) {
    OutPort source = node.source(input);
    while (source.node().op() == "MemoryOffset" && source.node().has_in(0)) source = source.node().source(0);
    if (source != node.source(input)) node.in(input).connect(source);
  }

  Timed timed(OutPort port) {
    std::vector<Node*> offsets;
    while (port.node().op() == "MemoryOffset" && port.node().has_in(0)) {
      offsets.push_back(&port.node());
      port = port.node().source(0);
    }
    Timed out;
    if (Schedule::is_reader(port.node())) {
      const Node& reader = port.node();
      out.pair = reader.get_string("variable_id");
      out.dim = reader.get_int("dim");
      out.delay = schedule_.delay(schedule_.store_of(reader));
      out.offset = reader.get_int("t");
    } else {
      out.base = port;
      out.delay = schedule_.delay(port.node());
      out.from_first = schedule_.times(port.node()).is_always() && port.node().op() != "Parameter";
    }
    for (size_t i = offsets.size(); i-- > 0;) {
      out.offset += offsets[i]->get_int("t");
      if (!offsets[i]->get_bool("has_default") || !out.base || out.is_guarded || out.from_first) continue;
      out.base = guarded(out.base);
      out.is_guarded = true;
    }
    return out;
  }

  /// The tensor, which is 0 before it can be computed.
  OutPort guarded(OutPort base) {
    const auto [found, is_new] = guarded_.try_emplace({base.node().id(), base.index()});
    if (!is_new) return found->second;
    const Node& node = base.node();
    return found->second = guarded(base, schedule_.calls(schedule_.times(node), schedule_.delay(node)));
  }
  OutPort guarded(OutPort x, const Ints& calls) {
    if (calls == Ints{0}) return x;
    Builder b(graph_, x.node().name());
    const OutPort zero = b.f32_scalar(0);
    return b.op("TimeFailover", {x, zero}, {{"calls", calls}});
  }

  void guard(Node& store) {
    const OutPort source = store.source(0);
    if (!schedule_.is_timed(source.node())) return follow_timeless(store, 0);
    const Timed from = timed(source);
    const OutPort x = delayed(from, schedule_.delay(store));
    store.in(0).connect(guarded(x, schedule_.calls(schedule_.times(store), schedule_.delay(store))));
  }

  /// The tensor as it is when it is late by `delay`.
  OutPort delayed(const Timed& from, int64_t delay) {
    const int64_t frames = delay - from.delay - from.offset;
    if (frames < 0 || frames > INT32_MAX || (from.pair.empty() ? 0 : 1) > frames)
      throw Error(Code::UnsupportedForm, msg("a state of ", frames, " frames"));
    if (from.base && frames == 0) return from.base;
    const auto key =
        std::make_tuple(from.pair, from.base ? from.base.node().id() : -1, from.base ? from.base.index() : 0, frames);
    OutPort& known = delayed_[key];
    if (known) return known;
    Attributes attributes{{"t", -frames}, {"has_default", false}, {"from_first", from.from_first}};
    if (from.base) {
      Builder b(graph_, from.base.node().name());
      return known = b.op("MemoryOffset", {from.base}, std::move(attributes));
    }
    attributes.set("variable_id", from.pair);
    attributes.set("dim", from.dim);
    Builder b(graph_, from.pair);
    return known = b.op("MemoryOffset", {}, std::move(attributes));
  }

  Graph& graph_;
  Schedule schedule_;
  std::vector<Node*> stores_;
  std::map<std::pair<int, int>, OutPort> guarded_;
  std::map<std::tuple<std::string, int, int, int64_t>, OutPort> delayed_;
};

class MemoryOffsetAdjustment final : public FrontReplacementPattern {
 public:
  bool run_not_recursively() const override { return true; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    kaldi::remove_unread_states(graph);
    Adjustment(graph).run();
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MemoryOffsetAdjustment)
}  // namespace mo
