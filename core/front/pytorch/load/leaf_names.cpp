// The names of what a program returns. Its out_spec is JSON in a text: "[1, {type, context, children_spec}]"; the keys
// of a dictionary are JSON in a text again.

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

constexpr int kDeepestSpec = 64;

/// The library's events as values, up to a depth.
class SpecSax {
 public:
  using Json = nlohmann::json;
  bool null() { return add(std::monostate()); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(int64_t value) { return add(value); }
  bool number_unsigned(uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::string_view(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string& name) { return key_ = name, true; }
  bool start_object(size_t) { return open(true); }
  bool start_array(size_t) { return open(false); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <typename Exception>
  bool parse_error(size_t, const std::string&, const Exception&) {
    return false;
  }
  JsonValues values;

 private:
  bool add(const JsonScalar& value) {
    values.add(value, key_, {});
    key_.clear();
    return true;
  }
  bool open(bool is_object) {
    if (open_.size() >= 4 * kDeepestSpec) return false;
    open_.push_back(values.open(is_object, key_, {}));
    key_.clear();
    return true;
  }
  bool close() {
    values.close(open_.back());
    open_.pop_back();
    return true;
  }
  std::string key_;
  std::vector<uint32_t> open_;
};

struct LeafNames {
  size_t count;
  Strings out = {};

  void add(const JsonValue& spec, const std::string& path, int depth) {
    if (depth > kDeepestSpec || out.size() >= count) return;
    if (!spec["type"].text()) {
      out.push_back(path);
      return;
    }
    const Strings keys = keys_of(spec);
    size_t i = 0;
    spec["children_spec"].each([&](const JsonValue& child) {
      const std::string own = i < keys.size() ? keys[i] : depth == 0 ? std::string() : std::to_string(i);
      add(child, path.empty() ? own : own.empty() ? path : cat(path, ".", own), depth + 1);
      ++i;
    });
  }

  /// The keys of a dictionary: its context is a list of texts.
  static Strings keys_of(const JsonValue& spec) {
    Strings out;
    const std::string context(spec["context"].text().value_or(""));
    if (context.empty()) return out;
    SpecSax sax;
    if (!nlohmann::json::sax_parse(context, &sax) || sax.values.size() == 0) return out;
    JsonValue list(sax.values, 0);
    // A dictionary with a default has its factory first.
    if (list.at(1).is(JsonValues::Kind::List)) list = list.at(1);
    list.each([&](const JsonValue& key) {
      if (const auto text = key.text())
        out.emplace_back(*text);
      else if (const auto number = key.integer())
        out.push_back(std::to_string(*number));
    });
    return out.size() == spec["children_spec"].count() ? out : Strings();
  }
};

}  // namespace

Strings leaf_names(std::string_view spec, size_t count) {
  SpecSax sax;
  if (!nlohmann::json::sax_parse(std::string(spec), &sax) || sax.values.size() == 0) return {};
  LeafNames names{count};
  names.add(JsonValue(sax.values, 0).at(1), {}, 0);
  return std::move(names.out);
}

}  // namespace mo::pytorch
