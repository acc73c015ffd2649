#include "core/ops/known.h"

namespace mo {
namespace {

/// True when the output's shape is known, and enough of input `in` to rearrange its elements.
bool can_arrange(const InferContext& c, int in, int out) {
  const Tensor& tensor = c.node().out(out).tensor();
  if (!tensor.shape.is_static() || tensor.type == ElementType::Unknown || tensor.type != c.type(in)) return false;
  const uint64_t count = element_count(tensor.shape.to_shape());
  if (c.ints(in) && count <= Tensor::kMaxInts) return true;
  const Constant* value = c.value(in);
  const Model& model = c.node().graph().model();
  if (!value || bits(value->type) < 8 || value->content->size() > Model::kFoldOne) return false;
  const uint64_t size = byte_size(tensor.type, count);
  return size <= Model::kFoldOne && model.folded_bytes + size <= Model::kFoldTotal;
}

}  // namespace

void pass_known(InferContext& c, int in, int out) {
  const PartialShape& shape = c.node().out(out).tensor().shape;
  if (!shape.is_static()) return;
  if (const Constant* value = c.value(in)) {
    c.set_value(out, reshape(*value, shape.to_shape()));
  } else if (const auto& ints = c.ints(in); ints && ints->elements.size() == element_count(shape.to_shape())) {
    c.set_ints(out, {shape.to_shape(), ints->elements});
  }
}

void arrange_known(InferContext& c, int in, const std::function<Offsets()>& offsets, int out) {
  if (!can_arrange(c, in, out)) return;
  const Tensor& tensor = c.node().out(out).tensor();
  const Shape shape = tensor.shape.to_shape();
  if (element_count(shape) == 0) return c.set_value(out, owned(tensor.type, shape, {}));
  std::vector<uint64_t> picks{0};
  for (const auto& axis : offsets()) {
    std::vector<uint64_t> next;
    next.reserve(picks.size() * axis.size());
    for (const uint64_t base : picks)
      for (const uint64_t offset : axis) next.push_back(base + offset);
    picks = std::move(next);
  }
  const auto check = [&](uint64_t available) {
    bool good = picks.size() == element_count(shape);
    for (const uint64_t pick : picks) good &= pick < available;
    if (!good) c.fail(Code::BadValue, "an index outside its tensor");
  };
  if (const auto& ints = c.ints(in); ints && picks.size() <= Tensor::kMaxInts) {
    check(ints->elements.size());
    IntTensor result{shape, {}};
    for (const uint64_t pick : picks) result.elements.push_back(ints->elements[static_cast<size_t>(pick)]);
    return c.set_ints(out, std::move(result));
  }
  const auto bytes = read_all(*c.value(in), c.files(), Model::kFoldOne);
  if (!bytes) return;
  const auto width = static_cast<size_t>(bits(tensor.type)) / 8;
  check(bytes->size() / width);
  std::vector<std::byte> result(picks.size() * width);
  for (size_t i = 0; i < picks.size(); ++i)
    std::copy_n(bytes->data() + picks[i] * width, width, result.data() + i * width);
  c.node().graph().model().folded_bytes += result.size();
  c.set_value(out, owned(tensor.type, shape, std::move(result)));
}

std::vector<uint64_t> strides_of(const Shape& shape) {
  std::vector<uint64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<uint64_t>(shape[i]);
  return strides;
}

void require_inputs(const InferContext& c, int count) {
  for (int i = 0; i < count; ++i)
    if (!c.has_in(i)) c.fail(Code::MissingInput, msg("input ", i));
}

size_t axis_of(const InferContext& c, int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) c.fail(Code::BadValue, msg("axis ", axis, " of a tensor of rank ", rank));
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

std::optional<std::vector<Interval>> elements_of(const InferContext& c, int i) {
  if (const auto& ints = c.ints(i)) return ints->elements;
  const PartialShape& shape = c.shape(i);
  if (!shape.is_static()) return std::nullopt;
  const uint64_t count = element_count(shape.to_shape());
  if (count > Tensor::kMaxInts) return std::nullopt;
  return std::vector<Interval>(static_cast<size_t>(count));
}

std::optional<std::vector<Interval>> shape_elements_of(const InferContext& c, int i) {
  const PartialShape& sizes = c.shape(i);
  if (sizes.rank() == 1 && sizes[0].min > kMostDimensions)
    c.fail(Code::RankMismatch, msg("a shape of ", sizes[0].min, " dimensions, at most ", kMostDimensions));
  return elements_of(c, i);
}

}  // namespace mo
