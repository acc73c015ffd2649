// What a file of MXNet is, by its bytes.
#pragma once

#include "core/front/loader.h"

namespace mo::mxnet {

enum class Kind : uint8_t {
  None,
  Symbol,  ///< the graph as JSON: -symbol.json
  Arrays,  ///< an array list: .params, .nd
  Npz,     ///< the same of MXNet 2: arrays of NumPy in a zip
};

Kind kind_of(const ModelFile& file);
bool is_symbol(const ModelFile& file);
/// Whether it holds arrays, of any version.
bool is_arrays(const ModelFile& file);

/// "net" of "net-0000", which has an epoch, and of "net-symbol".
std::string_view without_epoch(std::string_view stem);
std::string_view without_symbol(std::string_view stem);

}  // namespace mo::mxnet
