#include "core/cli/archive/zip_names.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/cli/archive/packed_names.h"

namespace mo {
namespace {

constexpr uLong kEncryptedFlag = 1, kUtf8Flag = 1 << 11;
constexpr uLong kDos = 0, kDosFolder = 0x10;
constexpr uLong kUnix = 3, kKindOfFile = 0170000, kLink = 0120000, kUnixFolder = 0040000;
constexpr uint64_t kWideNumbers = 1, kUnicodePath = 0x7075, kIsWide = 0xffffffff;

uint64_t number_at(const std::string& bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// The content of a field of the extra ones; "" if there is none.
std::string field_of(const std::string& extra, uint64_t kind) {
  for (size_t at = 0; at + 4 <= extra.size();) {
    const size_t size = number_at(extra, at + 2, 2), start = at + 4;
    if (size > extra.size() - start) return {};
    if (number_at(extra, at, 2) == kind) return extra.substr(start, size);
    at = start + size;
  }
  return {};
}

/// The name in UTF-8 of Info-ZIP's own field, which has the checksum of the name that it is for; "" if there is none.
std::string unicode_path(const std::string& name, const std::string& extra) {
  const std::string field = field_of(extra, kUnicodePath);
  if (field.size() <= 5 || field[0] != 1) return {};
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(name.data()), static_cast<uInt>(name.size()));
  return number_at(field, 1, 4) == sum ? field.substr(5) : std::string();
}

Detail name_of_method(uLong method) {
  switch (method) {
    case 1: return "Shrink";
    case 6: return "Implode";
    case 9: return "Deflate64";
    case 12: return "bzip2";
    case 14: return "LZMA";
    case 93: return "Zstandard";
    case 95: return "XZ";
    case 98: return "PPMd";
    default: return msg("method ", method);
  }
}

}  // namespace

std::string path_of_zip_entry(const unz_file_info64& info, const std::string& name, const std::string& extra) {
  std::string path = unicode_path(name, extra);
  if (path.empty()) path = info.flag & kUtf8Flag ? name : from_cp437(name);
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

uint64_t place_of_zip_entry(const std::string& record, const std::string& extra) {
  const uint64_t place = number_at(record, 42, 4);
  if (place != kIsWide) return place;
  // Numbers that do not fit are in a field of their own: sizes, then the place.
  const size_t before = (number_at(record, 24, 4) == kIsWide ? 8 : 0) + (number_at(record, 20, 4) == kIsWide ? 8 : 0);
  const std::string wide = field_of(extra, kWideNumbers);
  return before + 8 <= wide.size() ? number_at(wide, before, 8) : place;
}

bool is_zip_folder(const unz_file_info64& info, const std::string& path) {
  const bool is_from_dos = info.version >> 8 == kDos, is_marked = (info.external_fa & kDosFolder) != 0;
  const bool is_unix_folder = info.version >> 8 == kUnix && (info.external_fa >> 16 & kKindOfFile) == kUnixFolder;
  return path.ends_with('/') || (is_from_dos && is_marked) || is_unix_folder;
}

Detail refusal_of_zip_entry(const unz_file_info64& info) {
  if (info.version >> 8 == kUnix && (info.external_fa >> 16 & kKindOfFile) == kLink) return "it is a link";
  if (info.flag & kEncryptedFlag) return "it is encrypted";
  const uLong method = info.compression_method;
  if (method == kDeflated || (method == kStored && info.compressed_size == info.uncompressed_size)) return {};
  if (method == kStored) return "its sizes contradict each other";
  return msg("its compression, ", name_of_method(method), ", is not read");
}

}  // namespace mo
