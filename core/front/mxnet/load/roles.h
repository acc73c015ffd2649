// What the variables of a symbol are for: parameters, inputs, and labels, which inference does not need.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/front/mxnet/load/symbol.h"

namespace mo::mxnet {

/// Whether there is an array of that name.
using HasArray = std::function<bool(const std::string&)>;

/// The variables without array that needed operations use as weight, bias, gamma, beta, moving average or as the
/// parameters of an RNN, in sub-graphs, too; in their order.
std::vector<std::string> missing_parameters(const Symbol& symbol, const HasArray& has_array);

/// Operations do not read labels any more where inference does not need them, and outputs that depend on labels are
/// left out; if all do, what they are computed of becomes the outputs. Returns the names of the outputs that are gone.
std::vector<std::string> leave_out_labels(Symbol& symbol, const HasArray& has_array);

/// The nodes that the heads need, by their numbers.
std::vector<char> needed_nodes(const Symbol& symbol);

}  // namespace mo::mxnet
