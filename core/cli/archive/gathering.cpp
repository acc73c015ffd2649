#include "core/cli/archive/gathering.h"

#include "core/base/text.h"
#include "core/cli/archive/bounds.h"
#include "core/cli/archive/packed_names.h"

namespace mo {
namespace {

/// As many links as systems follow.
constexpr int kMostLinks = 40;

}  // namespace

void Gathering::add(const std::string& path, PackedEntry entry) {
  if (is_litter(path)) return;
  if (++count_ > kMostPackedFiles) throw archive_error("it has more than 100,000 files", archive_);
  const std::optional<std::string> inside = inside_path(path);
  if (!inside) {
    if (left_out_.empty()) left_out_ = msg(printable(path), ": ", Detail("its path leads out of the archive"));
    return;
  }
  links_.erase(*inside);
  entries_.insert_or_assign(*inside, std::move(entry));
}

void Gathering::add_link(const std::string& path, std::string target) {
  add(path, {.refusal = "it is a link to nothing in the archive"});
  const std::optional<std::string> inside = inside_path(path);
  if (inside && !is_litter(path)) links_.insert_or_assign(*inside, std::move(target));
}

/// Null if the link leads to no file.
const PackedEntry* Gathering::target_of(const std::string& path) const {
  auto link = links_.find(path);
  for (int i = 0; i < kMostLinks && link != links_.end(); ++i) {
    const auto next = links_.find(link->second);
    if (next != links_.end()) {
      link = next;
      continue;
    }
    const auto found = entries_.find(link->second);
    return found == entries_.end() ? nullptr : &found->second;
  }
  return nullptr;
}

void Gathering::refuse(const std::function<bool(const PackedEntry&)>& is_wrong, const Detail& reason) {
  for (auto& [path, entry] : entries_)
    if (entry.refusal.empty() && is_wrong(entry)) entry.refusal = reason;
}

Gathering::Entries Gathering::finish() {
  for (const auto& [path, target] : links_)
    if (const PackedEntry* entry = target_of(path)) entries_[path] = *entry;
  for (const auto& [path, entry] : entries_)
    if (!entry.refusal.empty() && left_out_.empty()) left_out_ = msg(printable(path), ": ", entry.refusal);
  return std::move(entries_);
}

}  // namespace mo
