// Sequences of 1.x programs (LoD): the rows of one sequence. What needs several in a batch is refused.

#include <algorithm>

#include "core/decompose/indexing/rows.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

OutPort one_number(Builder& b, OutPort x) { return b.reshape(b.convert(x, ElementType::I64), {1}, false); }

}  // namespace

namespace {

OutPort pooled(Node& node, OutPort x) {
  const std::string type = node.get_string("pooltype", "AVERAGE");
  Builder b(node);
  if (type == "FIRST" || type == "LAST") return b.gather(x, b.i64({type == "FIRST" ? 0 : -1}), 0);
  if (type == "SQRT") return b.op("SequenceSumBySqrt", {x});
  const char* op = type == "SUM"       ? "ReduceSum"
                   : type == "AVERAGE" ? "ReduceMean"
                   : type == "MAX"     ? "ReduceMax"
                                       : nullptr;
  if (!op) throw Error(Code::BadAttribute, msg("pooltype is '", type, "'"));
  return b.reduce(op, x, {0}, true);
}

}  // namespace

void extract_sequence_pool(Node& node) { give(node, {{"Out", pooled(node, required(node, "X"))}}); }

void extract_fusion_seqpool_concat(Node& node) {
  std::vector<OutPort> parts;
  for (const OutPort x : inputs(node, "X")) parts.push_back(pooled(node, x));
  become(node, "Concat", parts, {{"axis", 1}});
}

void extract_sequence_softmax(Node& node) { become(node, "SoftMax", {required(node, "X")}, {{"axis", 0}}); }

namespace {

/// Windows of rows times the filter; rows outside are 0.
OutPort convolved(Node& node) {
  const int64_t start = node.get_int("contextStart"), length = node.get_int("contextLength");
  if (node.get_bool("paddingTrainable"))
    throw Error(Code::UnsupportedForm, "rows around the sequence that are weights");
  if (node.get_int("contextStride", 1) != 1 || length < 1 || length > INT32_MAX)
    throw Error(Code::BadAttribute,
                msg("contextLength is ", length, ", contextStride ", node.get_int("contextStride", 1)));
  if (start > INT32_MAX || start < -INT32_MAX) throw Error(Code::BadAttribute, msg("contextStart is ", start));
  const int64_t before = std::max<int64_t>(0, -start), behind = std::max<int64_t>(0, start + length - 1);
  const OutPort x = required(node, "X"), filter = required(node, "Filter");
  Builder b(node);
  const OutPort first = b.i64({before, 0}), last = b.i64({behind, 0}), size = b.i64_scalar(length);
  return b.op("SequenceConvolution", {x, first, last, filter, size, b.i64_scalar(std::max<int64_t>(0, start))});
}

}  // namespace

void extract_sequence_conv(Node& node) { give(node, {{"Out", convolved(node)}}); }

void extract_fusion_seqconv(Node& node) {
  Builder b(node);
  give(node, {{"Out", b.op("ReLU", {b.op("Add", {convolved(node), required(node, "Bias")})})}});
}

/// The first of X has a row for each step, the others one that goes with all of them.
void extract_fusion_seqexpand_concat_fc(Node& node) {
  std::vector<OutPort> parts = inputs(node, "X");
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  Builder b(node);
  const OutPort steps = b.dims_of(parts[0], {0});
  for (size_t i = 1; i < parts.size(); ++i) parts[i] = b.op("AttributedTile", {parts[i], steps, b.i64({0})});
  const OutPort product = b.op("MatMul", {b.concat(parts, 1), required(node, "FCWeight")});
  const OutPort sum = plus(b, product, input(node, "FCBias"));
  give(node, {{"Out", activated(b, sum, node.get_string("fc_activation", "identity"))}});
}

void extract_sequence_expand(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  Builder b(node);
  become(node, "AttributedTile", {x, b.dims_of(y, {0}), b.i64({0})});
}

void extract_sequence_concat(Node& node) { become(node, "Concat", inputs(node, "X"), {{"axis", 0}}); }

void extract_sequence_reverse(Node& node) {
  Builder b(node);
  become(node, "Reverse", {required(node, "X"), b.i64({0})}, {{"mode", "index"}}, {"Y"});
}

void extract_sequence_slice(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), begin = one_number(b, required(node, "Offset"));
  const OutPort end = b.op("Add", {begin, one_number(b, required(node, "Length"))});
  give(node, {{"Out", between(b, x, begin, end)}});
}

