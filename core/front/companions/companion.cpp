#include "core/front/companions/companion.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/companions/file_name.h"
#include "core/front/loader.h"

namespace mo {
namespace {

void add_value(std::vector<std::string>& values, std::string value) {
  if (!is_one_of(value, values)) values.push_back(std::move(value));
}

/// The patterns of a role as people read them.
std::vector<std::string> shown(const Role& role, std::string_view stem) {
  std::vector<std::string> out;
  for (const std::string& step : split(role.patterns, '|'))
    for (std::string pattern : split(step, ' ')) {
      if (pattern.empty()) continue;
      if (const size_t at = pattern.find(kStemMark); at != std::string::npos)
        pattern.replace(at, kStemMark.size(), stem);
      std::replace(pattern.begin(), pattern.end(), '#', '*');
      out.push_back(std::move(pattern));
    }
  return out;
}

std::string listed(const std::vector<std::string>& names) {
  return join(names, [](const std::string& name) { return printable(name); });
}

/// Whether another model lies there whose name the file has.
bool is_of_other(const Role& role, const std::string& path, std::string_view stem, const FolderNames& paths) {
  const std::string_view own = stem_of(path);
  if (own == stem) return false;
  const std::vector<std::string> owners = split(role.owner, ' ');
  return std::any_of(owners.begin(), owners.end(),
                     [&](const std::string& ending) { return paths.has(cat(folder_part(path), own, ending)); });
}

}  // namespace

Companion find_companion(const Role& role, const ModelFile& model, FolderNames& paths) {
  Companion out;
  const std::string_view whole = stem_of(model.name()), stem = role.stem ? role.stem(whole) : whole;
  for (const std::string& step : split(role.patterns, '|')) {
    std::vector<std::string> values, found;
    for (std::string& path : paths.fitting(step, stem)) {
      if (path == model.name() || is_of_other(role, path, stem, paths)) continue;
      // A file that is still packed is taken by its name.
      if (role.accepts && model.files().has(path) && !role.accepts(ModelFile(model.files(), path))) {
        add_value(out.unfit, path);
        continue;
      }
      add_value(values, role.value_of ? role.value_of(path) : path);
      found.push_back(std::move(path));
    }
    if (values.empty()) continue;
    if (values.size() > 1 && !role.several) {
      out.state = Companion::State::Ambiguous;
      out.candidates = std::move(values);
      return out;
    }
    out = given_companion(role, model.files(), values[0]);
    if (role.several && !role.files_of) out.files = std::move(found), out.value = join(values, std::identity(), ",");
    return out;
  }
  out.looked_for = shown(role, stem);
  return out;
}

std::string folder_with_companions(const ModelFile& model) {
  return model.is_folder() ? model.name() + "/" : std::string(folder_part(model.name()));
}

Companion find_companion(const Role& role, const ModelFile& model) {
  const std::string prefix = folder_with_companions(model);
  std::vector<std::string> paths = model.files().entries(prefix.substr(0, std::max<size_t>(prefix.size(), 1) - 1));
  for (std::string& path : paths) path.insert(0, prefix);
  FolderNames names(std::move(paths));
  return find_companion(role, model, names);
}

Companion given_companion(const Role& role, Files& files, const std::string& value) {
  Companion out;
  out.state = Companion::State::Present;
  out.value = value;
  out.files = role.files_of ? role.files_of(files, value) : role.several ? split(value, ',') : std::vector{value};
  return out;
}

std::optional<Error> unfit_file(Files& files, const Companion& companion) {
  for (const std::string& path : companion.unfit)
    if (auto error = refusal(ModelFile(files, path))) return error;
  return std::nullopt;
}

Error lack_of(const Role& role, const ModelFile& model, const Companion& companion) {
  const Place place{.file = model.name()};
  const std::string_view option = role.option;
  if (companion.state == Companion::State::Ambiguous)
    return Error(Code::SeveralCompanions, msg(role.name, ": ", listed(companion.candidates)), place,
                 msg("name one with --", option))
        .about(option);
  const Detail lack = msg(role.name, ": looked for ", listed(companion.looked_for));
  const auto other = unfit_file(model.files(), companion);
  const Detail said = other ? msg(lack, "; ", printable(other->place().file), " is none: ", other->detail())
                      : companion.unfit.empty() ? lack
                                                : msg(lack, "; ", printable(companion.unfit[0]), " is none");
  return Error(Code::NoCompanion, said, place,
               msg("put it beside the model, drop it together with the model, or name it with --", option))
      .about(option);
}

}  // namespace mo
