// The zip that torch.export.save writes: programs as JSON, and a file for each storage of weights.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/content.h"
#include "core/base/zip_directory.h"
#include "core/front/model_file.h"

namespace mo::pytorch {

/// The weights of a program, by their names in the module.
using Weights = std::map<std::string, Constant, std::less<>>;

/// Bytes of a file.
struct Part {
  FileId file = 0;
  uint64_t offset = 0, size = 0;
};

class Archive {
 public:
  /// `model` is the zip, or a folder with the files that were in one: hosts unpack what is compressed. Throws what
  /// read_zip_directory() throws, and OtherFormat, UnsupportedForm for an archive of another kind.
  explicit Archive(const ModelFile& model);

  /// The names of the programs: "model".
  const std::vector<std::string>& programs() const { return programs_; }
  /// The program that is called so, or the only one. Throws NoSuchModel.
  const std::string& chosen(const std::string& name) const;
  Part program(const std::string& name);
  /// Weights and constants of a program: places in the archive, or recipes of them where a tensor is a part of its
  /// storage, or has its elements in another order.
  Weights weights(const std::string& program);

 private:
  void read_zip();
  void read_folder();
  void add_file(std::string_view path);
  std::string inside(std::string_view name) const;
  bool has(std::string_view name) const;
  Part part(std::string_view name);
  /// Weights in a zip of their own; nothing if there is none of that name.
  void add_pickled_file(const std::string& name, Weights& out);
  void add(const std::string& folder, const std::string& configuration, Weights& out);
  std::string text(const Part& part);

  const ModelFile& model_;
  std::map<std::string, ZipEntry, std::less<>> entries_;  ///< of the zip, without the folder that all are in
  bool is_flat_ = false;                                  ///< of PyTorch 2.6 and 2.7: one program, and no folders
  bool is_compiled_ = false;                              ///< has machine code
  std::vector<std::string> programs_;
};

/// The tensor that views the storage in a part of a file. Throws NoWeights for an empty storage of elements, and
/// what view_of_storage() throws.
Constant stored_tensor(const Part& storage, ElementType type, const Shape& sizes, const Shape& strides, int64_t offset);

/// The same of complex numbers, with a last dimension of their parts, which have the type. Throws SizeOverflow, too.
Constant stored_pairs(const Part& storage, ElementType type, Shape sizes, Shape strides, int64_t offset);

/// The tensors of a zip of torch.save, whose pickle is read without executing it. Throws what Pickle
/// throws, CorruptFile, UnsupportedForm, and what stored_tensor() throws.
void add_pickled(Files& files, const Part& zip, Weights& out);

/// The tensor that views a storage: sizes and strides in elements, from that element on. Throws DataOutOfRange,
/// SizeOverflow; UnsupportedForm for strides that no order of slices has.
Constant view_of_storage(const Constant& storage, const Shape& sizes, const Shape& strides, int64_t offset);

}  // namespace mo::pytorch
