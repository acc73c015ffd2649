// Looks up any field of a message by a path.
#pragma once

#include <optional>

#include "core/base/proto/message.h"

namespace mo::proto {

/// What a path leads to: values or messages; exactly one unless `is_list`. Enums are given by name.
struct Found {
  bool is_list = false;
  Scalars values;
  std::vector<Message> messages;
};

/// Follows names of fields and positions in lists: "convolution_param.num_output", "attribute.0.name". nullopt when the
/// field is absent, even if it has a default. Throws what Message throws.
std::optional<Found> find_field(const Message& root, std::string_view path);

}  // namespace mo::proto
