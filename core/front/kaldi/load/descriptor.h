// Descriptors of nnet3: terms such as Append(Offset(a, -1), Sum(b, Scale(0.66, c))).
#pragma once

#include "core/front/kaldi/load/config_lines.h"
#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// Nested no deeper than this.
inline constexpr int kDeepestDescriptor = 128;
/// The parts that inner Appends make of terms.
inline constexpr int kMostTerms = 1 << 20;

/// Reads the value of `input=`. Append is outermost in the result: Offset(Append(a, b), 1) is
/// Append(Offset(a, 1), Offset(b, 1)), as in Kaldi, where IfDefined and Failover choose for each part. Throws
/// CorruptFile, TooDeep, with the place in the text.
/// `budget`: how many terms such Appends may still make, in all of the model.
Descriptor read_descriptor(const ConfigValue& value, const Stream& stream, int& budget);

}  // namespace mo::kaldi
