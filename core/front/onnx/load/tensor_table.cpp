#include "core/front/onnx/load/tensor_table.h"

#include <algorithm>
#include <functional>

namespace mo::onnx {
namespace {

constexpr size_t kFewest = 16;

uint32_t hash_of(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

}  // namespace

void TensorTable::reserve(size_t names) {
  entries_.reserve(names);
  if (2 * names > slots_.size()) resize(std::bit_ceil(2 * names));
}

const OutPort* TensorTable::find(std::string_view name) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  return slot.place == 0 ? nullptr : &entries_[slot.place - 1].second;
}

bool TensorTable::add(std::string_view name, OutPort port) {
  if (2 * (entries_.size() + 1) > slots_.size()) resize(std::max(kFewest, 2 * slots_.size()));
  const uint32_t hash = hash_of(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.place != 0) return false;
  entries_.emplace_back(name, port);
  slot = {hash, static_cast<uint32_t>(entries_.size())};
  return true;
}

size_t TensorTable::slot_of(std::string_view name, uint32_t hash) const {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].place != 0 && (slots_[at].hash != hash || entries_[slots_[at].place - 1].first != name))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

void TensorTable::resize(size_t slots) {
  std::vector<Slot> old(slots);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.place == 0) continue;
    size_t at = slot.hash & (slots - 1);
    while (slots_[at].place != 0) at = (at + 1) & (slots - 1);
    slots_[at] = slot;
  }
}

}  // namespace mo::onnx
