#include "core/back/requested/transform_request.h"

#include <algorithm>
#include <optional>

#include "core/back/requested/requested_changes.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

using Kind = TransformRequest::Kind;
constexpr std::string_view kTransformNames[] = {"MakeStateful", "LowLatency2", "Pruning"};

struct Item {
  std::string_view name, attributes;
};

bool is_word(std::string_view text, bool (*allowed)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}
bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/// The position of `wanted` outside quotes from `at` on; the text's size where there is none.
size_t find_unquoted(std::string_view text, char wanted, size_t at) {
  for (char quote = '\0'; at < text.size(); ++at) {
    const char c = text[at];
    if (!quote && c == wanted) return at;
    if (c == '\'' || c == '"') quote = !quote ? c : quote == c ? '\0' : quote;
  }
  return at;
}

std::vector<Item> transform_items(std::string_view text) {
  std::vector<Item> items;
  const auto refuse = [&] {
    throw Error(Code::BadTransformSyntax, msg("Unexpected transform key structure: ", printable(text)));
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find_first_of("[,", at), text.size());
    Item item{text.substr(at, end - at), {}};
    if (!is_word(item.name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); })) refuse();
    if (end < text.size() && text[end] == '[') {
      const size_t close = find_unquoted(text, ']', end);
      item.attributes = text.substr(end + 1, close - end - 1);
      end = close + 1;
      if (close == text.size() || item.attributes.empty() || (end < text.size() && text[end] != ',')) refuse();
    }
    items.push_back(item);
    at = end + 1;
  }
  return items;
}

std::optional<bool> truth(std::string_view text) {
  const std::string word = lower(text);
  for (const std::string_view yes : {"true", "yes", "on", "1", "t", "y"})
    if (word == yes) return true;
  for (const std::string_view no : {"false", "no", "off", "0", "f", "n"})
    if (word == no) return false;
  return std::nullopt;
}

/// Reads {'key': 'value', …}. False for anything else.
bool read_names(std::string_view text, std::map<std::string, std::string>& names) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return false;
  std::string_view rest = trim(text.substr(1, text.size() - 2));
  const auto quoted = [&]() -> std::optional<std::string> {
    const size_t close = rest.empty() || (rest[0] != '\'' && rest[0] != '"') ? rest.npos : rest.find(rest[0], 1);
    if (close == rest.npos) return std::nullopt;
    std::string word(rest.substr(1, close - 1));
    rest = trim(rest.substr(close + 1));
    return word;
  };
  const auto skip = [&](char c) {
    if (rest.empty() || rest[0] != c) return false;
    rest = trim(rest.substr(1));
    return true;
  };
  while (!rest.empty()) {
    const auto key = quoted();
    if (!key || !skip(':')) return false;
    const auto value = quoted();
    if (!value || (!skip(',') && !rest.empty())) return false;
    names[*key] = *value;
  }
  return !names.empty();
}

void set_attribute(TransformRequest& request, const Item& item, std::string_view key, std::string_view value) {
  const auto refuse = [&](const Detail& why) {
    throw Error(Code::BadTransformAttributes, msg(item.name, "[", printable(item.attributes), "]: ", why));
  };
  if (request.kind == Kind::LowLatency2 && key == "use_const_initializer") {
    if (const auto flag = truth(value))
      request.use_const_initializer = *flag;
    else
      refuse("use_const_initializer is True or False");
  } else if (request.kind == Kind::MakeStateful && key == "param_res_names") {
    if (!read_names(value, request.param_res_names)) refuse("param_res_names is {'input':'output'}");
  } else {
    refuse(msg("it has no parameter ", printable(key)));
  }
}

void set_attributes(TransformRequest& request, const Item& item) {
  for (size_t at = 0; at < item.attributes.size();) {
    const size_t end = find_unquoted(item.attributes, ';', at);
    const std::string_view one = item.attributes.substr(at, end - at);
    at = end + 1;
    const size_t equals = std::min(one.find('='), one.size());
    const std::string_view key = one.substr(0, equals);
    if (!is_word(key, [](char c) { return is_letter(c) || c == '_'; }) || equals + 1 >= one.size())
      throw Error(Code::BadTransformAttributes,
                  msg("Unrecognized attributes for transform key: ", item.name, "[", printable(item.attributes), "]"));
    set_attribute(request, item, key, trim(one.substr(equals + 1)));
  }
  if (request.kind == Kind::MakeStateful && request.param_res_names.empty())
    throw Error(Code::BadTransformAttributes, "MakeStateful without param_res_names");
}

}  // namespace

std::vector<TransformRequest> parse_transforms(std::string_view text) {
  const std::vector<Item> items = transform_items(text);
  std::vector<TransformRequest> requests;
  std::string missing;
  for (const Item& item : items) {
    const auto found = std::find(std::begin(kTransformNames), std::end(kTransformNames), item.name);
    if (found == std::end(kTransformNames)) missing += cat(missing.empty() ? "" : ",", item.name);
    requests.push_back({static_cast<Kind>(found - std::begin(kTransformNames))});
  }
  if (!missing.empty())
    throw Error(Code::TransformNotAvailable,
                msg("Following transformations (", missing,
                    ") are not available. List with available transformations (MakeStateful,LowLatency2,Pruning)"));
  for (size_t i = 0; i < items.size(); ++i) set_attributes(requests[i], items[i]);
  return requests;
}

void request_transforms(Model& model, std::vector<TransformRequest> requests) {
  change_requests(model, [&](RequestedChanges& changes) { changes.transforms = std::move(requests); });
}

const std::vector<TransformRequest>* requested_transforms(const Model& model) {
  const RequestedChanges* const changes = requested_changes(model);
  return changes && !changes->transforms.empty() ? &changes->transforms : nullptr;
}

}  // namespace mo
