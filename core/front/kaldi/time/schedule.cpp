#include "core/front/kaldi/time/schedule.h"

#include <numeric>

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

constexpr int64_t kMostRemainders = 1024;
/// Remainders squared, times nodes: what the context takes.
constexpr int64_t kMostWork = int64_t{1} << 28;
constexpr size_t kMostPasses = 1000;
/// Of all passes: edges, times remainders and what an edge costs besides.
constexpr uint64_t kMostPassWork = uint64_t{1} << 31;
constexpr size_t kWorkOfEdge = 64;
/// Frames before the first output. An hour has 360,000.
constexpr int64_t kMostContext = 1 << 20;

bool is_input(const Node& node) { return node.op() == "Parameter"; }

/// An i-vector is there for all frames, wherever it is read: Kaldi's own count of the context takes it so.
bool is_always_there(const Node& node) { return node.name() == "ivector" && node.graph().parameters.size() > 1; }

/// Whether all that reads the input reads it at one time.
bool is_read_at_one_time(const Node& input) {
  const OutPort port = const_cast<Node&>(input).out(0);
  for (const InPort& reader : port.destinations())
    if (reader.node().op() != "TimeAt") return false;
  return !port.disconnected();
}

}  // namespace

Schedule::Schedule(const Graph& graph) : graph_(graph), order_(graph.topological_order()), moments_(graph.ids()) {
  for (Node* node : order_) {
    edges_ += 1 + static_cast<size_t>(node->in_count());
    if (is_reader(*node)) readers_.push_back(node);
    if (node->op() == "MemoryStore" && !stores_.emplace(node->get_string("variable_id"), node).second)
      throw Error(Code::InvalidGraph, msg("two nodes store \"", printable(node->get_string("variable_id")), "\""),
                  node->place());
  }
  for (Node* reader : readers_) store_of(*reader);
  find_modulus();
  mark_timed();
  find_context();
  find_times(-left_);
  find_needed();
  find_delays();
  for (const int64_t context : {left_, right_})
    if (context > kMostContext)
      throw Error(Code::UnsupportedForm, msg("a context of ", context, " frames; the most are ", kMostContext));
}

Node& Schedule::store_of(const Node& reader) const {
  const auto found = stores_.find(reader.get_string("variable_id"));
  if (found == stores_.end()) throw Error(Code::MissingInput, "nothing stores what it reads", reader.place());
  return *found->second;
}

/// Frames are counted by the least common multiple of all that is rounded to or switched by.
void Schedule::find_modulus() {
  int64_t modulus = 1;
  for (const Node* node : order_) {
    const int64_t own = node->op() == "TimeRound"    ? node->get_int("modulus", 1)
                        : node->op() == "TimeSwitch" ? std::max(node->in_count(), 1)
                                                     : 1;
    if (own <= 0) throw Error(Code::BadAttribute, msg("modulus is ", own), node->place());
    if (own > kMostRemainders || (modulus = std::lcm(modulus, own)) > kMostRemainders)
      throw Error(Code::UnsupportedForm,
                  msg("frames counted by more than ", kMostRemainders, ", the common multiple of all Round and Switch"),
                  node->place());
    if (modulus * modulus * static_cast<int64_t>(order_.size()) > kMostWork)
      throw Error(Code::UnsupportedForm,
                  msg("frames counted by ", modulus, " in a network of ", order_.size(), " nodes"), node->place());
  }
  modulus_ = static_cast<size_t>(modulus);
}

void Schedule::count_pass(size_t modulus) {
  work_ += edges_ * (modulus + kWorkOfEdge);
  if (work_ <= kMostPassWork) return;
  if (modulus > 1)
    throw Error(Code::UnsupportedForm,
                msg("frames counted by ", modulus, " in a network of ", order_.size(), " nodes"));
  throw Error(Code::UnsupportedForm, msg("states that depend on each other in a network of ", order_.size(), " nodes"));
}

void Schedule::mark_timed() {
  for (const Node* node : order_) {
    bool timed = is_input(*node) ? !is_read_at_one_time(*node) : is_reader(*node);
    for (int i = 0; i < node->in_count() && !timed; ++i) timed = node->has_in(i) && at(node->source(i).node()).timed;
    at(*node).timed = timed;
  }
}

/// As Kaldi does it: for all remainders of the first frame, how far behind it the first output is. The largest counts.
/// Frame 0 is there in all of them: ReplaceIndex may read it.
void Schedule::find_context() {
  for (size_t begin = 0; begin < modulus_; ++begin) {
    const int64_t start = -static_cast<int64_t>(begin);
    find_times(start);
    for (const Node* result : graph_.results) {
      if (!result->has_in(0)) continue;
      const Node& source = result->source(0).node();
      const int64_t first = at(source).times.first(start);
      if (first >= Times::kNever)
        throw Error(Code::UnsupportedForm, "the output can be computed for no frame", source.place());
      left_ = std::max(left_, first - start);
    }
  }
}

void Schedule::find_times(int64_t begin) {
  for (Node* reader : readers_) at(*reader).times = Times(modulus_, Times::kNever);
  // What is read of the past becomes known when its store is. A term with a default is there from the beginning, so one
  // more pass is enough for most networks.
  for (size_t pass = 0; pass < kMostPasses; ++pass) {
    count_pass(modulus_);
    for (const Node* node : order_) at(*node).times = times_of(*node, begin);
    bool changed = false;
    for (const Node* reader : readers_) {
      if (reader->get_bool("has_default")) continue;
      const Times now = at(store_of(*reader)).times.shifted(reader->get_int("t"));
      changed |= now != at(*reader).times;
      at(*reader).times = now;
    }
    if (!changed) return;
  }
  throw Error(Code::UnsupportedForm,
              msg("more than ", kMostPasses, " states that depend on each other without IfDefined"));
}

