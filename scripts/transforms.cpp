// mo_transforms: the registered transforms and operations as JSON, for documents and tests. Not part of `mo`.

#include "core/pipeline/transforms.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/ops/op_def.h"

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
                    {"frameworks", row.frameworks},
                    {"description", row.description},
                    {"replaces", replaces}});
  }
  return rows;
}

/// The operations that IR has. `versions_differ`: some nodes are written with another version.
Json operations() {
  Json rows = Json::array();
  for (const OpDef* def : all_ops())
    if (!def->type.empty())
      rows.push_back({{"name", def->op},
                      {"type", def->type},
                      {"version", def->version},
                      {"versions_differ", def->version_of != nullptr}});
  return rows;
}

}  // namespace
}  // namespace mo

int main() {
  const mo::Json registered = {{"transforms", mo::transforms()}, {"operations", mo::operations()}};
  std::puts(registered.dump(1).c_str());
}
