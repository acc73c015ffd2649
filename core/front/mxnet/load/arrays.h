// The arrays of MXNet's files, as places: array lists (.params, .nd) of all versions, and the .npz of MXNet 2.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo::mxnet {

struct StoredArray {
  std::string name;  ///< as the file has it: "arg:conv0_weight"; empty in a list without names
  Constant value;
};

/// The element type of MXNet's number. Throws UnsupportedType.
ElementType required_type(int64_t number);
/// The reverse, for a type of stored arrays.
int32_t number_of(ElementType type);

/// The arrays of a file, in its order, without those that are empty places. Sparse ones are recipes of dense ones.
/// Throws TruncatedFile, CorruptFile and TooDeep with the place, UnsupportedType, UnsupportedForm, SizeOverflow.
std::vector<StoredArray> read_arrays(Files& files, FileId file);
std::vector<StoredArray> read_array_list(Files& files, FileId file);
std::vector<StoredArray> read_npz(Files& files, FileId file);

/// The name without "arg:" or "aux:".
std::string_view name_without_kind(std::string_view name);

/// A file with these arrays as MXNet 1 reads it, as contents one after the other. Sparse ones are dense in it.
std::vector<ContentPtr> written_list(const std::vector<StoredArray>& arrays);

/// What a sparse array stores.
struct SparseParts {
  Constant data, indices, pointers;  ///< `pointers` for csr only
};
/// The rows `indices` of the array; the others are 0. Throws CorruptFile, UnsupportedForm.
Constant dense_of_rows(Files& files, const Shape& shape, const SparseParts& parts);
/// Compressed rows: those of row i are [pointers[i], pointers[i + 1]). Throws CorruptFile.
Constant dense_of_csr(Files& files, const Shape& shape, const SparseParts& parts);

/// The parameters of a network by the names of its variables: floating-point ones as f32, as MXNet's operators want one
/// type and inputs are f32; quantised ones and other integers as they are.
class Parameters {
 public:
  /// Names may begin with "arg:" or "aux:". Of several of one name that of the last call counts, and within a call an
  /// argument.
  void add(const std::vector<StoredArray>& arrays);
  /// Null if there is none.
  const Constant* find(const std::string& name) const;
  bool empty() const { return values_.empty(); }
  /// Whether names are paths of attributes, as Gluon's save_parameters writes them: "features.0.weight".
  bool are_attribute_paths() const;

 private:
  std::map<std::string, Constant> values_;
  bool has_prefixes_ = false;
};

}  // namespace mo::mxnet
