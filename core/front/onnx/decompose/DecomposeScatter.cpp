// Before: y = ScatterElements(data, indices, updates) {axis, reduction}
// After:  y = ScatterElementsUpdate(data, indices, updates, axis) {reduction}
// Before: y = ScatterND(data, indices, updates) {reduction}
// After:  y = ScatterNDUpdate(data, indices, updates) {reduction}
// Before: y = TensorScatter(cache, update [, write_indices]) {axis, mode}
// After:  y = ScatterElementsUpdate(cache, places, update, axis), where places is write_indices + Range(update's size
//         along axis), broadcast to the shape of update
// Conditions: TensorScatter needs the rank of its update.

#include <map>

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeScatter final : public Decomposition {
 public:
  Names ops() const override { return {"ScatterElements", "ScatterND", "TensorScatter"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "TensorScatter") return {tensor_scatter(b, node)};
    const OutPort data = node.source(0), indices = node.source(1), updates = node.source(2);
    const Attributes attributes = {{"reduction", reduction(node)}};
    if (node.op() == "ScatterND") return {b.op("ScatterNDUpdate", {data, indices, updates}, attributes)};
    return {b.op("ScatterElementsUpdate", {data, indices, updates, b.i64_scalar(node.get_int("axis"))}, attributes)};
  }

 private:
  static std::string reduction(const Node& node) {
    static const std::map<std::string, std::string> words = {
        {"none", "none"}, {"add", "sum"}, {"mul", "prod"}, {"min", "min"}, {"max", "max"}};
    const auto word = words.find(node.get_string("reduction"));
    if (word == words.end()) throw Error(Code::BadAttribute, msg("reduction is '", node.get_string("reduction"), "'"));
    return word->second;
  }

  static OutPort tensor_scatter(Builder& b, const Node& node) {
    const OutPort cache = node.source(0), update = node.source(1);
    const int rank = update.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "TensorScatter of a tensor of unknown rank");
    const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis"), rank));
    // Along the axis the positions are 0, 1, …; along the batch the write index is added.
    Ints along(static_cast<size_t>(rank), 1), batch(static_cast<size_t>(rank), 1);
    along[static_cast<size_t>(axis)] = batch[0] = -1;
    OutPort places = b.reshape(counted(b, dimension_of(b, update, axis)), along, false);
    if (node.has_in(2))
      places = b.op("Add", {places, b.reshape(b.convert(node.source(2), ElementType::I64), batch, false)});
    if (node.get_string("mode") == "circular") places = b.op("FloorMod", {places, dimension_of(b, cache, axis)});
    places = b.op("Broadcast", {places, b.shape_of(update)}, {{"mode", "numpy"}});
    return b.op("ScatterElementsUpdate", {cache, places, update, b.i64_scalar(axis)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeScatter)
}  // namespace mo
