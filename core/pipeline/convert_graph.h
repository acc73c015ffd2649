// The way of a model from the front phase on, for a graph that no loader has made.
#pragma once

#include "core/graph/graph.h"
#include "core/mo.h"

namespace mo {

/// As convert(), of the graph that `make` fills with internal operations, as a loader and its extractors would. `make`
/// also tells what they tell of the model: its framework, name and layout.
std::unique_ptr<Conversion> convert_graph(FileSet& files, const std::function<void(Graph&)>& make,
                                          const std::vector<OptionText>& options,
                                          const std::function<void(const Progress&)>& on_progress = {},
                                          Extensions* extensions = nullptr);

}  // namespace mo
