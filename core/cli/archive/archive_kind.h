// Recognises archives by their bytes.
#pragma once

#include <cstddef>
#include <span>

namespace mo {

/// PackedTar: compressed by gzip. Program: a zip of PyTorch, which is a model's file itself unless something in it is
/// compressed.
enum class ArchiveKind { None, Zip, Tar, PackedTar, Program };

/// What a file is that begins with `head`; of a longer file these have to be 4,096 bytes.
ArchiveKind archive_kind(std::span<const std::byte> head);
inline bool is_archive(std::span<const std::byte> head) { return archive_kind(head) != ArchiveKind::None; }

}  // namespace mo
