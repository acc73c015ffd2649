#include "core/base/window.h"

#include <gtest/gtest.h>

#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

constexpr size_t kPage = Window::kPageBytes;

TEST(Window, GivesTheFilesBytesAlsoAcrossPages) {
  const auto bytes = test::noise(3 * kPage + 100);
  test::Fixture f(bytes);
  Window window(f.files, f.id);
  EXPECT_EQ(window.size(), bytes.size());
  for (const uint64_t at : {uint64_t{0}, uint64_t{kPage - 3}, uint64_t{2 * kPage - 1}, uint64_t{3 * kPage + 90}}) {
    const auto view = window.view(at, 10);
    EXPECT_TRUE(std::equal(view.begin(), view.end(), bytes.begin() + static_cast<ptrdiff_t>(at))) << at;
  }
  const auto whole = window.view(kPage / 2, Window::kMaxView);
  EXPECT_TRUE(std::equal(whole.begin(), whole.end(), bytes.begin() + kPage / 2));
  for (uint64_t at = kPage - 20; at < kPage + 20; ++at) ASSERT_EQ(window.byte(at), static_cast<uint8_t>(bytes[at]));
}

TEST(Window, ReadsAPageOnceAndNothingItIsNotAskedFor) {
  test::Fixture f(test::noise(100 * kPage + 10));
  Window window(f.files, f.id);
  for (uint64_t at = 0; at < 1000; ++at) window.byte(at);
  EXPECT_EQ(f.file.reads, 1u);
  EXPECT_EQ(f.file.bytes_read, kPage);
  window.view(100 * kPage + 3, 2);  // the rest of the file, not a page
  EXPECT_EQ(f.file.reads, 2u);
  EXPECT_EQ(f.file.bytes_read, kPage + 10);
  window.byte(5);
  EXPECT_EQ(f.file.reads, 2u);
}

TEST(Window, ForgetsThePageUsedLongestAgo) {
  const auto bytes = test::noise(20 * kPage);
  test::Fixture f(bytes);
  Window window(f.files, f.id);
  for (uint64_t page = 0; page < Window::kPages; ++page) window.byte(page * kPage);
  window.byte(0);
  window.byte(10 * kPage);  // replaces page 1
  EXPECT_EQ(f.file.reads, Window::kPages + 1);
  EXPECT_EQ(window.byte(1), static_cast<uint8_t>(bytes[1]));
  EXPECT_EQ(f.file.reads, Window::kPages + 1);
  EXPECT_EQ(window.byte(kPage + 1), static_cast<uint8_t>(bytes[kPage + 1]));
  EXPECT_EQ(f.file.reads, Window::kPages + 2);
}

TEST(Window, PastTheEndIsTruncated) {
  test::Fixture f(test::noise(100));
  Window window(f.files, f.id);
  EXPECT_EQ(window.view(100, 0).size(), 0u);
  EXPECT_CODE(Code::TruncatedFile, window.view(99, 2));
  EXPECT_CODE(Code::TruncatedFile, window.byte(100));
  EXPECT_CODE(Code::TruncatedFile, window.view(UINT64_MAX, 1));
  try {
    window.byte(100);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "w");
    EXPECT_EQ(error.place().offset, 100);
  }
}

TEST(Window, AViewIsNoLargerThanAPage) {
  test::Fixture f(test::noise(2 * kPage));
  Window window(f.files, f.id);
  EXPECT_EQ(window.view(1, Window::kMaxView).size(), kPage);
  EXPECT_CODE(Code::Unexpected, window.view(0, Window::kMaxView + 1));
}

TEST(Window, AnEmptyFileHasNoByte) {
  test::Fixture f;
  Window window(f.files, f.id);
  EXPECT_EQ(window.size(), 0u);
  EXPECT_CODE(Code::TruncatedFile, window.byte(0));
}

}  // namespace
}  // namespace mo
