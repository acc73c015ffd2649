// A TensorProto as a place.
#pragma once

#include "core/base/content.h"
#include "core/base/proto/wire.h"

namespace mo::onnx {

struct NamedTensor {
  std::string name;
  Constant value;
};

/// Walks the TensorProto at `field`: raw data, typed fields (packed or not) or a range of a side file become a place.
/// Throws WrongTensorSize, SizeOverflow, UnsupportedType, MissingDataFile, DataPathRefused, DataOutOfRange.
NamedTensor read_tensor(Files& files, Window& window, const WireField& field);

/// A SparseTensorProto made dense; up to 16 MB. Throws NotATensor beyond.
NamedTensor read_sparse_tensor(Files& files, Window& window, const WireField& field);

}  // namespace mo::onnx