Times Schedule::times_of(const Node& node, int64_t begin) const {
  const std::string& op = node.op();
  const Times always(modulus_, Times::kAlways);
  const auto of = [&](int i) { return node.has_in(i) ? at(node.source(i).node()).times : always; };
  if (is_input(node)) return at(node).timed && !is_always_there(node) ? Times(modulus_, begin) : always;
  if (op == "MemoryOffset") {
    if (node.get_bool("has_default")) return always;
    return is_reader(node) ? at(node).times : of(0).shifted(node.get_int("t"));
  }
  if (op == "TimeFailover") return of(0).either(of(1));
  if (op == "TimeRound") return of(0).rounded(static_cast<size_t>(node.get_int("modulus", 1)));
  if (op == "TimeAt") {
    const int64_t t = node.get_int("t");
    const Times x = of(0);
    return t >= x.from(static_cast<size_t>(remainder(t, static_cast<int64_t>(modulus_))))
               ? always
               : Times(modulus_, Times::kNever);
  }
  if (op == "TimeSwitch") {
    std::vector<Times> parts;
    for (int i = 0; i < node.in_count(); ++i) parts.push_back(of(i));
    return parts.empty() ? always : Times::in_turn(parts);
  }
  Times out = always;
  for (int i = 0; i < node.in_count(); ++i)
    if (node.has_in(i)) out = out.both(at(node.source(i).node()).times);
  return out;
}

/// The first frame for which each tensor is needed: outputs are from frame 0 on, states from the first one.
void Schedule::find_needed() {
  for (size_t i = order_.size(); i-- > 0;) {
    const Node& node = *order_[i];
    int64_t needed = node.op() == "Result" ? 0 : node.op() == "MemoryStore" ? -left_ : at(node).needed;
    if (needed == INT64_MAX) continue;
    if (node.op() == "MemoryOffset") needed += node.get_int("t");
    if (node.op() == "TimeRound") needed -= remainder(needed, node.get_int("modulus", 1));
    if (node.op() == "TimeAt") needed = node.get_int("t");
    for (int input = 0; input < node.in_count(); ++input)
      if (node.has_in(input))
        at(node.source(input).node()).needed = std::min(at(node.source(input).node()).needed, needed);
  }
}

void Schedule::find_delays() {
  for (const Node* reader : readers_) at(*reader).delay = reader->get_int("t") + 1;
  const size_t most_passes = std::min(readers_.size() + 1, kMostPasses);
  for (size_t pass = 0;; ++pass) {
    count_pass(1);
    for (const Node* node : order_)
      if (!is_reader(*node)) at(*node).delay = delay_of(*node);
    const Node* changed = nullptr;
    for (const Node* reader : readers_) {
      const int64_t least = at(store_of(*reader)).delay + reader->get_int("t") + 1;
      if (least <= at(*reader).delay) continue;
      at(*reader).delay = least;
      changed = reader;
    }
    if (!changed) break;
    if (pass == most_passes)
      throw Error(Code::UnsupportedForm, "a recurrence that needs later frames: the network cannot run frame by frame",
                  changed->place());
  }
  for (const Node* result : graph_.results)
    if (at(*result).timed) right_ = std::max(right_, at(*result).delay);
  for (const Node* result : graph_.results) at(*result).delay = right_;
  delay_timeless();
}

int64_t Schedule::delay_of(const Node& node) const {
  if (is_input(node)) return 0;
  bool any = false, alike = true;
  int64_t latest = 0;
  for (int i = 0; i < node.in_count(); ++i) {
    if (!node.has_in(i)) continue;
    const Moment& source = at(node.source(i).node());
    if (!source.timed) continue;
    alike &= !any || source.delay == latest;
    latest = any ? std::max(latest, source.delay) : source.delay;
    any = true;
  }
  if (!any) return 0;
  if (node.op() == "MemoryOffset") return latest + node.get_int("t");
  // The frame has to be there when the first frame is needed.
  if (node.op() == "TimeAt")
    return std::max<int64_t>(latest + node.get_int("t") - std::min<int64_t>(at(node).needed, 0), 0);
  return alike && node.op() != "Result" ? latest : std::max<int64_t>(latest, 0);
}

/// What can be computed for frames before the first one, from defaults alone, need not be 0 there, as what a state
/// gives before it was stored. It is computed as late as it is needed, so that there is no state behind it.
void Schedule::delay_timeless() {
  std::vector<int64_t> wanted(moments_.size(), INT64_MAX);
  for (size_t i = order_.size(); i-- > 0;) {
    const Node& node = *order_[i];
    Moment& moment = at(node);
    const bool moves = moment.timed && node.op() != "MemoryOffset" && node.op() != "MemoryStore" &&
                       node.op() != "TimeAt" && node.op() != "Result" && !is_input(node) && moment.times.is_always();
    const int64_t want = wanted[static_cast<size_t>(node.id())];
    if (moves && want != INT64_MAX) moment.delay = std::max(moment.delay, want);
    for (int input = 0; input < node.in_count(); ++input) {
      if (!node.has_in(input)) continue;
      int64_t& of = wanted[static_cast<size_t>(node.source(input).node().id())];
      const int64_t delay = node.op() == "MemoryOffset"
                                ? std::max(moment.delay, std::min(want, INT64_MAX / 2)) - node.get_int("t")
                            : node.op() == "TimeAt" ? at(node.source(input).node()).delay
                                                    : moment.delay;
      of = std::min(of, delay);
    }
  }
}

}  // namespace mo::kaldi
