// What is known of a sequence at the place where it is read.
#pragma once

#include <optional>
#include <vector>

#include "core/build/builder.h"

namespace mo::onnx {

/// Longer sequences are not taken element by element.
inline constexpr int64_t kMostElements = 1024;

/// All slices of a tensor along an axis.
struct Slices {
  OutPort data;
  int64_t axis = 0;
  bool keep_dims = true;  ///< the slices keep the axis, of dimension 1
};

/// A sequence in the graph that reads it. What lies outside a body is brought into it.
class SequenceView {
 public:
  /// The sequence at that input. Throws UnsupportedForm when nothing tells what it consists of.
  SequenceView(Builder& b, Node& reader, int input);

  /// Its elements, one by one. Throws UnsupportedForm when their number is unknown or large.
  std::vector<OutPort> elements() const;
  /// Its elements as slices; of equal shapes, where they are stacked for it. Throws UnsupportedForm when they are not.
  Slices slices() const;
  /// i64 scalar.
  OutPort length() const;
  bool is_sliced() const { return sliced_.has_value(); }

 private:
  Builder& b_;
  std::vector<OutPort> elements_;
  std::optional<Slices> sliced_;
};

/// A sequence of these.
OutPort make_sequence(Builder& b, const std::vector<OutPort>& elements);
/// All slices of data along `axis`, as a sequence.
OutPort make_sequence(Builder& b, const Slices& slices);

}  // namespace mo::onnx
