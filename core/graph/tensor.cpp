#include "core/graph/tensor.h"

#include <algorithm>

namespace mo {

bool IntTensor::is_exact() const {
  return std::all_of(elements.begin(), elements.end(), [](Interval e) { return e.is_exact(); });
}

std::vector<int64_t> IntTensor::exact() const {
  std::vector<int64_t> out;
  out.reserve(elements.size());
  for (const Interval& e : elements) out.push_back(e.min);
  return out;
}

std::optional<std::vector<int64_t>> Tensor::exact_ints() const {
  return ints && ints->is_exact() ? std::optional(ints->exact()) : std::nullopt;
}

std::optional<int64_t> Tensor::exact_int() const {
  if (!ints || ints->elements.size() != 1 || !ints->is_exact()) return std::nullopt;
  return ints->elements[0].min;
}

}  // namespace mo
