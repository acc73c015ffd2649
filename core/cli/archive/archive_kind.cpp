#include "core/cli/archive/archive_kind.h"

#include <array>
#include <string_view>

#include "core/cli/archive/gunzip.h"
#include "core/cli/archive/tar_header.h"

namespace mo {
namespace {

/// Arrays of NumPy and programs of PyTorch, whose files are zips themselves: the first file in them, whose name begins
/// behind 30 bytes, tells them.
ArchiveKind kind_of_zip(std::string_view head) {
  if (head.size() < 30) return ArchiveKind::Zip;
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(head[at])); };
  const std::string_view name = head.substr(30, byte(26) + 256 * byte(27));
  if (name.ends_with(".npy")) return ArchiveKind::None;
  const size_t slash = name.find('/');
  const std::string_view inner = slash == name.npos ? name : name.substr(slash + 1);
  const bool is_program = name == "serialized_exported_program.json" || inner.starts_with("data/weights/weight_") ||
                          inner.starts_with("data/constants/tensor_") || inner.starts_with("data/aotinductor/") ||
                          (inner.starts_with("data/") && (inner.ends_with("s_config.json") || inner.ends_with(".pt")));
  return is_program ? ArchiveKind::Program : ArchiveKind::Zip;
}

}  // namespace

ArchiveKind archive_kind(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("PK\x03\x04")) return kind_of_zip(text);
  if (is_tar_header(head)) return ArchiveKind::Tar;
  if (!text.starts_with("\x1f\x8b")) return ArchiveKind::None;
  std::array<std::byte, kTarBlock> block{};
  return is_tar_header(std::span(block).first(gunzip_head(head, block))) ? ArchiveKind::PackedTar : ArchiveKind::None;
}

}  // namespace mo
