// One small case, at least, of every operation definition: what the generic tests of layout and inference run on.
//
// Data is NHWC of rank 4, its dimensions all different, so that an axis taken for another is seen.
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
  std::vector<Interval> ints = {};  ///< what is known of the elements when `value` is not
};

/// What an axis of the node is once the data is NCHW: for rules that no output shape shows.
struct AxesInNchw {
  std::string attribute;  ///< or, when empty, input `input`
  int input = -1;
  Ints axes;
};

struct Sample {
  std::string op;
  std::vector<SampleInput> inputs;
  Attributes attributes = {};
  int outputs = 1;
  std::vector<AxesInNchw> nchw = {};
  bool reshapes = false;     ///< a form that does not follow, of an operation that else does
  bool batch_first = false;  ///< wants its batch at axis 0
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
/// All of them.
const Samples& all_samples();

/// A sample as a node of a graph of its own. Throws what building the inputs throws; the node is not inferred.
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
