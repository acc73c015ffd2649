// The files of a role for one model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/front/companions/folder_names.h"
#include "core/front/companions/role.h"

namespace mo {

struct Companion {
  enum class State { Present, Absent, Ambiguous };
  State state = State::Absent;
  std::string value;                    ///< Present: what the option of the role is, or would be
  std::vector<std::string> files;       ///< Present: the files that are there
  std::vector<std::string> candidates;  ///< Ambiguous: values of the option
  std::vector<std::string> looked_for;  ///< Absent: bare names, with '*' for any
  std::vector<std::string> unfit;       ///< Absent: files of such names whose bytes are others
};

/// Where the companions of a model lie: in the model's folder, which it may be itself. With the slash at its end; ""
/// for the folder of the file set.
std::string folder_with_companions(const ModelFile& model);

/// Finds the files of a role among `paths`. Throws what Role::files_of and Role::accepts throw.
Companion find_companion(const Role& role, const ModelFile& model, FolderNames& paths);
/// Finds them in the folder of `model`.
Companion find_companion(const Role& role, const ModelFile& model);
/// The files of a role that the user names.
Companion given_companion(const Role& role, Files& files, const std::string& value);

/// What the first of the unfit files is; nullopt if there is none, or nothing is known of it.
std::optional<Error> unfit_file(Files& files, const Companion& companion);

/// Why a model cannot be converted without the role: NoCompanion with the names that were looked for, or
/// SeveralCompanions with the candidates.
Error lack_of(const Role& role, const ModelFile& model, const Companion& companion);

}  // namespace mo
