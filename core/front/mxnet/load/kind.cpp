#include "core/front/mxnet/load/kind.h"

namespace mo::mxnet {
namespace {

using namespace std::string_view_literals;

/// An object that has nodes with operators, or what only symbols have where other keys come before the nodes.
bool starts_symbol(const ModelFile& file) {
  const std::string_view head = file.head();
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == head.npos || head[first] != '{' || !file.is_text_with("\"")) return false;
  const auto has = [&](std::string_view word) { return head.find(word) != head.npos; };
  return (has("\"nodes\"") && has("\"op\"")) || has("\"arg_nodes\"") || has("\"node_row_ptr\"");
}

/// The name of the first file in an archive begins behind 30 bytes. One of a network without weights has no files.
bool is_npz(const ModelFile& file) {
  const std::string_view head = file.head();
  if (head.starts_with("PK\x05\x06")) return file.name().ends_with(".params");
  if (!head.starts_with("PK\x03\x04") || head.size() < 30) return false;
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(head[at])); };
  return head.substr(30, byte(26) + 256 * byte(27)).ends_with(".npy");
}

}  // namespace

Kind kind_of(const ModelFile& file) {
  if (file.is_folder()) return Kind::None;
  if (file.has("\x12\x01\0\0\0\0\0\0"sv)) return Kind::Arrays;
  if (is_npz(file)) return Kind::Npz;
  return starts_symbol(file) ? Kind::Symbol : Kind::None;
}

bool is_symbol(const ModelFile& file) { return kind_of(file) == Kind::Symbol; }

bool is_arrays(const ModelFile& file) {
  const Kind kind = kind_of(file);
  return kind == Kind::Arrays || kind == Kind::Npz;
}

std::string_view without_epoch(std::string_view stem) {
  const size_t dash = stem.rfind('-');
  const bool has_epoch =
      dash != stem.npos && dash + 1 < stem.size() && stem.find_first_not_of("0123456789", dash + 1) == stem.npos;
  return has_epoch ? stem.substr(0, dash) : stem;
}

std::string_view without_symbol(std::string_view stem) {
  constexpr std::string_view kEnd = "-symbol";
  return stem.ends_with(kEnd) ? stem.substr(0, stem.size() - kEnd.size()) : stem;
}

}  // namespace mo::mxnet
