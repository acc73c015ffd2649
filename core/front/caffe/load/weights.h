// The blobs of a .caffemodel, as places: of its layers only names and blobs are read, as everything else is in the
// text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo::caffe {

struct Blob {
  Constant value;       ///< f32
  bool is_raw = false;  ///< in the form of NVIDIA's fork
};

/// The blob that a file consists of, which is none if it has no numbers. Throws what Weights throws.
Constant read_blob(Files& files, FileId file);

class Weights {
 public:
  /// Throws TruncatedFile, CorruptFile, TooDeep, WrongTensorSize, SizeOverflow with the place in the file.
  Weights(Files& files, FileId file);

  /// The blobs of a layer: of entries of one name the last with blobs counts. Null for a layer that is not there, or
  /// has none.
  const std::vector<Blob>* find(const std::string& layer) const;

 private:
  std::map<std::string, std::vector<Blob>> layers_;
};

}  // namespace mo::caffe
