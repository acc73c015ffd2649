// NHWC models in the form that a loader and its extractors produce: internal operations, not inferred. The tests of the
// layout phase check the resulting graphs, tests/numeric/test_layout.py the numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/build/builder.h"
#include "tests/core/support/channels_last.h"

namespace mo::test {

/// Writes an NHWC graph with a Builder. Every node has the given name.
class NhwcGraph {
 public:
  explicit NhwcGraph(Graph& graph) : graph_(graph) {}

  /// `fed` is the shape that a test feeds if `shape` is not static.
  OutPort input(const std::string& name, const PartialShape& shape, const Shape& fed = {},
                ElementType type = ElementType::F32);
  /// Numbers between -0.5 and 0.5 that depend on how many were created before.
  OutPort weights(Shape shape);
  OutPort i64(const Ints& values);
  OutPort i64_scalar(int64_t value);
  OutPort f32(Shape shape, const std::vector<float>& values);
  OutPort op(const char* op, const std::string& name, List<OutPort> inputs, const Attributes& attributes = {},
             int outputs = 1);
  /// Makes the tensor an output with that name.
  void result(OutPort source, const std::string& name);

  /// Convolution whose padding keeps the size at stride 1; `weights` in IR's order.
  OutPort conv(const std::string& name, OutPort x, const Shape& weights, int64_t stride = 1);
  OutPort pool(const char* op, const std::string& name, OutPort x, int64_t kernel = 2);
  /// Elements `axes` of the shape, as i64.
  OutPort dims(const std::string& name, OutPort x, const Ints& axes);

  Graph& graph() const { return graph_; }

 private:
  Graph& graph_;
  uint32_t random_ = 1;
};

/// "conv" of an input "x" [1, 8, 10, 3]: [1, 8, 10, 4].
OutPort conv_of(NhwcGraph& g);

struct LayoutGraph {
  const char* name;
  void (*build)(NhwcGraph&);
};
/// The graphs of the documentation (Model Optimizer's layout.md), then others by content.
const std::vector<LayoutGraph>& layout_graphs();

std::vector<LayoutGraph> worked_graphs();
std::vector<LayoutGraph> axis_graphs();
std::vector<LayoutGraph> reshaping_graphs();
std::vector<LayoutGraph> operand_graphs();
std::vector<LayoutGraph> spatial_graphs();
std::vector<LayoutGraph> shape_path_graphs();
std::vector<LayoutGraph> body_graphs();

}  // namespace mo::test
