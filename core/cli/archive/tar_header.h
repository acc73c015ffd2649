// The header of a file in a tar archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace mo {

inline constexpr size_t kTarBlock = 512;

struct TarHeader {
  std::string path, link;
  uint64_t size = 0;
  char type = '0';
};

/// Whether a block is a header: its checksum is right.
bool is_tar_header(std::span<const std::byte> block);

/// Reads a block that is a header; the size is nullopt if it is no number that a file can have.
struct TarFields {
  TarHeader header;
  bool has_size = true;
};
TarFields read_tar_header(std::span<const std::byte> block);

/// Numbers beyond are no sizes of files, and JavaScript cannot represent them.
inline constexpr uint64_t kLargestSize = (uint64_t{1} << 53) - 1;

}  // namespace mo
