// Errors as data with a place. Inside the core they are thrown and caught node by node, so that one run names all.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
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
  int64_t offset = -1;
};

class Error : public std::exception {
 public:
  /// `detail` says what exactly is wrong; an empty `hint` means the code's own.
  explicit Error(Code code, std::string detail = {}, Place place = {}, std::string hint = {});
  /// Ends what hangs on errors that are among the diagnostics already; is not added to them.
  static Error told();

  Code code() const { return code_; }
  const Place& place() const { return place_; }
  Place& place() { return place_; }
  Message message() const;
  bool is_told() const { return told_; }
  const char* what() const noexcept override { return detail_.c_str(); }

 private:
  Code code_;
  std::string detail_, hint_;
  Place place_;
  bool told_ = false;
};

/// A piece of a message: a text or a number.
class Piece {
 public:
  Piece(std::string_view text) : text_(text) {}                     // NOLINT: pieces are made where messages are
  Piece(const std::string& text) : text_(text) {}                   // NOLINT
  Piece(const char* text) : text_(text) {}                          // NOLINT
  Piece(char character) : number_(1, character), text_(number_) {}  // NOLINT
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Piece(T value)
      : number_(std::is_floating_point_v<T> ? of(static_cast<double>(value)) : std::to_string(value)),
        text_(number_) {}  // NOLINT
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  std::string_view text() const { return text_; }

 private:
  static std::string of(double value);
  std::string number_;
  std::string_view text_;
};
std::string cat_pieces(std::initializer_list<Piece> pieces);
/// Joins texts and numbers: cat("input ", i, " has rank ", rank).
template <typename... Parts>
std::string cat(const Parts&... parts) {
  return cat_pieces({parts...});
}

/// What went wrong in one conversion, in the order it was met.
class Diagnostics {
 public:
  void add(const Error& error);
  void warn(Code code, std::string text, Place place = {});
  bool has_errors() const { return errors_ != 0; }
  int errors() const { return errors_; }
  const std::vector<Message>& messages() const { return messages_; }

 private:
  std::vector<Message> messages_;
  int errors_ = 0;
};

}  // namespace mo
