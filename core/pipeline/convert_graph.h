// Conversion from the front phase on, for a graph that does not come from a loader.
#pragma once

#include "core/graph/graph.h"
#include "core/mo.h"

namespace mo {

/// As convert(), for a graph that `make` fills with internal operations in place of a loader and its extractors. `make`
/// also sets the model's framework, name and layout.
std::unique_ptr<Conversion> convert_graph(FileSet& files, const std::function<void(Graph&)>& make,
                                          const std::vector<OptionText>& options,
                                          const std::function<void(const Progress&)>& on_progress = {},
                                          Extensions* extensions = nullptr);

}  // namespace mo
