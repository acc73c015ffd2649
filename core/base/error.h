// Errors are data with a place. The core throws them and catches them node by node, so that one run reports all.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/detail.h"
#include "core/mo.h"

namespace mo {

enum class Code : uint16_t {
#define MO_ERROR(name, number, text, hint, faq) name = number,
#include "core/base/errors.def"
};

/// A row of errors.def.
struct CodeInfo {
  Code code;
  std::string_view name, text, hint;
  int faq;
};
const CodeInfo& info(Code code);

/// Where something is wrong. Every part may be missing.
struct Place {
  std::string node, op, tensor, file;
  int64_t offset = -1;       ///< in a binary file
  int line = 0, column = 0;  ///< in a text, from 1; the column counts bytes
};

class Error : public std::exception {
 public:
  /// `detail` says what exactly is wrong. An empty `hint` means the hint of the code.
  explicit Error(Code code, Detail detail = {});
  Error(Code code, Detail detail, Place place, Detail hint = {});
  /// Stops work that depends on something already reported. It is not added to the diagnostics.
  static Error reported();

  Code code() const { return code_; }
  const Detail& detail() const { return detail_; }
  const Place& place() const { return place_; }
  Place& place() { return place_; }
  /// Adds what the place lacks from the one around it. What is known already comes from deeper, and stays; and what is
  /// around one node says nothing of another.
  Error& placed(const Place& around);
  /// The option that is wrong, without hyphens, if it is one that was given. The first one that is told is the option
  /// of the message; others are there besides.
  Error& about(std::string_view option);
  /// Puts the options, "--scale or --scale_values", before the detail, unless the message names them.
  void name_option(std::string_view options);
  Message message() const;
  bool is_reported() const { return reported_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Code code_;
  Detail detail_, hint_;
  std::string text_;  ///< the detail's
  Place place_;
  std::vector<std::string> options_;
  bool reported_ = false;
};

/// Calls `body`. An error that it throws names the option: "--output".
template <typename Body>
decltype(auto) of_option(std::string_view option, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    error.name_option(option);
    throw;
  }
}

/// Calls `body`. An error that it throws gets from `where()` what its place lacks.
template <typename Where, typename Body>
decltype(auto) with_place(const Where& where, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    error.placed(where());
    throw;
  }
}

/// What went wrong in one conversion, in the order it was met.
class Diagnostics {
 public:
  void add(const Error& error);
  void warn(Code code, Detail text, Place place = {}) { warn(Error(code, std::move(text), std::move(place))); }
  void warn(const Error& error);
  /// Appends to the text and the hint of the errors from message `first` on. A hint that contains `hint` stays.
  void amend_errors(size_t first, const Detail& text, const Detail& hint);
  /// Appends to the errors of these codes what `option` has given, and the hint, and names the option.
  void blame_option(std::string_view option, const Detail& given, const Detail& hint,
                    std::initializer_list<Code> codes);
  bool has_errors() const { return errors_ != 0; }
  int errors() const { return errors_; }
  const std::vector<Message>& messages() const { return messages_; }
  /// Takes back the messages from `first` on: what was tried failed, and something else is done.
  void take_back(size_t first);

 private:
  std::vector<Message> messages_;
  int errors_ = 0;
};

}  // namespace mo
