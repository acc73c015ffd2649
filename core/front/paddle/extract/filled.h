// Shapes of tensors that operators make.
#pragma once

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {

/// ShapeTensor, ShapeTensorList or shape.
OutPort filled_shape(Node& node);
/// Attribute `shape`, whose dimension output_dim_idx is that of Input at input_dim_idx.
OutPort batch_size_like(Node& node);

}  // namespace mo::paddle
