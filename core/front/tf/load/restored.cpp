#include "core/front/tf/load/restored.h"

#include "core/base/texts.h"

namespace mo::tf {
namespace {

std::optional<std::string> text_at(OutPort texts, int index) {
  const Constant* value = texts ? texts.node().get_constant("value") : nullptr;
  const auto all = value ? texts_of(*value) : std::nullopt;
  const auto i = static_cast<size_t>(index);
  return all && i < all->size() ? std::optional((*all)[i]) : std::nullopt;
}

}  // namespace

std::optional<Restored> restored_by(OutPort port) {
  if (!port || !port.node().op().starts_with("Restore")) return std::nullopt;
  const auto key = text_at(port.node().source(1), port.index()), part = text_at(port.node().source(2), port.index());
  return key ? std::optional(Restored{*key, part.value_or("")}) : std::nullopt;
}

}  // namespace mo::tf
