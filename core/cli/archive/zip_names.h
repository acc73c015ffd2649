// What the directory of a zip archive says of a file, in words.
#pragma once

#include <unzip.h>

#include <string>

#include "core/base/detail.h"

namespace mo {

/// The path of an entry, with slashes only. `name` and `extra` are its fields as they are.
std::string path_of_zip_entry(const unz_file_info64& info, const std::string& name, const std::string& extra);

/// Where an entry says that its file's header is. `record` is that of the directory, without its fields of any length.
uint64_t place_of_zip_entry(const std::string& record, const std::string& extra);

/// Whether an entry is a folder.
bool is_zip_folder(const unz_file_info64& info, const std::string& path);

/// Why a file cannot be read; empty if it can.
Detail refusal_of_zip_entry(const unz_file_info64& info);

inline constexpr size_t kZipRecord = 46;
inline constexpr uLong kStored = 0, kDeflated = 8;

}  // namespace mo
