// Parts of extractors that several frameworks share. The extractor has read the framework's options before.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Bucketize with these boundaries. A number that is a boundary belongs to the bucket above.
void make_bucketize(Node& node, const Doubles& boundaries);
/// The op that divides and rounds down; runtimes divide integers towards 0.
const char* floor_division(ElementType type);
/// Sets size and alpha of an LRN over `radius` channels on either side. The given `alpha` is the factor of one element
/// of the sum; IR divides its alpha by the number of elements. Throws BadAttribute for a radius that is negative or
/// above INT32_MAX.
void set_lrn_window(Node& node, std::string_view radius_name, int64_t radius, double alpha);
/// Sets least, most, range and levels of FakeQuantWithMinMax, for whole numbers of `bits` bits.
void set_fake_quant_steps(Node& node, int64_t bits, bool narrow_range);

}  // namespace mo
