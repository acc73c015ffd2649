// The table of options: options.def without its texts, which core/cli/texts/ has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/detail.h"

namespace mo {

// The columns of options.def, where they are explained.
enum class OptionKind : char { Text, Number, Flag, Switch, Shapes, Level, Path, Files };
/// Whether the value is a path, or the beginning of several.
constexpr bool is_path(OptionKind kind) { return kind == OptionKind::Path || kind == OptionKind::Files; }
enum class OptionScope : char { Convert, Load, Host, None, Former, Waiting };
enum class OptionGroup : char { Agnostic, Tf, Caffe, Mxnet, Kaldi, Former, Own };

/// What is usual of an option unless its row says otherwise. Nothing else lists options for these facts.
struct OptionFacts {
  /// Of an option of scope Convert or Load: the IR's rt_info has it where it differs from the library's default.
  bool in_ir = true;
  bool to_core = false;        ///< of scope Host, and yet for convert()
  bool configuration = false;  ///< of kind Path: a transformations configuration, which commands check first
  /// An earlier name: the option that it sets. It is in no IR and on no page.
  std::string_view alias_of;
  /// The part of the page's form that has its field; empty if the page has none.
  std::string_view page_group = "other";
  bool native = true;         ///< the native command carries it out
  bool may_be_empty = false;  ///< of scope Load: an empty value is one, too
};

/// A row of options.def.
struct OptionRow {
  std::string_view name, short_names;
  OptionKind kind;
  std::string_view default_text;
  OptionScope scope;
  OptionGroup group;
  OptionFacts facts;
};
const std::vector<OptionRow>& all_options();
/// Null when there is none. Hyphens count as underscores.
const OptionRow* find_option(std::string_view name);
/// For a misspelled name, a hint with the nearest option: " (did you mean --…?)". "" if none is near.
Detail nearest_option(std::string_view name);
/// " (did you mean --…?)" for what stands behind the first two hyphens.
Detail did_you_mean(std::string_view option);

}  // namespace mo
