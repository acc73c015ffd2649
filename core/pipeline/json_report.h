#pragma once

#include <string>

#include "core/back/weights/weight_sizes.h"
#include "core/front/loader.h"
#include "core/graph/graph.h"
#include "core/ir/ir_writer.h"

namespace mo {

/// The report of a conversion as JSON; see Conversion::report().
std::string json_report(const Graph& graph, const ModelHead& head, const IrSummary& summary, uint64_t bin_bytes);

/// What is known of a graph that has been loaded and cut, for the `on_facts` of inspect().
std::string first_facts_json(Graph& graph, const Format& format, const ModelHead& head);
/// Inspection::facts of a graph that has been extracted, which is cleaned up.
std::string inspection_json(Graph& graph, const Format& format, const ModelHead& head);
/// Adds to them how large the .bin would be.
void add_weight_sizes(std::string& facts, const WeightSizes& sizes);

/// What is known about every tensor of the inferred graph; see Conversion::analysis().
std::string analysis_json(const Graph& graph);

}  // namespace mo
