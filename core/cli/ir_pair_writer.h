// Writes the .xml and the .bin to disk: both, or neither.
#pragma once

#include <list>
#include <optional>

#include "core/cli/draft.h"

namespace mo {

struct IrPair {
  std::string xml, bin;
};

/// The absolute paths of the IR called `name` in `folder`.
IrPair ir_pair(const std::string& folder, const std::string& name);

/// A folder that is created if missing, with those above it. The folders that it has created are removed if they stay
/// empty, by signals too.
class FolderForFiles {
 public:
  /// Throws HostWriteFailed.
  FolderForFiles(const std::string& folder, Fsync fsync);
  ~FolderForFiles();
  FolderForFiles(const FolderForFiles&) = delete;
  FolderForFiles& operator=(const FolderForFiles&) = delete;

 private:
  std::vector<std::string> made_;  ///< the deepest first
  std::list<os::Leftover> leftovers_;
};

/// Writes an IR into a folder, which is created if missing. Both files get their names at the end, the .xml last: where
/// there is an .xml, its .bin is whole, even if the process is killed or another one writes the same pair; with `fsync`
/// after a loss of power, too. Unless finished, nothing is left.
class IrPairWriter {
 public:
  IrPairWriter(std::string folder, std::string name, Fsync fsync);
  /// The next piece of the .xml. Throws HostWriteFailed.
  void write_xml(std::string_view piece);
  /// Writes the .bin, after the whole .xml. Throws HostWriteFailed, HostReadFailed.
  IrPair finish(Conversion& conversion, DiskFiles& files);

 private:
  std::string folder_, name_;
  Fsync fsync_;
  std::optional<FolderForFiles> made_;  ///< outlives the draft in it
  std::optional<Draft> xml_;
};

/// Writes a file that has segments into `folder`, which is created if missing; gives its path. Throws as
/// IrPairWriter::finish().
std::string write_side_file(Conversion& conversion, const SideFile& file, DiskFiles& files, const std::string& folder,
                            Fsync fsync);

}  // namespace mo
