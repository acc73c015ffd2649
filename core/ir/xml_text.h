// The text of an XML document.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/mo.h"

namespace mo {

/// Writes a document from its beginning to its end, one element to a line, and gives it to a sink in pieces. Nothing of
/// it is kept: the text of a large model takes as much memory as its graph, and a document in memory several times
/// that.
class XmlText {
 public:
  /// Begins with the declaration. The sink has to outlive it.
  explicit XmlText(const TextSink& sink) : sink_(sink), piece_(kPiece) { put("<?xml version=\"1.0\"?>\n"); }
  /// An element inside the one that is being written. `fill` writes its attributes, then its content. The name has to
  /// be one that XML allows.
  template <typename Fill>
  void element(std::string_view name, Fill fill) {
    begin(name);
    fill();
    end(name);
  }
  void element(std::string_view name) {
    element(name, [] {});
  }
  /// An attribute of the element that has just begun. Characters that XML does not allow are replaced.
  void attribute(std::string_view name, std::string_view value);
  void attribute(std::string_view name, int64_t value);
  /// An element with a number as its content.
  void number(std::string_view name, int64_t value);
  /// Gives the last piece to the sink. Returns the bytes of the whole text.
  uint64_t finish();

 private:
  static constexpr size_t kPiece = 64 * 1024;

  void begin(std::string_view name);
  void end(std::string_view name);
  void end_tag();
  void indent();
  void put(std::string_view text);
  void put(char c) {
    if (size_ == kPiece) flush();
    piece_[size_++] = c;
  }
  void put(int64_t value);
  void put_reference(uint32_t code);
  void flush();

  const TextSink& sink_;
  std::vector<char> piece_;
  size_t size_ = 0;  ///< bytes in the piece
  uint64_t given_ = 0;
  size_t depth_ = 0;
  bool in_tag_ = false;  ///< the start tag has no end yet: attributes may follow
};

}  // namespace mo
