#include "core/base/json/json_values.h"

#include <cmath>

#include "core/base/error.h"

namespace mo {

JsonValues::Item& JsonValues::add_item(Kind kind, std::string_view key, const JsonPlace& place) {
  Item& item = items_.emplace_back();
  item.kind = kind;
  item.next = static_cast<uint32_t>(items_.size());
  item.key = item.text = static_cast<uint32_t>(texts_.size());
  item.key_size = static_cast<uint32_t>(key.size());
  item.line = place.line, item.column = place.column;
  texts_ += key;
  return item;
}

uint32_t JsonValues::add(const JsonScalar& value, std::string_view key, const JsonPlace& place) {
  const bool* flag = std::get_if<bool>(&value);
  const int64_t* integer = std::get_if<int64_t>(&value);
  const uint64_t* large = std::get_if<uint64_t>(&value);
  const double* number = std::get_if<double>(&value);
  const std::string_view* text = std::get_if<std::string_view>(&value);
  const Kind kind = flag              ? Kind::Bool
                    : integer         ? Kind::Int
                    : large || number ? Kind::Float
                    : text            ? Kind::Text
                                      : Kind::Null;
  Item& item = add_item(kind, key, place);
  if (flag) item.integer = *flag;
  if (integer) item.integer = *integer;
  if (large) item.number = static_cast<double>(*large);
  if (number) item.number = *number;
  if (text) {
    item.text = static_cast<uint32_t>(texts_.size());
    item.text_size = static_cast<uint32_t>(text->size());
    texts_ += *text;
  }
  return static_cast<uint32_t>(items_.size() - 1);
}

uint32_t JsonValues::open(bool is_object, std::string_view key, const JsonPlace& place) {
  add_item(is_object ? Kind::Object : Kind::List, key, place);
  return static_cast<uint32_t>(items_.size() - 1);
}

void JsonValues::cut(uint32_t item) {
  if (item >= items_.size()) return;
  texts_.resize(items_[item].key);
  items_.resize(item);
}

JsonValue JsonValue::operator[](std::string_view key) const {
  if (!is(JsonValues::Kind::Object)) return {};
  for (uint32_t item = item_ + 1; item < it().next; item = (*values_)[item].next)
    if (values_->key((*values_)[item]) == key) return {*values_, item};
  return {};
}

JsonValue JsonValue::at(size_t index) const {
  if (!is(JsonValues::Kind::List)) return {};
  for (uint32_t item = item_ + 1; item < it().next; item = (*values_)[item].next)
    if (index-- == 0) return {*values_, item};
  return {};
}

size_t JsonValue::count() const {
  size_t out = 0;
  each([&](const JsonValue&) { ++out; });
  return out;
}

std::optional<std::string_view> JsonValue::text() const {
  if (!is(JsonValues::Kind::Text)) return {};
  return values_->text(it());
}

std::optional<int64_t> JsonValue::integer() const {
  if (is(JsonValues::Kind::Int) || is(JsonValues::Kind::Bool)) return it().integer;
  constexpr double kLimit = 9.2e18;
  if (is(JsonValues::Kind::Float) && std::trunc(it().number) == it().number && std::fabs(it().number) < kLimit)
    return static_cast<int64_t>(it().number);
  return {};
}

std::optional<double> JsonValue::number() const {
  if (is(JsonValues::Kind::Float)) return it().number;
  if (const auto whole = integer()) return static_cast<double>(*whole);
  return {};
}

std::optional<bool> JsonValue::boolean() const {
  if (const auto whole = integer(); whole && (*whole == 0 || *whole == 1)) return *whole == 1;
  return {};
}

bool JsonCollector::scalar(const JsonScalar& value, const JsonPlace& place) {
  count(place);
  values.add(value, key_, place);
  key_.clear();
  return true;
}

bool JsonCollector::key(std::string_view name, const JsonPlace&) {
  key_ = name;
  return true;
}

bool JsonCollector::begin(bool is_object, const JsonPlace& place) {
  count(place);
  open_.push_back(values.open(is_object, key_, place));
  key_.clear();
  return true;
}

bool JsonCollector::end(const JsonPlace&) {
  values.close(open_.back());
  open_.pop_back();
  return true;
}

void JsonCollector::count(const JsonPlace& place) const {
  if (values.size() >= most_)
    throw Error(Code::TooDeep, msg("more than ", most_, " values"), json_place(window_, place));
}

JsonValues read_json_values(Window& window, uint64_t begin, uint64_t end, const JsonLimits& limits, size_t most) {
  JsonCollector events(window, most);
  read_json(window, begin, end, limits, events);
  return std::move(events.values);
}

}  // namespace mo
