// Creates a TensorIterator for a rewrite: its inputs, carried values and outputs, and a Builder for its body.
#pragma once

#include <memory>

#include "core/build/builder.h"

namespace mo {

class LoopBuilder {
 public:
  /// A loop in b's graph.
  explicit LoopBuilder(Builder& b);

  /// Creates nodes of the body. What is known about the inputs is known in the body.
  Builder& body() { return *body_builder_; }
  /// One slice of `outside` along `axis` in each iteration; the slice does not have that axis.
  OutPort each(OutPort outside, int64_t axis, bool reverse = false);
  /// `outside`, the same in all iterations.
  OutPort invariant(OutPort outside);
  /// `initial` in the first iteration, later the value given to `carry`. Its shape must not change.
  OutPort state(OutPort initial);
  /// Sets the next value of a state. Returns the value after the last iteration.
  OutPort carry(OutPort state, OutPort next);
  /// The values of `part` from all iterations, joined along a new axis.
  OutPort collect(OutPort part, int64_t axis, bool reverse = false);
  /// Infers the loop. Its outputs are known afterwards.
  void finish();

 private:
  Node& parameter(OutPort outside, PartialShape shape);
  OutPort output(Node& result);

  Node& loop_;
  std::shared_ptr<Graph> body_;
  std::unique_ptr<Builder> body_builder_;
};

/// Makes a Parameter or Result of a body read or give slices of one element along `axis`, from the end when `reverse`.
void set_slices(Node& boundary, int64_t axis, bool reverse);

}  // namespace mo
