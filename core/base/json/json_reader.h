// Reads JSON of any size event by event: the text is never held as a tree, and its length, its depth and each token are
// limited before anything grows with them.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "core/base/window.h"

namespace mo {

struct JsonLimits {
  uint64_t bytes = uint64_t{512} << 20;  ///< of the text
  /// Of a text or a number; and what stands between two of them, such as blanks, has no more, either.
  uint64_t token = 1 << 20;
  int depth = 1000;  ///< objects and lists in each other
};

/// Where a token begins.
struct JsonPlace {
  uint64_t offset = 0;       ///< in the file
  int line = 1, column = 1;  ///< from the first byte that is read; the column counts bytes
};

/// null, a whole number, which is unsigned only where it does not fit int64_t, another number, a text in UTF-8.
using JsonScalar = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string_view>;

/// What a text consists of, in its order. Functions return false to end the reading; what they throw ends it, too.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  /// Views of texts are valid during the call.
  virtual bool scalar(const JsonScalar& value, const JsonPlace& place) = 0;
  /// The key of the value that comes next. A key may come twice in an object.
  virtual bool key(std::string_view name, const JsonPlace& place) = 0;
  /// An object, or a list.
  virtual bool begin(bool is_object, const JsonPlace& place) = 0;
  /// `place` is that of its closing bracket.
  virtual bool end(const JsonPlace& place) = 0;
};

/// Reads the bytes [begin, end) of the file, which are one value. False if an event has ended it. Throws, with line and
/// column: TruncatedFile, CorruptFile for what is no JSON or passes a limit of length, TooDeep.
bool read_json(Window& window, uint64_t begin, uint64_t end, const JsonLimits& limits, JsonEvents& events);
/// Reads the whole file.
inline bool read_json(Window& window, const JsonLimits& limits, JsonEvents& events) {
  return read_json(window, 0, window.size(), limits, events);
}

/// For errors about a token.
Place json_place(Window& window, const JsonPlace& place);

}  // namespace mo
