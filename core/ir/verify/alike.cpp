#include "core/ir/verify/alike.h"

#include "core/base/text.h"

namespace mo {
namespace {

constexpr size_t kAlikeLayers = 4096, kAlikeInts = 16;

/// Whether the attribute of a Const is a place in the .bin, which verify_place() looks at.
bool is_place(std::string_view name, std::string_view value) {
  return name == "offset" && parse_int(value).value_or(-1) >= 0;
}

}  // namespace

bool IrAlikeLayers::has(const IrLayer& layer) {
  text_size_ = 0, is_short_ = layer.bodies.empty();
  add_text(layer.type);
  add_text(layer.version);
  add(layer.attributes.size());
  const bool is_const = layer.type == "Const";
  for (const auto& [name, value] : layer.attributes) {
    add_text(name);
    add_text(is_const && is_place(name, value) ? "0" : std::string_view(value));
  }
  for (const std::vector<IrPort>* ports : {&layer.inputs, &layer.outputs}) {
    add(ports->size());
    for (const IrPort& port : *ports) {
      add_port(port);
      if (!is_short_) return false;
    }
  }
  return is_short_ && kept_.contains(text());
}

void IrAlikeLayers::keep() {
  if (!is_short_) return;
  if (kept_.size() == kAlikeLayers) kept_.clear();
  kept_.emplace(text());
}

void IrAlikeLayers::add_text(std::string_view part) {
  add(part.size());
  is_short_ = is_short_ && part.size() <= text_.size() - text_size_;
  if (!is_short_) return;
  std::copy(part.begin(), part.end(), text_.begin() + static_cast<std::ptrdiff_t>(text_size_));
  text_size_ += part.size();
}

void IrAlikeLayers::add_port(const IrPort& port) {
  const std::array<char, 4> kinds = {port.type ? static_cast<char>(*port.type) : '\xff', port.has_rank,
                                     port.ints.has_value()};
  add_fixed(kinds);
  add(static_cast<uint64_t>(port.id));
  add_numbers(port.dims);
  if (!port.ints) return;
  is_short_ = is_short_ && port.ints->elements.size() <= kAlikeInts;
  add_numbers(port.ints->shape);
  for (const Interval& element : port.ints->elements) add_fixed(element);
}

void IrAlikeLayers::add_numbers(const std::vector<int64_t>& numbers) {
  add(numbers.size());
  for (const int64_t number : numbers) add(static_cast<uint64_t>(number) + 1);  // -1 is an unknown one
}

}  // namespace mo
