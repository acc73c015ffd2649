// Errors as data with a place. Inside the core they are thrown and caught node by node, so that one run names all.
#pragma once

#include <cstdint>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
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

  Code code() const { return code_; }
  const Place& place() const { return place_; }
  Place& place() { return place_; }
  Message message() const;
  const char* what() const noexcept override { return detail_.c_str(); }

 private:
  Code code_;
  std::string detail_, hint_;
  Place place_;
};

/// Joins anything that an ostream can write: cat("input ", i, " has rank ", rank).
template <typename... Parts>
std::string cat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// What went wrong in one conversion, in the order it was met.
class Diagnostics {
 public:
  void add(const Error& error) { messages_.push_back(error.message()), ++errors_; }
  void warn(Code code, std::string text, Place place = {});
  bool has_errors() const { return errors_ != 0; }
  const std::vector<Message>& messages() const { return messages_; }

 private:
  std::vector<Message> messages_;
  int errors_ = 0;
};

}  // namespace mo
