// CTCLoss (opset4): logits [batch, time, classes], their lengths [batch], labels [batch, time], their lengths [batch],
// and the blank class, by default the last one; attributes preprocess_collapse_repeated, ctc_merge_repeated, unique.
// CTCGreedyDecoder (opset1): probabilities [time, batch, classes], indicators [time, batch] that are 0 behind the end;
// attribute ctc_merge_repeated. The blank class is the last one.

#include "core/ops/known.h"

namespace mo {
namespace {

/// Dimension `axis` of an input is `size`, which may be known better then.
void agree(InferContext& c, int input, size_t axis, Dimension& size, const Detail& what) {
  if (!c.shape(input).has_rank()) return;
  const auto both = intersect(size, c.shape(input)[axis]);
  if (!both)
    c.fail(Code::ShapeMismatch,
           msg("input ", input, " has ", to_string(c.shape(input)[axis]), " ", what, ", others ", to_string(size)));
  size = *both;
}

void infer_ctc_loss(InferContext& c) {
  require_inputs(c, 4);
  Dimension batch = kAnyDimension, time = kAnyDimension;
  constexpr int kRanks[] = {3, 1, 2, 1};
  for (int i = 0; i < 4; ++i) {
    c.require_rank(i, kRanks[i], kRanks[i]);
    agree(c, i, 0, batch, "sequences");
  }
  agree(c, 0, 1, time, "steps");
  agree(c, 2, 1, time, "steps");
  c.set(0, {batch}, c.type(0));
}

void attributes_ctc_loss(const Node& n, IrAttributes& a) {
  a.add("preprocess_collapse_repeated", n.get_bool("preprocess_collapse_repeated"));
  a.add("ctc_merge_repeated", n.get_bool("ctc_merge_repeated", true));
  a.add("unique", n.get_bool("unique"));
}

void infer_ctc_best_classes(InferContext& c) {
  require_inputs(c, 2);
  Dimension time = kAnyDimension, batch = kAnyDimension;
  for (int i = 0; i < 2; ++i) {
    c.require_rank(i, 3 - i, 3 - i);
    agree(c, i, 0, time, "steps");
    agree(c, i, 1, batch, "sequences");
  }
  c.set(0, {batch, time, 1, 1}, c.type(0));
}

void attributes_ctc_best_classes(const Node& n, IrAttributes& a) {
  a.add("ctc_merge_repeated", n.get_bool("ctc_merge_repeated", true));
}

constexpr OpDef kCTCLossDefs[] = {
    {.op = "CTCBestClasses",
     .type = "CTCGreedyDecoder",
     .version = "opset1",
     .infer = infer_ctc_best_classes,
     .ir_attributes = attributes_ctc_best_classes,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "CTCLoss",
     .type = "CTCLoss",
     .version = "opset4",
     .infer = infer_ctc_loss,
     .ir_attributes = attributes_ctc_loss,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_CTCLoss() { return kCTCLossDefs; }

}  // namespace mo
