// How far archives may go, and what is said of those that cannot be read. The page has the same bounds and reasons
// (web/archive/).
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace mo {

/// No model has more files.
inline constexpr size_t kMostPackedFiles = 100'000;

/// Whether bytes that grew out of `packed` ones are too many: more than 4 GB, and more than 100 times as many.
/// Compression makes weights a little smaller; only a file that is meant to fill a disk becomes much smaller.
constexpr bool is_too_much(uint64_t unpacked, uint64_t packed) {
  return unpacked > 4'000'000'000 && unpacked / 100 > packed;
}

/// HostReadFailed for an archive, or for a file in it.
inline Error archive_error(const Detail& reason, std::string file) {
  return Error(Code::HostReadFailed, reason, {.file = std::move(file)},
               "unpack the archive yourself and name what it contains");
}

inline Error too_much(std::string file) {
  return Error(Code::HostReadFailed, "unpacked it has more than 4 GB and more than 100 times its size in the archive",
               {.file = std::move(file)}, "unpack it yourself if you know what it is");
}

}  // namespace mo