/// A batch of one, with rows behind the sequence up to padded_length.
void extract_sequence_pad(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), length = b.dims_of(x, {0});
  const int64_t padded = node.get_int("padded_length", -1);
  const OutPort rows =
      padded < 0 ? b.unsqueeze(x, {0}) : b.op("SequencePadded", {x, required(node, "PadValue"), b.i64({padded})});
  give(node, {{"Out", rows}, {"Length", length}});
}

void extract_sequence_unpad(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), length = one_number(b, required(node, "Length"));
  const OutPort rows = b.squeeze(x, {0});
  give(node, {{"Out", between(b, rows, b.i64({0}), length)}});
}

void extract_sequence_reshape(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  give(node, {{"Out", b.reshape(x, {-1, node.get_int("new_dim")}, false)}});
}

void extract_sequence_enumerate(Node& node) {
  const int64_t size = node.get_int("win_size");
  if (size < 1 || size > INT32_MAX) throw Error(Code::BadAttribute, msg("win_size is ", size));
  Builder b(node);
  const OutPort pad = b.op("Broadcast", {b.i64_scalar(node.get_int("pad_value")), b.i64({size})}, {{"mode", "numpy"}});
  become(node, "SequenceWindows", {required(node, "X"), pad, b.i64_scalar(size)});
}

void extract_sequence_erase(Node& node) {
  Builder b(node);
  become(node, "RowsWithout", {required(node, "X"), b.i64(ints_of(node, "tokens"))});
}

void extract_sequence_scatter(Node& node) {
  become(node, "AddedInRow", {required(node, "X"), required(node, "Ids"), required(node, "Updates")});
}

/// One sequence stays one.
void extract_lod_reset(Node& node) {
  if (input(node, "Y") || ints_of(node, "target_lod").size() != 2)
    throw Error(Code::UnsupportedForm, "rows that become several sequences");
  become(node, "Identity", {required(node, "X")});
}

/// Runs of a class as one, without blanks. A batch is padded; a sequence has as many rows as there are classes, or -1.
void extract_ctc_align(Node& node) {
  const OutPort x = required(node, "Input"), lengths = input(node, "InputLength");
  Builder b(node);
  const OutPort rows = lengths ? x : b.reshape(x, {1, -1}, false);
  const OutPort count = lengths ? lengths : b.dims_of(rows, {1});
  Node& made = b.node("RunsAligned", {rows, b.reshape(b.convert(count, ElementType::I64), {-1, 1}, false)},
                      {{"blank", static_cast<double>(node.get_int("blank"))},
                       {"all", node.get_bool("merge_repeated", true) ? 0.0 : 1.0},
                       {"padding", static_cast<double>(node.get_int("padding_value"))}},
                      2);
  if (lengths) return give(node, {{"Output", made.out(0)}, {"OutputLength", made.out(1)}});
  const OutPort found = one_number(b, made.out(1)), all = b.reshape(made.out(0), {-1, 1}, false);
  give(node, {{"Output", b.op("OneRowAtLeast", {between(b, all, b.i64({0}), found)})}});
}

/// The order of sequences by their lengths, which one has without it.
void extract_first_input(Node& node) { become(node, "Identity", {required(node, "X")}); }

void extract_max_sequence_len(Node& node) {
  Builder b(node);
  give(node, {{"Out", b.dims_of(required(node, "RankTable"), {0})}});
}

/// Each row is an element [1, …].
void extract_lod_tensor_to_array(Node& node) {
  Builder b(node);
  become(node, "TensorListFromTensor", {b.unsqueeze(required(node, "X"), {1})});
}

void extract_array_to_lod_tensor(Node& node) {
  Builder b(node);
  const OutPort any = b.constant(make_scalar(ElementType::I32, -1));
  give(node, {{"Out", b.squeeze(b.op("TensorListStack", {required(node, "X"), any}), {1})}});
}

void extract_split_lod_tensor(Node& node) {
  Builder b(node);
  Node& made = b.node("RowsByMask", {required(node, "X"), required(node, "Mask")}, {}, 2);
  give(node, {{"OutTrue", made.out(0)}, {"OutFalse", made.out(1)}});
}

void extract_merge_lod_tensor(Node& node) {
  become(node, "RowsMerged", {required(node, "Mask"), required(node, "InTrue"), required(node, "InFalse")});
}

}  // namespace mo::paddle
