// The values of a program's parameters: records of one file, in the order of their names, or a file for each.
#pragma once

#include <map>
#include <string>

#include "core/graph/attributes.h"

namespace mo::paddle {

class Parameters {
 public:
  /// Of one file, which has a record for each name. `names` are sorted by their bytes. Throws TruncatedFile and
  /// CorruptFile with the place, UnsupportedType, SizeOverflow; WrongTensorSize if the file has more than these
  /// records.
  Parameters(Files& files, FileId file, const Strings& names);
  /// Of a folder with a file for each, which has its name; "" for the folder of the file set. Those that are not there
  /// are `missing`.
  Parameters(Files& files, const std::string& folder, const Strings& names, Strings& missing);

  /// Null if there is none.
  const Constant* find(const std::string& name) const;

 private:
  std::map<std::string, Constant> values_;
};

}  // namespace mo::paddle
