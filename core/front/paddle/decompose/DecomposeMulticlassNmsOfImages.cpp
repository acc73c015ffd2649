// Before: rows, indices, numbers = MulticlassNmsOfImages(boxes, scores[, counts])
// After:  MulticlassNms, sorted by class; boxes [M, classes, 4] and scores [M, classes] transposed, with the number of
// all
//         boxes if there are no counts, and the rows of a class then sorted by their boxes
// Conditions: the rank of the scores is known.

#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMulticlassNmsOfImages final : public Decomposition {
 public:
  Names ops() const override { return {"MulticlassNmsOfImages"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort boxes = node.source(0), scores = node.source(1);
    Attributes all = node.attributes;
    all.set("sort_result_type", "classid");
    std::vector<OutPort> inputs{boxes, scores};
    const int rank = scores.tensor().shape.rank();
    if (rank == 2) {
      const OutPort counts = node.has_in(2) ? node.source(2) : b.dims_of(scores, {0});
      inputs = {b.transpose(boxes, {1, 0, 2}), b.transpose(scores, {1, 0}), b.convert(counts, ElementType::I64)};
    } else if (rank != 3) {
      throw Error(Code::UnsupportedForm, "scores of unknown rank");
    }
    Node& nms = b.node("MulticlassNms", inputs, std::move(all), 3);
    if (rank == 2) {
      const std::vector<OutPort> sorted =
          evaluate(b, node, formula_of("RowsByBox"), {nms.out(0), nms.out(1), nms.out(2), boxes});
      return {sorted[0], sorted[1], nms.out(2)};
    }
    return {nms.out(0), nms.out(1), nms.out(2)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMulticlassNmsOfImages)
}  // namespace mo
