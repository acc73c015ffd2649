// What the files of a model are for: a format declares its roles beside its loader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/front/model_file.h"

namespace mo {

/// What one file, or several, are for a model. All texts are constants.
struct Role {
  std::string_view name;    ///< as messages call it: "checkpoint"
  std::string_view option;  ///< the option of kind Path or Files that names it: "input_checkpoint"
  /// How it is found without the option, in the folder of the main file: patterns as fits_pattern() takes them,
  /// separated by blanks. Those behind a '|' count if none before it fits a file.
  std::string_view patterns;
  bool needed = false;   ///< a model is nothing without it
  bool several = false;  ///< all files that fit belong together, in the order of their names
  /// Endings of models, separated by blanks, beside which a file of their stem is theirs, and no one else's: "weights
  /// of a.model are a.w".
  std::string_view owner = {};
  /// Whether a model has this role; null: each model of the format.
  bool (*belongs_to)(const ModelFile& model) = nullptr;
  /// Whether the bytes of a file are such ones; null: its name is enough, as it is where there are no bytes yet.
  bool (*accepts)(const ModelFile& file) = nullptr;
  /// What the option has to be for a file that is found; null: the file's name.
  std::string (*value_of)(const std::string& file) = nullptr;
  /// The existing files that a value of the option means; null: that file.
  std::vector<std::string> (*files_of)(Files& files, const std::string& value) = nullptr;
  /// What `{stem}` stands for, by the stem of the main file; null: the stem.
  std::string_view (*stem)(std::string_view stem) = nullptr;
};

}  // namespace mo
