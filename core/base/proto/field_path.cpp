#include "core/base/proto/field_path.h"

#include "core/base/text.h"

namespace mo::proto {
namespace {

Found field_of(const Message& message, std::string_view name) {
  const FieldRow* row = message.row(name);
  const Entries entries = message.occurrences(name);
  Found found{row ? row->is_repeated() : entries.size() > 1, {}, {}};
  if (!message.source().is_message(entries[0])) {
    found.values = message.all(name);
    for (Scalar& value : found.values) value = message.named(row, std::move(value));
    if (!found.is_list && !found.values.empty()) found.values.erase(found.values.begin(), found.values.end() - 1);
  } else if (found.is_list) {
    found.messages = message.messages(name);
  } else {
    found.messages.push_back(message.get_message(name));
  }
  return found;
}

/// Leaves only the element at `index`; false when there is none.
template <typename T>
bool keep(std::vector<T>& list, int64_t index) {
  if (index < 0 || index >= static_cast<int64_t>(list.size())) return false;
  std::vector<T> one{std::move(list[static_cast<size_t>(index)])};
  list = std::move(one);
  return true;
}

}  // namespace

std::optional<Found> find_field(const Message& root, std::string_view path) {
  Found at{false, {}, {root}};
  for (const std::string& part : split(path, '.')) {
    if (at.is_list) {
      const auto index = parse_int(part);
      if (!index || !(keep(at.values, *index) || keep(at.messages, *index))) return std::nullopt;
      at.is_list = false;
      continue;
    }
    if (at.messages.empty() || !at.messages[0].has(part)) return std::nullopt;
    Found next = field_of(at.messages[0], part);
    at = std::move(next);
  }
  return at;
}

}  // namespace mo::proto
