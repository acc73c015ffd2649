// The matrices and vectors of Kaldi's files as places of the file, or as recipes that decode them piece by piece.
#pragma once

#include "core/front/kaldi/load/stream.h"

namespace mo::kaldi {

/// f32 or f64 of shape [rows, columns], [0, 0] for an empty one. Throws CorruptFile, TruncatedFile, SizeOverflow.
Constant read_matrix(Stream& stream);
/// f32 or f64 of shape [elements].
Constant read_vector(Stream& stream);

/// "CM", "CM2" or "CM3", whose token has been read.
Constant read_compressed(Stream& stream, std::string_view token, const Stream::Mark& begin);
/// The rest of a matrix or vector as text, behind "[". It reads all numbers, and keeps none.
Constant read_text_matrix(Stream& stream);
Constant read_text_vector(Stream& stream);

}  // namespace mo::kaldi
