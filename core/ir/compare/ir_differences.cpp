#include "core/ir/compare/ir_differences.h"

namespace mo {
namespace {

void cut(std::string& text) {
  if (text.size() <= IrDifferences::kLongestText) return;
  size_t end = IrDifferences::kLongestText;
  // Not inside a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  text += "...";
}

}  // namespace

void IrDifferences::add(IrDifference difference) {
  Kind& kind = kinds_[static_cast<size_t>(difference.kind)];
  ++total_;
  if (++kind.count > kKept) return;
  for (std::string* text : {&difference.in_a, &difference.in_b, &difference.type, &difference.body, &difference.what,
                            &difference.a, &difference.b})
    cut(*text);
  kind.kept.push_back(std::move(difference));
}

}  // namespace mo
