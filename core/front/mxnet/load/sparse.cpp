// Sparse arrays as dense ones.

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/error.h"
#include "core/base/scattered.h"
#include "core/base/text.h"
#include "core/front/mxnet/load/arrays.h"

namespace mo::mxnet {
namespace {

/// For each of them some bytes are held while a conversion lasts.
constexpr int64_t kMostIndices = 1 << 24;

std::vector<int64_t> numbers(const Constant& list, Files& files) {
  const auto out =
      list.elements() <= static_cast<uint64_t>(kMostIndices) ? read_ints(list, files, kMostIndices) : std::nullopt;
  if (!out) throw Error(Code::UnsupportedForm, msg("a sparse array of ", list.elements(), " indices"));
  return *out;
}

/// Reads the places anew for each use, so that they take no memory in between.
class CompressedRows final : public Scattering {
 public:
  CompressedRows(Shape shape, SparseParts parts) : shape_(std::move(shape)), parts_(std::move(parts)) {}

  Scattered read(Files& files) const override {
    const std::vector<int64_t> pointers = numbers(parts_.pointers, files), indices = numbers(parts_.indices, files);
    Scattered out;
    if (static_cast<int64_t>(pointers.size()) != shape_[0] + 1 || pointers[0] != 0 ||
        pointers.back() != static_cast<int64_t>(indices.size()))
      throw Error(Code::CorruptFile, msg(pointers.size(), " pointers for ", shape_[0], " rows"));
    for (int64_t row = 0; row < shape_[0]; ++row) {
      const int64_t begin = pointers[static_cast<size_t>(row)], end = pointers[static_cast<size_t>(row) + 1];
      if (begin > end || end > static_cast<int64_t>(indices.size()))
        throw Error(Code::CorruptFile, msg("row ", row, " has no elements of its own"));
      for (int64_t k = begin; k < end; ++k) {
        const int64_t column = indices[static_cast<size_t>(k)];
        if (column < 0 || column >= shape_[1]) throw Error(Code::CorruptFile, msg("an index of ", column));
        out.elements.push_back({static_cast<uint64_t>(row * shape_[1] + column), static_cast<uint64_t>(k)});
      }
    }
    const auto values = read_all(parts_.data, files, UINT64_MAX);
    out.values = values.value_or(std::vector<std::byte>());
    return out;
  }
  std::string identity() const override {
    return cat("csr ", parts_.data.content->identity(), " ", parts_.indices.content->identity());
  }

 private:
  Shape shape_;
  SparseParts parts_;
};

/// The places of the rows in rising order; of those that are stored twice the last one counts.
std::vector<int64_t> in_order(const std::vector<int64_t>& rows) {
  std::vector<int64_t> places(rows.size());
  std::iota(places.begin(), places.end(), 0);
  const auto row = [&](int64_t place) { return rows[static_cast<size_t>(place)]; };
  std::stable_sort(places.begin(), places.end(), [&](int64_t a, int64_t b) { return row(a) < row(b); });
  const auto same = [&](int64_t a, int64_t b) { return row(a) == row(b); };
  places.erase(places.begin(), std::unique(places.rbegin(), places.rend(), same).base());
  return places;
}

/// Runs of stored rows, which rise, and zeros between them.
Constant in_runs(const Shape& shape, const Constant& data, const std::vector<int64_t>& rows) {
  std::vector<Constant> parts;
  const auto add_zeros = [&](int64_t count) {
    Shape part = shape;
    part[0] = count;
    if (count > 0) parts.push_back(make_splat(data.type, part, 0));
  };
  int64_t next = 0;
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end] == rows[begin] + static_cast<int64_t>(end - begin)) ++end;
    add_zeros(rows[begin] - next);
    parts.push_back(slice(data, 0, static_cast<int64_t>(begin), static_cast<int64_t>(end)));
    next = rows[end - 1] + 1;
  }
  add_zeros(shape[0] - next);
  return concat(parts, 0);
}

}  // namespace

Constant dense_of_rows(Files& files, const Shape& shape, const SparseParts& parts) {
  std::vector<int64_t> rows = numbers(parts.indices, files);
  if (rows.empty()) return make_splat(parts.data.type, shape, 0);
  for (const int64_t row : rows)
    if (row < 0 || row >= shape[0]) throw Error(Code::CorruptFile, msg("a row of number ", row));
  element_count(shape);  // throws if it is too large for places
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end())
    return in_runs(shape, parts.data, rows);
  const std::vector<int64_t> places = in_order(rows);
  std::vector<int64_t> rising;
  for (const int64_t place : places) rising.push_back(rows[static_cast<size_t>(place)]);
  return in_runs(shape, take(parts.data, 0, places), rising);
}

Constant dense_of_csr(Files& files, const Shape& shape, const SparseParts& parts) {
  element_count(shape);  // throws if it is too large for places
  Constant out = scatter(parts.data.type, shape, std::make_shared<CompressedRows>(shape, parts));
  out.content->check(files);
  return out;
}

}  // namespace mo::mxnet
