// The lines between <Nnet3> and the components, which are text in binary files, too.
#pragma once

#include <string>
#include <vector>

#include "core/front/kaldi/load/stream.h"

namespace mo::kaldi {

struct ConfigValue {
  std::string key, text;
  Stream::Mark place;
};

/// "component-node name=a component=b input=Offset(c, -1)": values may have blanks in them.
struct ConfigLine {
  std::string kind;
  std::vector<ConfigValue> values;
  Stream::Mark place;

  /// Null if the line does not have it.
  const ConfigValue* find(std::string_view key) const;
};

/// The lines up to an empty one, without comments. Throws TruncatedFile, CorruptFile.
std::vector<ConfigLine> read_config_lines(Stream& stream);

/// Letters, digits, "_", "-" and "."; a letter or "_" first.
bool is_valid_name(std::string_view name);

}  // namespace mo::kaldi
