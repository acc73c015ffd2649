// Base class of rewrites that know shapes and values. Their patterns have data nodes between operations.
#pragma once

#include "core/graph/pattern.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Calls replace_pattern() for each match of pattern(), all of which are found beforehand. A match of which a node has
/// been removed since is skipped with a warning. A generic rewrite overrides find_and_replace_pattern() alone.
class MiddleReplacementPattern : public Transform {
 public:
  Names run_after() const override { return {"MiddleStart"}; }
  Names run_before() const override { return {"MiddleFinish"}; }

  /// The default of both throws BadPattern: it is called only when a class overrides too little.
  virtual Pattern pattern();
  /// Edits the graph around the match, or leaves it as it is.
  virtual void replace_pattern(Graph& graph, const Match& match);
  void find_and_replace_pattern(Graph& graph) override;
};

}  // namespace mo
