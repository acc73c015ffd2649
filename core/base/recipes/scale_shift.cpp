#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/hash.h"
#include "core/base/processors.h"
#include "core/base/recipes/transpose.h"

namespace mo {
namespace {

/// Bytes read at a time from a slice, so that they stay in the cache; and elements in one step.
constexpr size_t kScaleBytes = 256 * 1024, kScaleBlock = 1024;
/// An axis with fewer than kShortRun elements behind it gets its factors repeated element by element, up to
/// kLongestPeriod.
constexpr uint64_t kShortRun = 64, kLongestPeriod = 64 * 1024;

class ScaleShiftContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::ScaleShift;
  /// Factor i belongs to the elements e with e / run % scale.size() == i. An empty shift adds nothing.
  ScaleShiftContent(const Constant& source, uint64_t run, std::vector<float> scale, std::vector<float> shift)
      : Recipe(kKind, source.content->size(), {source.content}),
        type_(source.type),
        run_(run),
        scale_(std::move(scale)),
        shift_(std::move(shift)) {}
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;

  ElementType type() const { return type_; }
  uint64_t run() const { return run_; }
  const std::vector<float>& scale() const { return scale_; }
  const std::vector<float>& shift() const { return shift_; }

 private:
  ElementType type_;
  uint64_t run_;
  std::vector<float> scale_, shift_;
};

// The inner loops. A NaN becomes the canonical NaN: the NaNs of arithmetic differ from host to host.

MO_FOR_EACH_PROCESSOR
void scale_by_one(float* values, size_t n, float scale) {
  for (size_t i = 0; i < n; ++i) values[i] = canonical(values[i] * scale);
}
MO_FOR_EACH_PROCESSOR
void scale_shift_by_one(float* values, size_t n, float scale, float shift) {
  for (size_t i = 0; i < n; ++i) values[i] = canonical(values[i] * scale + shift);
}
MO_FOR_EACH_PROCESSOR
void scale_by_each(float* values, size_t n, const float* scale) {
  for (size_t i = 0; i < n; ++i) values[i] = canonical(values[i] * scale[i]);
}
MO_FOR_EACH_PROCESSOR
void scale_shift_by_each(float* values, size_t n, const float* scale, const float* shift) {
  for (size_t i = 0; i < n; ++i) values[i] = canonical(values[i] * scale[i] + shift[i]);
}

std::vector<float> repeat_each(const std::vector<float>& values, uint64_t times) {
  std::vector<float> out;
  for (const float v : values) out.insert(out.end(), static_cast<size_t>(times), v);
  return out;
}

class ScaleShiftReader final : public ContentReader {
 public:
  ScaleShiftReader(const ScaleShiftContent& content, Files& files)
      : content_(content), source_(content.sources()[0]->open(files)), run_(content.run()) {
    const uint64_t period = run_ * content.scale().size();
    if (run_ == 1 || run_ >= kShortRun || period > kLongestPeriod) return;
    scale_ = repeat_each(content.scale(), run_);
    shift_ = repeat_each(content.shift(), run_);
    run_ = 1;
  }

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    const bool from_slice = content_.sources()[0]->depth() == 0;
    while (!out.empty()) {
      const size_t n = from_slice ? std::min(out.size(), kScaleBytes) : out.size();
      source_->read(offset, out.first(n));
      if (content_.type() == ElementType::F32)
        apply_f32(offset / 4, out.first(n));
      else
        apply_f16(offset / 2, out.first(n));
      offset += n;
      out = out.subspan(n);
    }
  }

 private:
  void apply_f32(uint64_t first, std::span<std::byte> bytes) {
    std::array<float, kScaleBlock> values;
    for (size_t done = 0, total = bytes.size() / 4; done < total; done += kScaleBlock) {
      const size_t n = std::min(kScaleBlock, total - done);
      std::memcpy(values.data(), bytes.data() + 4 * done, 4 * n);
      apply(first + done, values.data(), n);
      std::memcpy(bytes.data() + 4 * done, values.data(), 4 * n);
    }
  }

