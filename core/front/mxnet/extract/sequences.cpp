// Sequences of several lengths, in time along axis 0 or 1; the other one is the batch.

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// The lengths; none if all sequences are whole.
OutPort lengths_of(const Node& node, Builder& b) {
  if (!bool_of(node, "use_sequence_length")) return {};
  return b.op("Cast", {required(node, 1)}, {{"dst_type", ElementType::I64}});
}

}  // namespace

/// What is behind the end of a sequence gets the value.
void extract_sequence_mask(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t axis = limited_int(node, "axis", 0, 0, 1);
  Builder b(node);
  const OutPort lengths = lengths_of(node, b);
  if (!lengths) return give(node, {x});
  const OutPort time = b.i64({axis}), batch = b.i64({1 - axis});
  become(node, "MaskedSequence", {x, lengths, time, batch}, {{"value", float_of(node, "value")}, {"axis", axis}});
}

/// The last element of each.
void extract_sequence_last(Node& node) {
  const OutPort x = required(node, 0);
  const int64_t axis = limited_int(node, "axis", 0, 0, 1);
  Builder b(node);
  const OutPort lengths = lengths_of(node, b);
  if (lengths) return become(node, axis == 0 ? "LastOfTime" : "LastOfBatch", {x, lengths});
  const OutPort last = b.i64_scalar(-1), along = b.i64_scalar(axis);
  become(node, "Gather", {x, last, along});
}

void extract_sequence_reverse(Node& node) {
  const OutPort x = required(node, 0);
  limited_int(node, "axis", 0, 0, 0);
  Builder b(node);
  const OutPort lengths = lengths_of(node, b);
  if (lengths) return become(node, "ReverseSequence", {x, lengths}, {{"batch_axis", 1}, {"seq_axis", 0}});
  const OutPort along = b.i64({0});
  become(node, "ReverseV2", {x, along});
}

}  // namespace mo::mxnet
