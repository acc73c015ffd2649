// Messages of text files: .prototxt, .pbtxt, pipeline.config.
#pragma once

#include "core/base/files.h"
#include "core/base/proto/message.h"

namespace mo::proto {

struct TextOptions {
  std::string file;                ///< its name, for errors
  const Schema* schema = nullptr;  ///< null: every field is kept, and its literal gives its kind
  int type = Schema::kNone;
  /// True: a singular field may occur twice (the last one counts, messages are merged), and required fields may be
  /// missing. False: both are errors.
  bool merge = false;
  /// An enum of the schema that forks have given more values: words that are none of its own are kept as texts.
  std::string_view open_enum = {};
};

/// Reads the text as one message. Fields that the schema does not have are kept. Throws, with line and column, BadText
/// for malformed text, BadFieldValue for a value that does not fit its field, DuplicateField, MissingField, and TooDeep
/// beyond Message::kMaxDepth.
Message read_text(std::string text, const TextOptions& options);
/// Reads a whole file, whose name the options need not have. One that is too long is BadText before it is read.
Message read_text(Files& files, FileId file, TextOptions options);

}  // namespace mo::proto
