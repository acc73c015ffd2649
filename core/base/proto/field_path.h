// Any field of a message, asked for by a path.
#pragma once

#include <optional>

#include "core/base/proto/message.h"

namespace mo::proto {

/// What stands at a path: values, or messages; one unless `is_list`. Enums are names.
struct Found {
  bool is_list = false;
  Scalars values;
  std::vector<Message> messages;
};

/// Follows names of fields and positions in lists: "convolution_param.num_output", "attribute.0.name". None where
/// nothing stands; defaults do not count. Throws what Message throws.
std::optional<Found> find_field(const Message& root, std::string_view path);

}  // namespace mo::proto
