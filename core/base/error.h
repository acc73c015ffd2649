// Errors are data with a place. The core throws them and catches them node by node, so that one run reports all.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

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
  explicit Error(Code code, std::string detail = {});
  Error(Code code, std::string detail, Place place, std::string hint = {});
  /// Stops work that depends on something already reported. It is not added to the diagnostics.
  static Error reported();

  Code code() const { return code_; }
  const Place& place() const { return place_; }
  Place& place() { return place_; }
  /// Adds what the place lacks from the one around it. What is known already comes from deeper, and stays; and what is
  /// around one node says nothing of another.
  Error& placed(const Place& around);
  /// Puts the option before the detail, unless the message names it.
  void name_option(std::string_view option);
  Message message() const;
  bool is_reported() const { return reported_; }
  const char* what() const noexcept override { return detail_.c_str(); }

 private:
  Code code_;
  std::string detail_, hint_;
  Place place_;
  bool reported_ = false;
};

/// A piece of a message: a text or a number, formatted only when the message is. The type is trivial because hundreds
/// of places create pieces.
class Piece {
 public:
  Piece(std::string_view text) : value_(text) {}  // NOLINT: pieces are made from what messages consist of
  Piece(const std::string& text) : value_(std::string_view(text)) {}  // NOLINT
  Piece(const char* text) : value_(std::string_view(text)) {}         // NOLINT
  Piece(char character) : value_(character) {}                        // NOLINT
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Piece(T value) : value_(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value)) {}  // NOLINT
  Piece(double value) : value_(value) {}                                                                      // NOLINT
  void append_to(std::string& text) const;

 private:
  std::variant<std::string_view, char, int64_t, uint64_t, double> value_;
};
std::string cat_pieces(const std::initializer_list<Piece>& pieces);
/// Joins texts and numbers: cat("input ", i, " has rank ", rank).
template <typename... Parts>
std::string cat(const Parts&... parts) {
  return cat_pieces({parts...});
}

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
  void warn(Code code, std::string text, Place place = {}) { warn(Error(code, std::move(text), std::move(place))); }
  void warn(const Error& error);
  /// Appends to the text and the hint of the errors from message `first` on. A hint that contains `hint` stays.
  void amend_errors(size_t first, std::string_view text, std::string_view hint);
  bool has_errors() const { return errors_ != 0; }
  int errors() const { return errors_; }
  const std::vector<Message>& messages() const { return messages_; }

 private:
  std::vector<Message> messages_;
  int errors_ = 0;
};

}  // namespace mo
