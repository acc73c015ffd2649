// A bounded walk over a FlatBuffer: tables, vectors and texts by the numbers of their fields. It reads what it is asked
// for through a window; payloads are places. Every offset is checked before it is followed, and what is read in all is
// limited, because a broken file may let its parts overlap.
#pragma once

#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/window.h"

namespace mo::tflite {

/// The file that is walked.
class FlatFile {
 public:
  FlatFile(Files& files, FileId file);

  Window& window() const { return window_; }
  /// The table that the file begins with. Throws TruncatedFile, CorruptFile.
  class FlatTable root();
  /// Counts bytes that are walked. Throws CorruptFile when they are many times those of the file.
  void spend(uint64_t bytes);
  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const;

 private:
  mutable Window window_;
  uint64_t left_;
};

/// Elements of a fixed size, beginning at `offset`, or a text or the bytes of a buffer.
struct FlatVector {
  uint64_t offset = 0, count = 0;
};

/// A table. One that is absent is empty and has no fields.
class FlatTable {
 public:
  FlatTable() = default;
  /// The table at `offset`. Throws TruncatedFile, CorruptFile unless its vtable and its fields are inside the file.
  FlatTable(FlatFile& file, uint64_t offset);

  explicit operator bool() const { return file_ != nullptr; }
  FlatFile& file() const { return *file_; }
  uint64_t offset() const { return offset_; }
  bool has(int field) const { return place(field, 0) != 0; }
  /// A number, with the bytes of T.
  template <typename T>
  T get(int field, T otherwise = {}) const {
    const uint64_t at = place(field, sizeof(T));
    if (at == 0) return otherwise;
    if constexpr (std::is_floating_point_v<T>)
      return std::bit_cast<T>(
          static_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(number(at, sizeof(T))));
    else
      return static_cast<T>(number(at, sizeof(T)));
  }
  FlatTable table(int field) const;
  /// Throws CorruptFile if it passes the end of the file.
  FlatVector vector(int field, uint64_t element_bytes) const;
  /// Element `i` of a vector of tables (element_bytes 4).
  FlatTable element(const FlatVector& vector, uint64_t i) const;
  /// Throws CorruptFile beyond 64 KB.
  std::string text(int field) const;
  /// A vector of whole numbers with that many bytes, signed.
  std::vector<int64_t> ints(int field, unsigned bytes) const;
  std::vector<double> floats(int field) const;

 private:
  uint64_t place(int field, uint64_t bytes) const;
  uint64_t number(uint64_t at, unsigned bytes) const;
  uint64_t follow(uint64_t at) const;

  FlatFile* file_ = nullptr;
  uint64_t offset_ = 0, vtable_ = 0;
  uint16_t vtable_bytes_ = 0, bytes_ = 0;
};

}  // namespace mo::tflite
