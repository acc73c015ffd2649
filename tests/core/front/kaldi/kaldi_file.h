// Files of Kaldi for tests: the same calls write the binary form and the text.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "core/front/kaldi/load/read_network.h"
#include "tests/core/support/memory_files.h"

namespace mo::test {

class KaldiFile {
 public:
  explicit KaldiFile(bool binary) : binary_(binary) {
    if (binary) text_.append("\0B", 2);
  }

  KaldiFile& token(const std::string& word) { return add(word + " "); }
  KaldiFile& line(const std::string& text) { return add(text + "\n"); }
  KaldiFile& add(const std::string& bytes) {
    text_ += bytes;
    return *this;
  }
  KaldiFile& i(int32_t value) { return binary_ ? raw<int8_t>(4).raw(value) : add(std::to_string(value) + " "); }
  KaldiFile& f(float value) { return binary_ ? raw<int8_t>(4).raw(value) : add(number(value) + " "); }
  KaldiFile& d(double value) { return binary_ ? raw<int8_t>(8).raw(value) : add(number(value) + " "); }
  KaldiFile& b(bool value) { return add(value ? binary_ ? "T" : "T " : binary_ ? "F" : "F "); }
  KaldiFile& list(const std::vector<int32_t>& values) {
    if (!binary_) add("[ ");
    if (binary_) raw<int8_t>(4).raw(static_cast<int32_t>(values.size()));
    for (const int32_t value : values) binary_ ? raw(value) : add(std::to_string(value) + " ");
    return binary_ ? *this : add("]\n");
  }
  KaldiFile& vector(const std::vector<float>& values) {
    if (binary_) return token("FV").i(static_cast<int32_t>(values.size())).all(values);
    add(" [ ");
    for (const float value : values) add(number(value) + " ");
    return add("]\n");
  }
  KaldiFile& matrix(int32_t rows, int32_t columns, const std::vector<float>& values) {
    if (binary_) return token("FM").i(rows).i(columns).all(values);
    add(" [");
    for (size_t at = 0; at < values.size(); ++at)
      add((at % static_cast<size_t>(columns) == 0 ? "\n  " : "") + number(values[at]) + " ");
    return add("]\n");
  }
  template <typename T>
  KaldiFile& raw(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    return add(std::string(bytes, sizeof value));
  }
  template <typename T>
  KaldiFile& all(const std::vector<T>& values) {
    for (const T value : values) raw(value);
    return *this;
  }

  bool is_binary() const { return binary_; }
  const std::string& text() const { return text_; }

 private:
  static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
  }

  bool binary_;
  std::string text_;
};

/// A file that is read, with what its constants need.
struct ReadKaldi {
  explicit ReadKaldi(const std::string& content) {
    set.put("m", bytes_of(std::vector<char>(content.begin(), content.end())));
    network = kaldi::read_network(files, files.open_given("m"), diagnostics);
  }
  std::vector<double> values(const kaldi::Component& component, std::string_view field) {
    const Constant* constant = component.fields.get_if<Constant>(field);
    return constant ? read_doubles(*constant, files, 1 << 20).value_or(std::vector<double>()) : std::vector<double>();
  }

  MemoryFiles set;
  Files files{set};
  Diagnostics diagnostics;
  kaldi::Network network;
};

/// "MO1005 4 is where … (byte 12)", "… (line 3, column 1)"; empty if the file can be read.
inline std::string kaldi_error(const std::string& content) {
  try {
    ReadKaldi read(content);
  } catch (const Error& error) {
    const Place& at = error.place();
    std::string out = "MO" + std::to_string(static_cast<int>(error.code())) + " " + error.detail().text();
    if (at.offset >= 0) out += " (byte " + std::to_string(at.offset) + ")";
    if (at.line > 0) out += " (line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ")";
    return out;
  }
  return {};
}

}  // namespace mo::test
