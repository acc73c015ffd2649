#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/ir/ir_writer.h"

namespace mo {

/// The report of a conversion as JSON; see Conversion::report().
std::string json_report(const Graph& graph, const IrSummary& summary, uint64_t xml_bytes, uint64_t bin_bytes);

}  // namespace mo
