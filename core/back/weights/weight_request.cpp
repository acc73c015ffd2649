#include "core/back/weights/weight_request.h"

#include <algorithm>

#include "core/back/requested/requested_changes.h"
#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/text.h"

namespace mo {
namespace {

using Format = WeightRequest::Format;
using Fallback = WeightRequest::Fallback;
using Backup = WeightRequest::Backup;

template <typename T>
struct WeightChoice {
  std::string_view text;
  T value;
};
constexpr WeightChoice<Format> kFormats[] = {
    {"fp32", Format::F32}, {"fp16", Format::F16}, {"int8", Format::Int8}, {"int4", Format::Int4}};
constexpr WeightChoice<int64_t> kGroups[] = {{"128", 128}, {"64", 64}, {"32", 32}, {"-1", -1}};
constexpr WeightChoice<Fallback> kFallbacks[] = {
    {"adjust", Fallback::Adjust}, {"ignore", Fallback::Ignore}, {"error", Fallback::Error}};
constexpr WeightChoice<Backup> kBackups[] = {
    {"int8_asym", Backup::Int8Asym}, {"int8_sym", Backup::Int8Sym}, {"none", Backup::None}};

template <typename T, size_t N>
T choice_of(std::string_view option, std::string_view value, const WeightChoice<T> (&choices)[N]) {
  for (const WeightChoice<T>& choice : choices)
    if (choice.text == value) return choice.value;
  const auto names = join(choices, [](const WeightChoice<T>& choice) { return choice.text; });
  throw Error(Code::BadOptionValue, msg("--", option, " is \"", printable(value), "\", want ", msg("one of ", names)))
      .about(option);
}

/// Parts between commas that are outside of brackets: an expression may have some.
std::vector<std::string> scope_items(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      items.back() += {c, text[++i]};
      continue;
    }
    // What stands behind the mark is an expression; the mark's own brackets end at once.
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (c == ',' && depth <= 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string& item : items) item = trim(item);
  std::erase(items, "");
  return items;
}

}  // namespace

void read_weight_option(WeightRequest& request, std::string_view option, std::string_view value) {
  if (value.empty() && option != "sym" && option != "all_layers") return;
  request.given.emplace_back(option);
  if (option == "weight_format") request.format = choice_of(option, value, kFormats);
  if (option == "sym") request.symmetric = true;
  if (option == "group_size") request.group = choice_of(option, value, kGroups);
  if (option == "group_size_fallback") request.fallback = choice_of(option, value, kFallbacks);
  if (option == "backup_precision") request.backup = choice_of(option, value, kBackups);
  if (option == "all_layers") request.all_layers = true;
  if (option != "ignored_scope") return;
  request.ignored = scope_items(value);
  for (const std::string& item : request.ignored)
    if (item.starts_with(kPatternMark)) NamePattern::from_user(item.substr(kPatternMark.size()));
}

void check(const WeightRequest& request) {
  for (const std::string& option : request.given) {
    if (option == "weight_format" || request.format == Format::Int4) continue;
    const bool for_both = option == "sym" || option == "ignored_scope";
    if (request.format == Format::Int8 && (for_both || (option == "group_size" && request.group == -1))) continue;
    throw Error(Code::WeightOptionUnused, for_both ? msg("--", option, " is for --weight_format int8 and int4")
                                                   : msg("--", option, " is for --weight_format int4"))
        .about(option)
        .about("weight_format");
  }
}

void request_weights(Model& model, WeightRequest request) {
  change_requests(model, [&](RequestedChanges& changes) { changes.weights = std::move(request); });
}

const WeightRequest* requested_weights(const Model& model) {
  const RequestedChanges* const changes = requested_changes(model);
  return changes && changes->weights ? &*changes->weights : nullptr;
}

}  // namespace mo