  void apply_f16(uint64_t first, std::span<std::byte> bytes) {
    std::array<float, kScaleBlock> values;
    std::array<uint16_t, kScaleBlock> halves;
    for (size_t done = 0, total = bytes.size() / 2; done < total; done += kScaleBlock) {
      const size_t n = std::min(kScaleBlock, total - done);
      std::memcpy(halves.data(), bytes.data() + 2 * done, 2 * n);
      f16_to_f32({halves.data(), n}, {values.data(), n});
      apply(first + done, values.data(), n);
      f32_to_f16({values.data(), n}, {halves.data(), n});
      std::memcpy(bytes.data() + 2 * done, halves.data(), 2 * n);
    }
  }

  /// Elements [first, first + n).
  void apply(uint64_t first, float* values, size_t n) {
    const std::vector<float>& scale = scale_.empty() ? content_.scale() : scale_;
    const std::vector<float>& shift = shift_.empty() ? content_.shift() : shift_;
    auto index = static_cast<size_t>(first / run_ % scale.size());
    uint64_t skipped = first % run_;
    while (n != 0) {
      const auto left = static_cast<uint64_t>(run_ == 1 ? scale.size() - index : run_ - skipped);
      const auto here = static_cast<size_t>(std::min<uint64_t>(left, n));
      if (run_ == 1 && shift.empty())
        scale_by_each(values, here, scale.data() + index);
      else if (run_ == 1)
        scale_shift_by_each(values, here, scale.data() + index, shift.data() + index);
      else if (shift.empty())
        scale_by_one(values, here, scale[index]);
      else
        scale_shift_by_one(values, here, scale[index], shift[index]);
      values += here;
      n -= here;
      index = run_ == 1 || index + 1 == scale.size() ? 0 : index + 1;
      skipped = 0;
    }
  }

  const ScaleShiftContent& content_;
  std::unique_ptr<ContentReader> source_;
  uint64_t run_;
  std::vector<float> scale_, shift_;  ///< for each element of a period; empty when the content's own are used
};

std::unique_ptr<ContentReader> ScaleShiftContent::open(Files& files) const {
  return std::make_unique<ScaleShiftReader>(*this, files);
}

std::string ScaleShiftContent::identity() const {
  const auto text = [](const std::vector<float>& v) { return to_string(hash_of(std::as_bytes(std::span(v)))); };
  return cat("scale_shift(", ir_name(type_), ",", run_, ",", text(scale_), ",", shift_.empty() ? "" : text(shift_), ",",
             size(), ",", slice_text(*sources()[0]), ")");
}

/// The dimension of the source that is, in the transposed one, of this extent and has `run` elements behind it.
std::optional<size_t> axis_of_origin(const TransposeContent& turned, size_t extent, uint64_t run) {
  uint64_t behind = 1;
  for (size_t i = turned.order().size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(turned.order()[i]);
    const auto here = static_cast<uint64_t>(turned.source_shape()[axis]);
    if (behind == run && here == extent) return axis;
    behind *= here;
  }
  return std::nullopt;
}

}  // namespace

Constant scale_shift(const Constant& source, size_t axis, std::vector<float> scale, std::vector<float> shift) {
  check_source(source, axis);
  if (source.type != ElementType::F32 && source.type != ElementType::F16)
    throw Error(Code::UnsupportedType, msg("weights of type ", ir_name(source.type), " are not scaled"));
  const auto dimension = static_cast<size_t>(source.shape[axis]);
  if (scale.size() != dimension || (!shift.empty() && shift.size() != dimension))
    throw Error(Code::ShapeMismatch,
                msg(scale.size(), " factors and ", shift.size(), " shifts for dimension ", dimension));
  const uint64_t run = product(source.shape, axis + 1, source.shape.size());
  const auto scale_origin = [&](const Constant& origin, const TransposeContent& turned) -> std::optional<Constant> {
    const auto before = axis_of_origin(turned, dimension, run);
    if (!before) return std::nullopt;
    return scale_shift(origin, *before, scale, shift);
  };
  if (const auto turned = change_before_transpose(source, scale_origin)) return *turned;
  return finish(source.type, source.shape,
                std::make_shared<ScaleShiftContent>(source, run, std::move(scale), std::move(shift)));
}

}  // namespace mo
