#include "core/graph/attributes.h"

#include <algorithm>

namespace mo {
namespace {

struct ToAttribute {
  template <typename T>
  Attribute operator()(const T& value) const {
    return value;
  }
  template <typename T>
  Attribute operator()(const T* value) const {
    return *value;
  }
  Attribute operator()(std::string_view text) const { return std::string(text); }
};

}  // namespace

Attributes::Attributes(NewAttributes entries) {
  entries_.reserve(entries.size());
  for (const NewAttribute& entry : entries) entries_.emplace_back(entry.key, std::visit(ToAttribute{}, entry.value));
}
Attributes::Attributes(const Attributes&) = default;
Attributes::Attributes(Attributes&&) noexcept = default;
Attributes& Attributes::operator=(const Attributes&) = default;
Attributes& Attributes::operator=(Attributes&&) noexcept = default;
Attributes::~Attributes() = default;

const Attribute* Attributes::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.first == key) return &entry.second;
  return nullptr;
}

void Attributes::set(std::string_view key, Attribute value) {
  for (Entry& entry : entries_)
    if (entry.first == key) {
      entry.second = std::move(value);
      return;
    }
  entries_.emplace_back(key, std::move(value));
}

void Attributes::erase(std::string_view key) {
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.first == key; }),
                 entries_.end());
}

void Attributes::update(const Attributes& others) {
  for (const Entry& entry : others) set(entry.first, entry.second);
}

}  // namespace mo
