#include "core/front/loader.h"

namespace mo {

Companion LoadRequest::companion(const Role& role) const {
  const auto given = options.paths.find(role.option);
  return given == options.paths.end() ? find_companion(role, model)
                                      : given_companion(role, model.files(), given->second);
}

Companion LoadRequest::needed_companion(const Role& role) const {
  Companion found = companion(role);
  if (found.state != Companion::State::Present) throw lack_of(role, model, found);
  return found;
}

}  // namespace mo
