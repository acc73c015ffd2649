// Creates nodes for rewrites: b.op("Add", {x, b.scalar_like(x, 1)}).
#pragma once

#include <initializer_list>
#include <string>

#include "core/base/list_view.h"
#include "core/graph/graph.h"

namespace mo {

/// New nodes are named after the node they replace: "<name>/<op>". An AttributedX has the name of X, its form in IR.
class Builder {
 public:
  Builder(Graph& graph, std::string prefix) : graph_(graph), prefix_(std::move(prefix)) {}
  explicit Builder(Node& replaced) : Builder(replaced.graph(), replaced.name()) {}

  /// Creates a node, connects its inputs (an empty port leaves an input free), and infers it if the types of its inputs
  /// are known.
  Node& node(const char* op, List<OutPort> inputs, Attributes attributes, int outputs = 1);
  Node& node(const char* op, List<OutPort> inputs, NewAttributes attributes = {}, int outputs = 1);
  /// The same; returns output 0.
  OutPort op(const char* op, List<OutPort> inputs, Attributes attributes);
  OutPort op(const char* op, List<OutPort> inputs, NewAttributes attributes = {});

  OutPort constant(Constant value);
  OutPort i64(List<int64_t> values);
  OutPort i64_scalar(int64_t value);
  OutPort f32_scalar(float value);
  /// A scalar of the element type of `like` if that is known, else f32 followed by a ConvertLike.
  OutPort scalar_like(OutPort like, double value);
  OutPort convert(OutPort x, ElementType type);
  OutPort reshape(OutPort x, List<int64_t> shape, bool special_zero = true);
  OutPort transpose(OutPort x, List<int64_t> order);
  /// The product of two factors. They are passed in braces, which fix the order of evaluation.
  OutPort matmul(List<OutPort> factors, bool transpose_b = false);
  OutPort squeeze(OutPort x, List<int64_t> axes);
  OutPort unsqueeze(OutPort x, List<int64_t> axes);
  /// The shape as i64.
  OutPort shape_of(OutPort x);
  /// Dimensions `axes` of x as a 1-D i64 tensor.
  OutPort dims_of(OutPort x, List<int64_t> axes);
  OutPort gather(OutPort x, OutPort indices, int64_t axis);
  OutPort concat(List<OutPort> parts, int64_t axis);
  /// The parts of x along `axis`, of these lengths, as the outputs of a VariadicSplit.
  Node& split(OutPort x, int64_t axis, List<int64_t> lengths);
  OutPort reduce(const char* kind, OutPort x, List<int64_t> axes, bool keep_dims);

  Graph& graph() const { return graph_; }
  const std::string& prefix() const { return prefix_; }

 private:
  Graph& graph_;
  std::string prefix_;
};

}  // namespace mo
