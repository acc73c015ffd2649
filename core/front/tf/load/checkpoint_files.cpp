#include "core/front/tf/load/checkpoint_files.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo::tf {
namespace {

constexpr size_t kDigits = 5, kMostNamed = 16;
constexpr const char* kAllShards = "?????";

std::string padded(int64_t number) {
  const std::string digits = std::to_string(number);
  return digits.size() < kDigits ? std::string(kDigits - digits.size(), '0') + digits : digits;
}

CheckpointFiles files_of(Files& files, const Shards& shards) {
  CheckpointFiles out;
  for (int64_t i = 0; i < shards.count && out.missing.size() < kMostNamed; ++i) {
    std::string name = cat(shards.prefix, "-", shard_ending(i, shards.count));
    (files.has(name) ? out.tables : out.missing).push_back(std::move(name));
  }
  return out;
}

/// The paths of the entries in the folder of `prefix` that begin with `prefix`.
std::vector<std::string> entries_beside(Files& files, const std::string& prefix) {
  // On Windows either slash separates folders; on other systems a name may contain a backslash.
  const size_t slash = prefix.find_last_of(prefix.find('/') == std::string::npos ? "\\" : "/");
  const size_t base = slash == std::string::npos ? 0 : slash + 1;
  const bool is_root = base == 1 || (base > 1 && prefix[base - 2] == ':');
  const std::vector<std::string>& entries = files.entries(prefix.substr(0, base && !is_root ? base - 1 : base));
  const std::string_view name = std::string_view(prefix).substr(base);
  std::vector<std::string> out;
  for (auto entry = std::lower_bound(entries.begin(), entries.end(), name);
       entry != entries.end() && entry->starts_with(name); ++entry)
    out.push_back(prefix.substr(0, base) + *entry);
  return out;
}

/// The checkpoints whose shards have that prefix, by the number of shards.
std::vector<CheckpointFiles> beside(Files& files, const std::string& prefix) {
  std::set<int64_t> counts;
  for (const std::string& entry : entries_beside(files, prefix))
    if (const Shards shards = shards_of(entry); shards.prefix == prefix) counts.insert(shards.count);
  std::vector<CheckpointFiles> out;
  counts.erase(0);
  for (const int64_t count : counts) out.push_back(files_of(files, {prefix, count}));
  return out;
}

}  // namespace

std::string shard_ending(int64_t shard, int64_t shards) { return cat(padded(shard), "-of-", padded(shards)); }

Shards shards_of(const std::string& name) {
  const size_t of = name.rfind("-of-");
  if (of == std::string::npos || of < kDigits + 1 || name.size() != of + 4 + kDigits) return {};
  const std::string number = name.substr(of - kDigits, kDigits), total = name.substr(of + 4);
  const auto is_digits = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (name[of - kDigits - 1] != '-' || !is_digits(total) || (number != kAllShards && !is_digits(number))) return {};
  const int64_t count = parse_int(total).value_or(0);
  if (count <= (number == kAllShards ? 0 : parse_int(number).value_or(count))) return {};
  return {name.substr(0, of - kDigits - 1), count};
}

CheckpointFiles find_checkpoint(Files& files, const std::string& name) {
  const Shards shards = shards_of(name);
  const bool names_all = shards.count > 0 && name.find('?') != std::string::npos;
  if (!names_all && files.has(name + ".index")) return {.is_bundle = true};
  if (shards.count > 0) return files_of(files, shards);
  if (files.has(name)) return {.tables = {name}};
  std::vector<CheckpointFiles> found = beside(files, name);
  const auto whole = [](const CheckpointFiles& one) { return one.missing.empty(); };
  std::stable_partition(found.begin(), found.end(), whole);
  if (found.empty()) return {.missing = {name + ".index"}};
  if (found.size() > 1 && whole(found[1]))
    throw Error(
        Code::NoVariable,
        msg("two checkpoints are there: ", printable(found[0].tables[0]), " and ", printable(found[1].tables[0])), {},
        "name a file of one with --input_checkpoint");
  return std::move(found[0]);
}

std::vector<std::string> names_of_checkpoint(Files& files, const std::string& name) {
  const CheckpointFiles found = find_checkpoint(files, name);
  if (!found.is_bundle) return found.tables;
  std::vector<std::string> names = {name + ".index"};
  for (std::string& entry : entries_beside(files, name + ".data-")) names.push_back(std::move(entry));
  return names;
}

}  // namespace mo::tf
