// What options ask of the back phase, and what has become of it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/back/requested/transform_request.h"
#include "core/back/weights/weight_request.h"
#include "core/back/weights/weight_table.h"

namespace mo {

struct RequestedChanges {
  std::vector<TransformRequest> transforms;
  std::optional<WeightRequest> weights;
  std::optional<std::vector<WeightRow>> weight_table;
};

/// Null if nothing is asked for.
inline const RequestedChanges* requested_changes(const Model& model) {
  return static_cast<const RequestedChanges*>(model.of_requested_changes.get());
}

/// `change` gets a copy of them, which takes their place.
template <typename Change>
void change_requests(Model& model, Change change) {
  const RequestedChanges* const old = requested_changes(model);
  auto made = std::make_shared<RequestedChanges>(old ? *old : RequestedChanges());
  change(*made);
  model.of_requested_changes = std::move(made);
}

}  // namespace mo
