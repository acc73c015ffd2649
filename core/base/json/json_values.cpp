#include "core/base/json/json_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/error.h"

namespace mo {

JsonValues::Item& JsonValues::add_item(Kind kind, std::string_view key, const JsonPlace& place) {
  if (lines_.empty() || lines_.back().line != place.line)
    lines_.push_back({static_cast<uint32_t>(items_.size()), place.line});
  Item& item = items_.emplace_back();
  item.kind = static_cast<uint32_t>(kind);
  item.column = std::min(static_cast<uint32_t>(place.column), kLastColumn);
  item.key = add_text(key);
  return item;
}

/// The length comes first, seven bits a byte.
uint32_t JsonValues::add_text(std::string_view text) {
  const size_t at = texts_.size();
  size_t size = text.size();
  for (; size > 127; size >>= 7) texts_ += static_cast<char>(size | 128);
  texts_ += static_cast<char>(size);
  texts_ += text;
  return static_cast<uint32_t>(at);
}

std::string_view JsonValues::text_at(uint32_t at) const {
  size_t size = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(texts_[at++]);
    size |= static_cast<size_t>(byte & 127) << shift;
    if (byte < 128) return std::string_view(texts_).substr(at, size);
  }
}

uint32_t JsonValues::add_number(uint64_t bits) {
  numbers_.push_back(bits);
  return static_cast<uint32_t>(numbers_.size() - 1);
}

uint32_t JsonValues::add(const JsonScalar& value, std::string_view key, const JsonPlace& place) {
  const auto index = static_cast<uint32_t>(items_.size());
  if (const bool* flag = std::get_if<bool>(&value)) {
    add_item(Kind::Bool, key, place).value = *flag;
  } else if (const int64_t* integer = std::get_if<int64_t>(&value)) {
    Item& item = add_item(Kind::Int, key, place);
    const auto low = static_cast<int32_t>(*integer);
    const bool fits = low == *integer;
    if (!fits) item.kind = kLongInt;
    item.value = fits ? static_cast<uint32_t>(low) : add_number(static_cast<uint64_t>(*integer));
  } else if (const uint64_t* large = std::get_if<uint64_t>(&value)) {
    add_item(Kind::Float, key, place).value = add_number(std::bit_cast<uint64_t>(static_cast<double>(*large)));
  } else if (const double* number = std::get_if<double>(&value)) {
    add_item(Kind::Float, key, place).value = add_number(std::bit_cast<uint64_t>(*number));
  } else if (const std::string_view* text = std::get_if<std::string_view>(&value)) {
    add_item(Kind::Text, key, place).value = add_text(*text);
  } else {
    add_item(Kind::Null, key, place);
  }
  return index;
}

uint32_t JsonValues::open(bool is_object, std::string_view key, const JsonPlace& place) {
  add_item(is_object ? Kind::Object : Kind::List, key, place);
  return static_cast<uint32_t>(items_.size() - 1);
}

void JsonValues::cut(uint32_t item) {
  if (item >= items_.size()) return;
  texts_.resize(items_[item].key);
  for (uint32_t i = static_cast<uint32_t>(items_.size()); i-- > item;)
    if (items_[i].kind == kLongInt || kind(i) == Kind::Float) numbers_.pop_back();
  while (!lines_.empty() && lines_.back().item >= item) lines_.pop_back();
  items_.resize(item);
}

int64_t JsonValues::integer(uint32_t item) const {
  const Item& it = items_[item];
  return it.kind == kLongInt ? static_cast<int64_t>(numbers_[it.value]) : static_cast<int32_t>(it.value);
}

double JsonValues::number(uint32_t item) const { return std::bit_cast<double>(numbers_[items_[item].value]); }

int JsonValues::line(uint32_t item) const {
  const auto behind = [](uint32_t at, const Line& line) { return at < line.item; };
  return std::prev(std::upper_bound(lines_.begin(), lines_.end(), item, behind))->line;
}

JsonValue JsonValue::operator[](std::string_view key) const {
  if (!is(JsonValues::Kind::Object)) return {};
  const uint32_t end = values_->next(item_);
  for (uint32_t item = item_ + 1; item < end; item = values_->next(item))
    if (values_->key(item) == key) return {*values_, item};
  return {};
}

JsonValue JsonValue::at(size_t index) const {
  if (!is(JsonValues::Kind::List)) return {};
  const uint32_t end = values_->next(item_);
  for (uint32_t item = item_ + 1; item < end; item = values_->next(item))
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
  return values_->text(item_);
}

std::optional<int64_t> JsonValue::integer() const {
  if (is(JsonValues::Kind::Int) || is(JsonValues::Kind::Bool)) return values_->integer(item_);
  constexpr double kLimit = 9.2e18;
  if (!is(JsonValues::Kind::Float)) return {};
  const double number = values_->number(item_);
  if (std::trunc(number) == number && std::fabs(number) < kLimit) return static_cast<int64_t>(number);
  return {};
}

std::optional<double> JsonValue::number() const {
  if (is(JsonValues::Kind::Float)) return values_->number(item_);
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
