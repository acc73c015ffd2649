// A TensorProto as a place.
#pragma once

#include "core/base/content.h"
#include "core/base/proto/wire.h"

namespace mo::onnx {

struct NamedTensor {
  std::string name;
  Constant value;
};

/// Reads the TensorProto at `field`. Raw data, integer fields, packed float fields and ranges of side files become
/// places; strings, and floats that are not packed, are copied.
/// Throws WrongTensorSize, SizeOverflow, UnsupportedType, MissingDataFile, DataPathRefused, DataOutOfRange,
/// CorruptFile, TruncatedFile, and BadAttribute for more than 1024 dimensions.
NamedTensor read_tensor(Files& files, Window& window, const WireField& field);

/// Reads a SparseTensorProto as a dense tensor of up to 16 MB. Throws NotATensor for larger ones, and for elements of
/// less than a byte.
NamedTensor read_sparse_tensor(Files& files, Window& window, const WireField& field);

}  // namespace mo::onnx
