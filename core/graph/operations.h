// What a graph asks of operations without knowing any of them: core/ops/ answers.
#pragma once

#include <string_view>

namespace mo {

class Node;
struct OpDef;

class Operations {
 public:
  /// The built-in definition of an internal op; null when there is none.
  virtual const OpDef* find(std::string_view op) const = 0;
  /// The IR type of a definition; empty when it must not reach the IR.
  virtual std::string_view type_of(const OpDef& definition) const = 0;
  /// Sets what is known of the node's outputs. Throws Error placed at the node.
  virtual void infer(Node& node) const = 0;

 protected:
  ~Operations() = default;
};

}  // namespace mo
