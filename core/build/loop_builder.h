// A TensorIterator in the words of a rewrite: what it reads, carries and gives, and a Builder for its body.
#pragma once

#include <memory>

#include "core/build/builder.h"

namespace mo {

class LoopBuilder {
 public:
  /// A loop in b's graph.
  explicit LoopBuilder(Builder& b);

  /// Makes nodes of the body. What is known of the inputs is known in the body.
  Builder& body() { return *body_builder_; }
  /// In each iteration one slice of `outside` along `axis`, which is dropped.
  OutPort each(OutPort outside, int64_t axis, bool reverse = false);
  /// `outside`, the same in all iterations.
  OutPort invariant(OutPort outside);
  /// `initial` in the first iteration, later what `carry` was given. Its shape must stay.
  OutPort state(OutPort initial);
  /// Tells the next value of a state; gives its last one.
  OutPort carry(OutPort state, OutPort next);
  /// What each iteration makes of `part`, put together along a new axis.
  OutPort collect(OutPort part, int64_t axis, bool reverse = false);
  /// Infers the loop: its outputs are known from here on.
  void finish();

 private:
  Node& parameter(OutPort outside, PartialShape shape);
  OutPort output(Node& result);

  Node& loop_;
  std::shared_ptr<Graph> body_;
  std::unique_ptr<Builder> body_builder_;
};

/// A Parameter or Result of a body becomes slices of one element along `axis`, from the end when `reverse`.
void set_slices(Node& boundary, int64_t axis, bool reverse);

}  // namespace mo
