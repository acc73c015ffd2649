// The zip that torch.export.save writes: programs as JSON, and a file for each storage of weights.
#pragma once

#include <map>
#include <string>

#include "core/base/content.h"
#include "core/base/zip_directory.h"

namespace mo::pytorch {

/// The weights of a program, by their names in the module.
using Weights = std::map<std::string, Constant, std::less<>>;

class Archive {
 public:
  /// Throws what read_zip_directory() throws, and OtherFormat, UnsupportedForm for an archive of another kind.
  Archive(Files& files, FileId file);

  Window& window() { return window_; }
  /// The names of the programs: "model".
  const std::vector<std::string>& programs() const { return programs_; }
  const ZipEntry& program(const std::string& name) const;
  /// Weights and constants of a program: places in the archive, or recipes of them where a tensor is a part of its
  /// storage, or has its elements in another order.
  Weights weights(const std::string& program);

 private:
  const ZipEntry* find(const std::string& name) const;
  const ZipEntry& stored(const std::string& name) const;
  /// Weights in a zip of their own; nothing if there is none of that name.
  void add_pickled_file(const std::string& name, Weights& out);
  void add(const std::string& folder, const std::string& configuration, Weights& out);
  std::string text(const ZipEntry& entry);

  Window window_;
  std::map<std::string, ZipEntry> entries_;  ///< without the folder that all are in
  bool is_flat_ = false;                     ///< of PyTorch 2.6 and 2.7: one program, and no folders
  std::vector<std::string> programs_;
};

/// The tensor that views the storage in an entry of an archive. Throws NoWeights for an empty storage of elements, and
/// what view_of_storage() throws.
Constant stored_tensor(const Window& window, const ZipEntry& storage, ElementType type, const Shape& sizes,
                       const Shape& strides, int64_t offset);

/// The tensors of a zip of torch.save in the file, whose pickle is read without executing it. Throws what Pickle
/// throws, CorruptFile, UnsupportedForm, and what stored_tensor() throws.
void add_pickled(Window& window, const ZipEntry& file, Weights& out);

/// The tensor that views a storage: sizes and strides in elements, from that element on. Throws DataOutOfRange,
/// SizeOverflow; UnsupportedForm for strides that no order of slices has.
Constant view_of_storage(const Constant& storage, const Shape& sizes, const Shape& strides, int64_t offset);

}  // namespace mo::pytorch
