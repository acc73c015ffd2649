// When each tensor of a network can be computed, and by how many inferences it is late.
//
// Inference n of a run, from 0, gets frame n - L of the inputs, where L is the left context of the outputs, as Kaldi
// computes it: users repeat the first frame L times before an utterance, as Kaldi does, and frame 0 is the first real
// one. A tensor that is late by d is in inference n of frame n - L - d. Inputs are not late. An offset is a matter of
// labels: x of k frames later is the same tensor, late by k more. What reads several tensors is as late as the latest,
// at least 0, and so are the outputs, which are all equally late: that is the right context R. Constants, and inputs
// that are read at one time only (i-vectors), belong to all frames.
//
// A state is one inference old at least. That and the rest are lower bounds, which have a least solution unless a
// recurrence needs the future.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/front/kaldi/time/times.h"
#include "core/graph/graph.h"

namespace mo::kaldi {

class Schedule {
 public:
  /// Throws UnsupportedForm for what cannot be computed frame by frame.
  explicit Schedule(const Graph& graph);

  int64_t left() const { return left_; }    ///< L
  int64_t right() const { return right_; }  ///< R
  /// Whether the tensor has a time at all.
  bool is_timed(const Node& node) const { return at(node).timed; }
  /// By how many inferences what the node gives is late, or what it reads, for a node without outputs.
  int64_t delay(const Node& node) const { return at(node).delay; }
  /// When the tensor can be computed.
  const Times& times(const Node& node) const { return at(node).times; }
  /// Numbers of inferences from which on the tensor, late by `delay`, can be used: Times::calls().
  std::vector<int64_t> calls(const Times& times, int64_t delay) const { return times.calls(-left_, delay); }
  /// The MemoryStore for a MemoryOffset without input.
  Node& store_of(const Node& reader) const;

  static bool is_reader(const Node& node) { return node.op() == "MemoryOffset" && !node.has_in(0); }

 private:
  struct Moment {
    bool timed = false;
    int64_t delay = 0;
    int64_t needed = INT64_MAX;  ///< the first frame that something needs
    Times times;
  };
  const Moment& at(const Node& node) const { return moments_[static_cast<size_t>(node.id())]; }
  Moment& at(const Node& node) { return moments_[static_cast<size_t>(node.id())]; }

  void find_modulus();
  /// A pass over all nodes, for all remainders. Throws UnsupportedForm if there were too many.
  void count_pass(size_t modulus);
  void mark_timed();
  void find_context();
  /// Of all nodes, if inputs begin at this frame.
  void find_times(int64_t begin);
  Times times_of(const Node& node, int64_t begin) const;
  void find_needed();
  void find_delays();
  int64_t delay_of(const Node& node) const;
  void delay_timeless();

  const Graph& graph_;
  std::vector<Node*> order_;
  std::vector<Node*> readers_;
  std::map<std::string, Node*> stores_;
  std::vector<Moment> moments_;
  size_t modulus_ = 1, edges_ = 0;
  uint64_t work_ = 0;
  int64_t left_ = 0, right_ = 0;
};

}  // namespace mo::kaldi
