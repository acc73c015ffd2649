// Components of types that Kaldi does not have, such as those of forks. Extensions read their fields.
#pragma once

#include "core/front/kaldi/load/components.h"

namespace mo::kaldi {

/// Reads such a component of a text, behind its start tag, to its end. What stands behind a token becomes its field:
/// nothing is true, T and F are booleans, then numbers, or lists of them, whole ones where all are, and constants of
/// vectors and matrices. Only the first 256 are read. Arrays that have no token of their own are "Array1" and so on.
/// Throws nothing for what is none of that.
void read_unknown(Stream& stream, Generation generation, Component& component);

}  // namespace mo::kaldi
