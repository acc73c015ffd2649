// At least one small case of every operation definition, for the generic tests of layout and inference.
//
// Data is NHWC of rank 4 with different dimensions, so that a wrong axis is noticed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/op_def.h"
#include "tests/core/support/channels_last.h"
#include "tests/core/support/memory_files.h"

namespace mo::test {

struct SampleInput {
  PartialShape shape;
  ElementType type = ElementType::F32;
  std::optional<Constant> value;
  bool connected = true;
  std::vector<Interval> ints = {};  ///< what is known about the elements if `value` is not set
};

/// The expected axis of the node for NCHW data: for rules that do not affect an output's shape.
struct AxesInNchw {
  std::string attribute;  ///< that has the axes; if it is empty, input `input` has them
  int input = -1;
  Ints axes;
};

struct Sample {
  std::string op;
  std::vector<SampleInput> inputs;
  Attributes attributes = {};
  int outputs = 1;
  std::vector<AxesInNchw> nchw = {};
  bool reshapes = false;     ///< this form is LayoutClass::Reshapes, although the operation's class is another
  bool batch_first = false;  ///< needs its batch at axis 0
};

SampleInput data(const PartialShape& shape, ElementType type = ElementType::F32);
SampleInput numbers(const Ints& values);
SampleInput number(int64_t value);
SampleInput floats(const std::vector<float>& values);
SampleInput float_number(float value);
SampleInput nothing();

using Samples = std::vector<Sample>;
Samples elementwise_samples();
Samples movement_samples();
Samples reduction_samples();
Samples spatial_samples();
Samples other_samples();
Samples control_flow_samples();
/// All samples.
const Samples& all_samples();

/// A sample as a node in its own graph. Throws errors of creating the inputs; the node is not inferred.
class SampleNode {
 public:
  explicit SampleNode(const Sample& sample);
  Node& node() { return *node_; }
  std::vector<PartialShape> output_shapes();

 private:
  MemoryFiles files_;
  Graph graph_;
  Node* node_;
};

}  // namespace mo::test
