// The content of a sequence at the place where it is read.
#pragma once

#include <optional>
#include <vector>

#include "core/front/onnx/decompose/packed_sequence.h"

namespace mo::onnx {

/// Longer sequences are not read element by element.
inline constexpr int64_t kMostElements = 1024;

/// All slices of a tensor along an axis.
struct Slices {
  OutPort data;
  int64_t axis = 0;
  bool keep_dims = true;  ///< the slices keep the axis, with dimension 1
};

/// A sequence in the graph that reads it. Tensors from outside a body are made available in it.
class SequenceView {
 public:
  /// The sequence at that input. Throws UnsupportedForm if its content cannot be determined.
  SequenceView(Builder& b, Node& reader, int input);

  /// Its elements. Throws UnsupportedForm if their number is unknown or too large.
  std::vector<OutPort> elements() const;
  /// Whether it is a list of elements of the graph that reads it. To take one of them takes no longer in a long list.
  bool is_list() const { return list_; }
  size_t count() const;
  OutPort element(size_t position) const;
  /// Its elements as slices. Elements of equal shapes are stacked; for others throws UnsupportedForm.
  Slices slices() const;
  /// As an i64 scalar.
  OutPort length() const;
  bool is_sliced() const { return sliced_.has_value(); }
  /// Its elements, if they may differ in shape and their number is unknown; else null.
  const Packed* packed() const { return packed_ ? &*packed_ : nullptr; }

 private:
  Builder& b_;
  Node* list_ = nullptr;
  std::vector<OutPort> elements_;  ///< of a list of another graph
  std::optional<Slices> sliced_;
  std::optional<Packed> packed_;
};

/// Whether the node is a list of elements.
bool is_list(const Node& node);
/// The nodes that read a sequence, or one that contains all of it, in its graph.
std::vector<const Node*> readers_of(OutPort sequence);
/// The axis along which all readers that join the elements, of that rank, do so, or else 0.
int64_t axis_of_readers(OutPort sequence, int rank);
/// The elements of the sequence that `node` reads first, and of the second. Throws UnsupportedForm for other ranks.
OutPort joined_sequences(Builder& b, Node& node);

/// A sequence of these elements.
OutPort make_sequence(Builder& b, const std::vector<OutPort>& elements);
/// A sequence of all slices of data along `axis`.
OutPort make_sequence(Builder& b, const Slices& slices);

}  // namespace mo::onnx
