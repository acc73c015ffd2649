// ScatterElementsUpdate (opset3; opset12 with a reduction): data, indices, updates (both of the data's rank), axis.
// ScatterUpdate (opset3): data, indices, updates, axis.
// ScatterNDUpdate (opset4; opset15 with a reduction): data, indices [batch…, k], updates.
// Attributes: reduction (none, sum, prod, min, max; ScatterElementsUpdate also mean, ScatterNDUpdate also sub),
// use_init_val.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_scatter_elements(InferContext& c) {
  const PartialShape& data = c.shape(0);
  merge(c.shape(1), c.shape(2));
  const PartialShape& indices = c.shape(1).has_rank() ? c.shape(1) : c.shape(2);
  if (data.has_rank() && indices.has_rank() && data.rank() != indices.rank())
    c.fail(Code::RankMismatch, msg("data [", to_string(data), "], indices [", to_string(indices), "]"));
  if (const auto axis = c.exact_int(3); axis && data.has_rank()) axis_of(c, *axis, data.rank());
  c.set(0, data, c.type(0));
}

void infer_scatter_update(InferContext& c) {
  if (const auto axis = c.exact_int(3); axis && c.shape(0).has_rank()) axis_of(c, *axis, c.shape(0).rank());
  c.set(0, c.shape(0), c.type(0));
}

/// The constant with slices replaced; of indices that occur twice the last one counts.
void fold_scatter_update(InferContext& c) {
  if (!c.value(0) || !c.value(1) || !c.value(2)) return;  // an input is missing
  const Constant &data = *c.value(0), &updates = *c.value(2);
  const auto axis = c.exact_int(3);
  if (!axis || bits(data.type) < 8 || data.type != updates.type || data.shape.empty()) return;
  const auto indices = read_ints(*c.value(1), c.files(), Model::kFoldOne);
  auto bytes = read_all(data, c.files(), Model::kFoldOne);
  const auto parts = read_all(updates, c.files(), Model::kFoldOne);
  if (!indices || !bytes || !parts || indices->empty()) return;
  const auto along = data.shape.begin() + static_cast<std::ptrdiff_t>(normalize_axis(*axis, data.shape.size()));
  const size_t part = element_count(Shape(along + 1, data.shape.end())) * static_cast<size_t>(bits(data.type)) / 8;
  const size_t rows = element_count(Shape(data.shape.begin(), along));
  if (part == 0 || parts->size() != rows * indices->size() * part) return;
  const std::byte* from = parts->data();
  for (size_t row = 0; row < rows; ++row)
    for (int64_t index : *indices) {
      if (index < 0) index += *along;
      if (index < 0 || index >= *along) return;
      const size_t to = (row * static_cast<size_t>(*along) + static_cast<size_t>(index)) * part;
      std::copy_n(from, part, bytes->begin() + static_cast<std::ptrdiff_t>(to));
      from += part;
    }
  c.set_value(0, owned(data.type, data.shape, std::move(*bytes)));
}

void infer_scatter_nd(InferContext& c) {
  c.require_rank(0, 1);
  c.require_rank(1, 1);
  const PartialShape &data = c.shape(0), &indices = c.shape(1);
  c.set(0, data, c.type(0));
  if (!data.has_rank() || !indices.has_rank() || !indices.dimensions().back().is_exact()) return;
  const int64_t depth = indices.dimensions().back().min;
  if (depth > data.rank())
    c.fail(Code::ShapeMismatch, msg("indices of ", depth, " numbers into [", to_string(data), "]"));
  std::vector<Dimension> updates(indices.dimensions().begin(), indices.dimensions().end() - 1);
  updates.insert(updates.end(), data.dimensions().begin() + depth, data.dimensions().end());
  merge(c.shape(2), updates);
}

bool reduces(const Node& n) { return n.get_string("reduction", "none") != "none"; }
std::string_view version_scatter_elements(const Node& n) { return reduces(n) ? "opset12" : "opset3"; }
void attributes_scatter_elements(const Node& n, IrAttributes& a) {
  if (!reduces(n)) return;
  a.add("reduction", n.get_string("reduction"));
  a.add("use_init_val", n.get_bool("use_init_val", true));
}
std::string_view version_scatter_nd(const Node& n) { return reduces(n) ? "opset15" : "opset4"; }
void attributes_scatter_nd(const Node& n, IrAttributes& a) {
  if (reduces(n)) a.add("reduction", n.get_string("reduction"));
}

constexpr OpDef kScatterDefs[] = {
    {.op = "ScatterElementsUpdate",
     .type = "ScatterElementsUpdate",
     .version = "opset12",
     .infer = infer_scatter_elements,
     .ir_attributes = attributes_scatter_elements,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Axis, .input = 3}}},
     .version_of = version_scatter_elements},
    {.op = "ScatterUpdate",
     .type = "ScatterUpdate",
     .version = "opset3",
     .infer = infer_scatter_update,
     .layout = {LayoutClass::Reshapes, {}},
     .fold = fold_scatter_update},
    {.op = "ScatterNDUpdate",
     .type = "ScatterNDUpdate",
     .version = "opset15",
     .infer = infer_scatter_nd,
     .ir_attributes = attributes_scatter_nd,
     .layout = {LayoutClass::Reshapes, {}},
     .version_of = version_scatter_nd},
};

}  // namespace

OpFamily ops_Scatter() { return kScatterDefs; }

}  // namespace mo
