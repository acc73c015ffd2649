// Files in memory that count how much is read; helpers to create and read constants.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/content.h"
#include "core/base/error.h"

namespace mo::test {

class MemoryFile final : public ByteSource {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  void read(uint64_t offset, std::span<std::byte> out) override {
    ASSERT_LE(offset + out.size(), bytes_.size());
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
    ++reads;
    bytes_read += out.size();
    largest_read = std::max(largest_read, out.size());
  }

  uint64_t reads = 0, bytes_read = 0;
  size_t largest_read = 0;

 private:
  std::vector<std::byte> bytes_;
};

class MemoryFiles final : public FileSet {
 public:
  MemoryFile& put(const std::string& name, std::vector<std::byte> bytes) {
    files_[name] = std::make_unique<MemoryFile>(std::move(bytes));
    return *files_[name];
  }
  ByteSource* open(std::string_view name) override {
    const auto found = files_.find(name);
    return found == files_.end() ? nullptr : found->second.get();
  }
  std::vector<std::string> list(std::string_view folder) override {
    const std::string before = folder.empty() ? "" : std::string(folder) + "/";
    std::vector<std::string> names;
    for (auto file = files_.lower_bound(before); file != files_.end(); ++file) {
      const std::string& path = file->first;
      if (path.compare(0, before.size(), before) != 0) break;
      const std::string name = path.substr(before.size(), path.find('/', before.size()) - before.size());
      const bool is_folder = path.size() > before.size() + name.size();
      names.push_back(is_folder ? name + "/" : name);
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  std::map<std::string, std::unique_ptr<MemoryFile>, std::less<>> files_;
};

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Bytes that do not repeat soon, the same in every run.
inline std::vector<std::byte> noise(size_t n, uint32_t seed = 1) {
  std::vector<std::byte> bytes(n);
  for (std::byte& b : bytes) {
    seed = seed * 1664525 + 1013904223;
    b = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

/// A set of files in which the file "w" with the given bytes is open.
struct Fixture {
  explicit Fixture(std::vector<std::byte> bytes = {}) : file(set.put("w", std::move(bytes))), id(files.open("w")) {}

  Constant slice_of(ElementType type, Shape shape, uint64_t offset = 0) {
    const uint64_t size = byte_size(type, element_count(shape));
    return {type, std::move(shape), std::make_shared<SliceContent>(id, offset, size)};
  }
  template <typename T = uint8_t>
  std::vector<T> read(const Constant& constant) {
    return values_of<T>(*read_all(constant, files, UINT64_MAX));
  }

  MemoryFiles set;
  Files files{set};
  MemoryFile& file;
  FileId id;
};

/// Reading any range of elements of that size gives the same bytes as reading from begin to end.
inline void expect_random_access(const Constant& constant, Files& files, size_t element) {
  const auto all = *read_all(constant, files, UINT64_MAX);
  const size_t elements = all.size() / element;
  const auto reader = constant.content->open(files);
  uint32_t random = 7;
  const auto below = [&](size_t end) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % end;
  };
  for (int turn = 0; turn < 200; ++turn) {
    // Most reads are short: many of them cost less than a few long ones.
    const size_t from = below(elements), left = elements - from;
    const size_t n = below((turn % 8 == 0 ? left : std::min<size_t>(left, 1000)) + 1);
    std::vector<std::byte> out(n * element);
    reader->read(from * element, out);
    ASSERT_TRUE(std::equal(out.begin(), out.end(), all.begin() + static_cast<ptrdiff_t>(from * element)))
        << from << " " << n;
  }
  std::vector<std::byte> one(element);
  bool thrown = false;
  try {
    reader->read(all.size(), one);
  } catch (const Error& error) {
    thrown = error.code() == Code::DataOutOfRange;
  }
  EXPECT_TRUE(thrown);
}

}  // namespace mo::test

/// Runs the statement and expects mo::Error with that code, which is then called `error` for further checks.
#define EXPECT_ERROR(expected, check, statement)                                       \
  do {                                                                                 \
    try {                                                                              \
      (void)(statement);                                                               \
      ADD_FAILURE() << "no error from " #statement;                                    \
    } catch (const mo::Error& error) {                                                 \
      EXPECT_EQ(mo::info(error.code()).name, mo::info(expected).name) << error.what(); \
      check;                                                                           \
    }                                                                                  \
  } while (false)

/// Runs the statement and expects mo::Error with that code.
#define EXPECT_CODE(expected, statement) EXPECT_ERROR(expected, (void)0, statement)
