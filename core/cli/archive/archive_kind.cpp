#include "core/cli/archive/archive_kind.h"

#include <array>
#include <string_view>

#include "core/cli/archive/gunzip.h"
#include "core/cli/archive/tar_header.h"

namespace mo {

ArchiveKind archive_kind(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with("PK\x03\x04")) return ArchiveKind::Zip;
  if (is_tar_header(head)) return ArchiveKind::Tar;
  if (!text.starts_with("\x1f\x8b")) return ArchiveKind::None;
  std::array<std::byte, kTarBlock> block{};
  return is_tar_header(std::span(block).first(gunzip_head(head, block))) ? ArchiveKind::PackedTar : ArchiveKind::None;
}

}  // namespace mo
