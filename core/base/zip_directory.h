// The directory of a zip, for formats whose files are zips: entries that are stored are places in the file itself.
#pragma once

#include <map>
#include <string>

#include "core/base/window.h"

namespace mo {

struct ZipEntry {
  uint64_t offset = 0, size = 0;  ///< of its bytes in the file; the size is that of the directory
  uint64_t record = 0;            ///< where the directory has it, for errors
  bool is_stored = true;          ///< else it is compressed or encrypted
};

/// The entries by their names; of several with one name the last counts. Only the directory at the end counts, and the
/// length of each entry's own header. The zip is in bytes [begin, end) of the file. Throws CorruptFile, TruncatedFile
/// and TooDeep with the place.
std::map<std::string, ZipEntry> read_zip_directory(Window& window, uint64_t begin, uint64_t end);

}  // namespace mo
