// What states of IR are made of.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "core/build/builder.h"

namespace mo::kaldi {

/// The sizes of frames, [batch, dim]. Throws UnsupportedForm if they are not known: a state has a fixed size.
struct FrameSizes {
  explicit FrameSizes(OutPort frames);
  int64_t batch = 1, dim = 1;
};

/// A variable of that many columns. Throws UnsupportedForm if it is too large. It is zeros in the first inference.
OutPort read_variable(Builder& b, const std::string& id, const FrameSizes& sizes, int64_t columns);
/// Throws UnsupportedForm if all variables together are larger than one may be.
void require_moderate_states(const Graph& graph);
void assign_variable(Builder& b, const std::string& id, OutPort value);
/// Columns [from, to) of x.
OutPort columns_of(Builder& b, OutPort x, int64_t from, int64_t to);

/// Counts the inferences of a run, once for a graph.
class InferenceCounter {
 public:
  explicit InferenceCounter(Graph& graph);
  /// Whether it is number `call`, or a later one; for several, that of the inference's remainder. [1], boolean.
  OutPort is_from(const Ints& calls);
  OutPort is_call(int64_t call);
  /// Whether the inference's number modulo `modulus` is `remainder`.
  OutPort is_turn(int64_t modulus, int64_t turn);

 private:
  OutPort count();
  OutPort remainder(int64_t modulus);
  /// A variable of one whole number; `next` makes what it is in the next inference.
  OutPort state(const std::string& id, const std::function<OutPort(Builder&, OutPort)>& next);

  Graph& graph_;
  std::map<std::string, OutPort> states_;
  std::map<Ints, OutPort> from_;
  std::map<std::pair<int64_t, int64_t>, OutPort> turns_;
};

}  // namespace mo::kaldi
