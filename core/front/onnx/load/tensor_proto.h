// A TensorProto as a place.
#pragma once

#include "core/base/content.h"
#include "core/base/proto/wire.h"

namespace mo::onnx {

struct NamedTensor {
  std::string name;
  Constant value;
};

/// Reads the TensorProto at `field`. Raw data, typed fields (packed or not) and ranges of side files become places.
/// Throws WrongTensorSize, SizeOverflow, UnsupportedType, MissingDataFile, DataPathRefused, DataOutOfRange.
NamedTensor read_tensor(Files& files, Window& window, const WireField& field);

/// Reads a SparseTensorProto as a dense tensor of up to 16 MB. Throws NotATensor for larger ones.
NamedTensor read_sparse_tensor(Files& files, Window& window, const WireField& field);

}  // namespace mo::onnx
