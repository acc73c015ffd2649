#include "core/base/text.h"
#include "core/front/loader.h"

namespace mo {

namespace {

/// Throws what the file is if that is known, and it is something else than the role's.
void require_fit(const Role& role, const ModelFile& file) {
  if (!role.accepts || role.accepts(file)) return;
  if (auto error = refusal(file)) {
    error->name_option(cat("--", role.option));
    throw error->about(role.option);
  }
}

}  // namespace

Companion LoadRequest::companion(const Role& role) const {
  const auto given = options.paths.find(role.option);
  if (given == options.paths.end()) return find_companion(role, model);
  Companion out = given_companion(role, model.files(), given->second);
  for (const std::string& file : out.files) require_fit(role, ModelFile(model.files(), file));
  return out;
}

Companion LoadRequest::needed_companion(const Role& role) const {
  Companion found = companion(role);
  if (found.state != Companion::State::Present) throw lack_of(role, model, found);
  return found;
}

}  // namespace mo
