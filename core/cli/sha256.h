// SHA-256 of files on the disk.
#pragma once

#include <string>

namespace mo {

/// The SHA-256 of a regular file, as 64 hexadecimal digits; read in pieces. Throws HostReadFailed.
std::string sha256_of_file(const std::string& path);

}  // namespace mo
