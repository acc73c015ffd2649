// The texts of --info. The package has the same: wasm/library/node/cli/card.ts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/mo.h"

namespace mo {

/// What is known of the model, a fact a line. `facts` are those of an Inspection, `fp16` whether its conversion would
/// store weights as f16.
std::string card(const std::string& path, const nlohmann::ordered_json& facts, const std::vector<Message>& messages,
                 bool fp16);
/// The same in one line; for a model that cannot be loaded, without facts, the first error.
std::string card_line(const std::string& path, const nlohmann::ordered_json& facts,
                      const std::vector<Message>& messages);
/// Whether the card says what the message says.
bool is_in_card(const Message& message);

}  // namespace mo
