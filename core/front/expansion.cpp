#include "core/front/expansion.h"

#include "core/base/error.h"

namespace mo {
namespace {

struct HeldBytes {
  template <typename T>
  uint64_t operator()(const T&) const {
    return 0;
  }
  uint64_t operator()(const std::string& text) const { return text.size(); }
  uint64_t operator()(const Ints& numbers) const { return numbers.size() * sizeof(int64_t); }
  uint64_t operator()(const Doubles& numbers) const { return numbers.size() * sizeof(double); }
  uint64_t operator()(const Strings& texts) const { return held_bytes(texts); }
  uint64_t operator()(const Constant& value) const {
    const bool owned = value.content && value.content->kind() == Content::Kind::Owned;
    return owned ? value.content->size() : 0;
  }
};

}  // namespace

void Expansion::add_node() {
  if (++nodes_ > kMostNodes)
    throw Error(Code::TooDeep, msg("functions and bodies expand to more than ", kMostNodes, " nodes"));
}

void Expansion::add_ports(size_t count) {
  ports_ += count;
  if (ports_ > kMostPorts)
    throw Error(Code::TooDeep, msg("calls of functions have more than ", kMostPorts, " inputs and outputs"));
}

void Expansion::add_bytes(uint64_t bytes, uint64_t nodes) {
  bytes_ += bytes;
  others_ += nodes;
  if (bytes_ > kBytes && (bytes_ - kBytes) / kBytesByNode > nodes_ + ports_ + others_)
    throw Error(Code::TooDeep, msg("names and attributes of functions expand to more than ", kBytes, " bytes, and ",
                                   kBytesByNode, " for each node"));
}

uint64_t held_bytes(const Attributes& attributes) {
  uint64_t bytes = 0;
  for (const auto& [name, value] : attributes) bytes += name.size() + std::visit(HeldBytes{}, value);
  return bytes;
}

uint64_t held_bytes(const std::vector<std::string>& names) {
  uint64_t bytes = names.size() * sizeof(std::string);
  for (const std::string& name : names) bytes += name.size();
  return bytes;
}

void require_short_name(std::string_view name) {
  constexpr size_t kLongest = 1 << 16;
  if (name.size() > kLongest) throw Error(Code::CorruptFile, msg("a name of more than ", kLongest, " bytes"));
}

void require_dimensions(size_t count) {
  constexpr size_t kMost = 64;
  if (count > kMost) throw Error(Code::RankMismatch, msg("a shape of ", count, " dimensions, at most ", kMost));
}

}  // namespace mo
