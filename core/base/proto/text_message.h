// Messages of text files: .prototxt, .pbtxt, pipeline.config.
#pragma once

#include "core/base/proto/message.h"

namespace mo::proto {

struct TextOptions {
  std::string file;                ///< its name, for errors
  const Schema* schema = nullptr;  ///< null: every field is kept as it stands, its kind told by the literal
  int type = Schema::kNone;
  /// A singular field may come twice, the last one counts and messages are merged; required fields may be missing. Else
  /// both are errors.
  bool merge = false;
};

/// Reads the text as one message. Fields that the schema does not have are kept. Throws, with line and column, BadText
/// for what is not of the text format, BadFieldValue for a value that its field cannot take, DuplicateField,
/// MissingField, and TooDeep beyond Message::kMaxDepth.
Message read_text(std::string text, const TextOptions& options);

}  // namespace mo::proto
