#include "core/graph/name_list.h"

#include <algorithm>

namespace mo {
namespace {

/// Below that, looking at all of them is faster.
constexpr size_t kLong = 64;

size_t hash_of(std::string_view name) { return std::hash<std::string_view>()(name); }

}  // namespace

NameList::NameList(std::vector<std::string> names) {
  for (std::string& name : names) add(std::move(name));
}

NameList::NameList(std::initializer_list<std::string> names) {
  for (const std::string& name : names) add(name);
}

bool NameList::has(std::string_view name) const {
  if (!index_) return std::find(names_.begin(), names_.end(), name) != names_.end();
  const auto [first, last] = index_->equal_range(hash_of(name));
  return std::any_of(first, last, [&](const auto& entry) { return names_[entry.second] == name; });
}

void NameList::add(std::string name) {
  if (has(name)) return;
  if (index_) index_->emplace(hash_of(name), static_cast<uint32_t>(names_.size()));
  names_.push_back(std::move(name));
  if (index_ || names_.size() < kLong) return;
  index_ = std::make_unique<Index>();
  for (size_t i = 0; i < names_.size(); ++i) index_->emplace(hash_of(names_[i]), static_cast<uint32_t>(i));
}

}  // namespace mo
