// The base of transformations that replace what an extractor of Kaldi has left.
#pragma once

#include "core/front/kaldi/decompose/offsets.h"
#include "core/rewrite/front_replacement.h"

namespace mo::kaldi {

/// Replaces each operation of one kind by a sub-graph, whose last node gets its name.
class Lowering : public FrontReplacementPattern {
 public:
  Names run_before() const override { return {"MemoryOffsetAdjustment", "SplitRecurrentMemoryOffset", "FrontFinish"}; }
  Names replaced_ops() const override { return {op()}; }
  void find_and_replace_pattern(Graph& graph) final;

 protected:
  virtual std::string_view op() const = 0;
  /// A new node's output.
  virtual OutPort lowered(Builder& b, Node& node) = 0;
};

}  // namespace mo::kaldi
