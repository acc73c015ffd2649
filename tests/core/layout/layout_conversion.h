// Converts NHWC models, and inspects them between two passes of the layout phase.
#pragma once

#include "tests/core/layout/layout_graphs.h"
#include "tests/core/support/converted.h"

namespace mo::test {

using BuildNhwc = std::function<void(NhwcGraph&)>;
Converted convert_nhwc(const BuildNhwc& build, Extensions* extensions = nullptr,
                       const std::vector<OptionText>& options = {}, DataLayout layout = DataLayout::Nhwc);
/// A graph from layout_graphs().
BuildNhwc layout_graph(std::string_view name);

/// The IR without Const and Result, as lines of `Type name (names of inputs) dimensions`.
std::string operations(const Converted& converted);
/// The number of layers of that type.
size_t count(const Converted& converted, std::string_view type);

/// Converts, and calls `look` between the pass `after` and the next.
Converted look_after(const std::string& after, const BuildNhwc& build, const std::function<void(Graph&)>& look);
const Tensor& tensor_of(Graph& graph, std::string_view node, int index = 0);

}  // namespace mo::test
