// What an IR is, for people and programs: who wrote it, its inputs and outputs, how much it has.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/ir/ir_net.h"
#include "core/ir/read/ir_reader.h"

namespace mo {

/// {name, version, rt_info, inputs, outputs, layers, constants, operations, constant_bytes, bin_needed, bin_bytes}, as
/// ir_files.h says.
nlohmann::ordered_json ir_facts(const IrDocument& document, const IrNet& net, std::optional<uint64_t> bin_size);

}  // namespace mo
