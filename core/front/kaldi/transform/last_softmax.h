// The last operation of a network.
#pragma once

#include "core/rewrite/back_replacement.h"

namespace mo::kaldi {

/// Takes out operations of that kind in front of outputs of the model, if --remove_output_softmax is given.
class RemoveLast : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }
  bool run_not_recursively() const override { return true; }
  bool graph_condition(Graph& graph) const override;
  void find_and_replace_pattern(Graph& graph) final;

 protected:
  virtual std::string_view op() const = 0;
};

}  // namespace mo::kaldi
