// mo_transforms: the registered transforms as JSON, for the documents. Not part of `mo`.

#include "core/pipeline/transforms.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

/// `replaces` lists the ops of a Decomposition, which is in the file named as its class.
Json transforms() {
  Json rows = Json::array();
  for (const TransformRow& row : all_transforms()) {
    const std::unique_ptr<Transform> transform = row.make();
    Json replaces = Json::array();
    if (row.phase == Phase::Infer)
      for (const std::string_view op : static_cast<Decomposition&>(*transform).ops()) replaces.push_back(op);
    rows.push_back({{"name", row.name},
                    {"phase", phase_name(row.phase)},
                    {"framework", row.framework},
                    {"description", row.description},
                    {"replaces", replaces}});
  }
  return rows;
}

}  // namespace
}  // namespace mo

int main() { std::puts(mo::transforms().dump(1).c_str()); }
