// Protobuf messages for tests: hand-made bytes, files of the build, and messages as lines of text.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "core/base/proto/message.h"
#include "core/base/proto/wire_message.h"
#include "core/base/text.h"
#include "kinds_messages.h"
#include "tests/core/support/memory_files.h"

namespace mo::test {

inline std::vector<std::byte> as_bytes(std::string_view text) {
  return bytes_of(std::vector<char>(text.begin(), text.end()));
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A binary message in memory.
struct WireFile : Fixture {
  explicit WireFile(std::string_view bytes) : Fixture(as_bytes(bytes)) {}
  proto::Message read(const proto::Schema& schema, std::string_view type) {
    return read_wire(files, id, schema, schema.message(type));
  }
  proto::Message kinds() { return read(pb::kSchema, "Kinds"); }
};

/// Every field of the message on its own line, by name; nested ones in braces.
inline std::string described(const proto::Message& message, const std::string& indent = {}) {
  std::string out;
  std::vector<std::string> names = message.names();
  std::sort(names.begin(), names.end());
  const auto scalar = [](const proto::Scalar& value) -> std::string {
    if (value.kind == proto::Scalar::Text) return "\"" + value.text + "\"";
    if (value.kind == proto::Scalar::Float) return "float " + format_double(*value.as_float());
    return cat("kind ", int{value.kind}, " ", value.bits);
  };
  for (const std::string& name : names) {
    const proto::FieldRow* row = message.row(name);
    if (message.source().is_message(message.occurrences(name)[0])) {
      for (const proto::Message& inner : message.messages(name))
        out += indent + name + " {\n" + described(inner, indent + "  ") + indent + "}\n";
    } else {
      for (const proto::Scalar& value : message.all(name))
        out += indent + name + ": " + scalar(message.named(row, value)) + "\n";
    }
  }
  return out;
}

/// The error's text after its line and column, if it has them.
inline std::string with_place(const Error& error) {
  const Place& place = error.place();
  return place.line ? cat("line ", place.line, ", column ", place.column, ": ", error.what())
                    : std::string(error.what());
}

}  // namespace mo::test

/// Runs the statement and expects mo::Error with that code and text.
#define EXPECT_MESSAGE(expected, text, statement) \
  EXPECT_ERROR(expected, EXPECT_EQ(mo::test::with_place(error), text), statement)
