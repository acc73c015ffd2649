#include "core/cli/archive/archive_kind.h"

#include <array>
#include <string_view>

#include "core/cli/archive/gunzip.h"
#include "core/cli/archive/tar_header.h"

namespace mo {
namespace {

/// Arrays of NumPy, in which weights may come: the names of files are theirs. That of the first one begins behind 30
/// bytes.
bool has_arrays(std::string_view head) {
  if (head.size() < 30) return false;
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(head[at])); };
  return head.substr(30, byte(26) + 256 * byte(27)).ends_with(".npy");
}

}  // namespace

ArchiveKind archive_kind(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("PK\x03\x04")) return has_arrays(text) ? ArchiveKind::None : ArchiveKind::Zip;
  if (is_tar_header(head)) return ArchiveKind::Tar;
  if (!text.starts_with("\x1f\x8b")) return ArchiveKind::None;
  std::array<std::byte, kTarBlock> block{};
  return is_tar_header(std::span(block).first(gunzip_head(head, block))) ? ArchiveKind::PackedTar : ArchiveKind::None;
}

}  // namespace mo
