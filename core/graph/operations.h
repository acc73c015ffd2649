// The graph's view of operations, implemented in core/ops/. The graph itself knows no operation.
#pragma once

#include <string_view>

namespace mo {

class Node;
struct OpDef;

class Operations {
 public:
  /// The built-in definition of an internal operation; null when there is none.
  virtual const OpDef* find(std::string_view op) const = 0;
  /// The IR type of a definition; empty when the operation is not allowed in IR.
  virtual std::string_view type_of(const OpDef& definition) const = 0;
  /// Whether nodes of a definition have an effect that no Result reads.
  virtual bool is_sink(const OpDef& definition) const = 0;
  /// Infers the node's outputs. Throws Error with the node as its place.
  virtual void infer(Node& node) const = 0;

 protected:
  ~Operations() = default;
};

}  // namespace mo
