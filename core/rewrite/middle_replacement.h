// Base class of rewrites that use shapes and values. Their patterns have data nodes between operations.
#pragma once

#include "core/graph/pattern.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Finds all matches of pattern() and then calls replace_pattern() for each. A match with a node that has been removed
/// meanwhile is skipped with a warning. A generic rewrite overrides only find_and_replace_pattern().
class MiddleReplacementPattern : public Transform {
 public:
  Names run_after() const override { return {"MiddleStart"}; }
  Names run_before() const override { return {"MiddleFinish"}; }

  /// The defaults of both throw BadPattern: they are called only if a class overrides too little.
  virtual Pattern pattern();
  /// Edits the graph around the match, or leaves it unchanged.
  virtual void replace_pattern(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

}  // namespace mo
