// Numbers of array lists.
#pragma once

#include <cstdint>

namespace mo::mxnet {

/// What a list begins with.
constexpr uint64_t kListMagic = 0x112;
/// What a record begins with.
constexpr uint32_t kV1 = 0xF993FAC8, kV2 = 0xF993FAC9, kV3 = 0xF993FACA;
/// Storage types.
constexpr int32_t kUndefined = -1, kDense = 0, kRowSparse = 1, kCsr = 2;

}  // namespace mo::mxnet
