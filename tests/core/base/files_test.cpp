// Paths in a model are checked, folders listed and texts read in one place; each with its limits.
#include "core/base/files.h"

#include "tests/core/support/memory_files.h"

namespace mo::test {
namespace {

using Paths = std::vector<std::string>;

struct Listed {
  explicit Listed(const Paths& paths) {
    for (const std::string& path : paths) set.put(path, {});
  }
  MemoryFiles set;
  Files files{set};
};

TEST(Files, ListsAFolderWithWhatLiesBelowSortedAndWithoutHiddenOnes) {
  Listed f({"m/saved_model.pb", "m/variables/b.index", "m/variables/a.data", "m/.git/config", "m/.hidden", "m-2/x",
            "other"});
  EXPECT_EQ(f.files.list("m"), (Paths{"m/saved_model.pb", "m/variables/a.data", "m/variables/b.index"}));
  EXPECT_EQ(f.files.list("m/variables"), (Paths{"m/variables/a.data", "m/variables/b.index"}));
  EXPECT_EQ(f.files.list(""),
            (Paths{"m-2/x", "m/saved_model.pb", "m/variables/a.data", "m/variables/b.index", "other"}));
  for (const std::string& path : f.files.list("m")) EXPECT_NO_THROW(f.files.open(path));
}

TEST(Files, ListsNothingOfWhatIsNoFolder) {
  Listed f({"m/x", "other"});
  for (const char* name : {"other", "none", "m/x", "m/none"}) {
    EXPECT_EQ(f.files.list(name), Paths{}) << name;
    EXPECT_FALSE(f.files.is_folder(name)) << name;
  }
  EXPECT_TRUE(f.files.is_folder("m"));
}

TEST(Files, ListsEightFoldersDeep) {
  Listed f({"m/1/2/3/4/5/6/7/8/x", "m/1/2/3/4/5/6/7/8/9/x"});
  EXPECT_EQ(f.files.list("m"), (Paths{"m/1/2/3/4/5/6/7/8/x"}));
}

TEST(Files, RefusesAFolderWithTooManyEntries) {
  Listed f({});
  for (int i = 0; i < 10'000; ++i) f.set.put("m/" + std::to_string(i), {});
  EXPECT_EQ(f.files.list("m").size(), 10'000u);
  f.set.put("m/one more", {});
  EXPECT_CODE(Code::HostReadFailed, f.files.list("m"));
}

TEST(Files, RefusesPathsThatLeaveTheModelsFolder) {
  Listed f({"w", "sub/w", "sub/..w", "/etc/w", "../w"});
  for (const char* path : {"w", "sub/w", "sub/..w"}) EXPECT_NO_THROW(f.files.open(path)) << path;
  EXPECT_CODE(Code::MissingDataFile, f.files.open("none"));
  for (const char* path : {"", "/etc/w", "\\etc\\w", "../w", "sub/../../w", "sub\\..\\..\\w", "C:w", ".."})
    EXPECT_CODE(Code::DataPathRefused, f.files.open(path));
  EXPECT_CODE(Code::DataPathRefused, f.files.open(std::string("w\0x", 3)));
}

TEST(Files, OpensWhatTheUserNamesWhereverItLies) {
  Listed f({"/etc/w"});
  EXPECT_EQ(f.files.name(f.files.open_given("/etc/w")), "/etc/w");
  // A file that is open already is still refused to the model.
  EXPECT_CODE(Code::DataPathRefused, f.files.open("/etc/w"));
}

TEST(Files, ReadsTextsWithinBounds) {
  MemoryFiles set;
  set.put("/config.json", bytes_of(std::vector<char>{'[', ']'}));
  set.put("/empty", {});
  set.put("/large", std::vector<std::byte>((16 << 20) + 1));
  Files files(set);
  EXPECT_EQ(files.read_text("/config.json"), "[]");
  EXPECT_EQ(files.read_text("/empty"), "");
  EXPECT_CODE(Code::HostReadFailed, files.read_text("/large"));
  EXPECT_CODE(Code::HostReadFailed, files.read_text("/none"));
}

/// Two files of 40,000 bytes that differ, read in pieces as a model's weights are.
struct TwoFiles {
  static std::vector<std::byte> numbered(unsigned step) {
    std::vector<std::byte> bytes(40'000);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * step >> 4);
    return bytes;
  }
  /// Reads a range and compares it.
  void expect_read(FileId id, uint64_t offset, size_t size) {
    std::vector<std::byte> out(size);
    files.read(id, offset, out);
    const auto begin = contents[id].begin() + static_cast<ptrdiff_t>(offset);
    EXPECT_TRUE(std::equal(out.begin(), out.end(), begin)) << size << " bytes at " << offset;
  }
  std::vector<std::byte> contents[2] = {numbered(7), numbered(13)};
  MemoryFiles set;
  MemoryFile &first = set.put("a", contents[0]), &second = set.put("b", contents[1]);
  Files files{set};
  FileId a = files.open("a"), b = files.open("b");
};

TEST(Files, SmallReadsThatFollowOneAnotherAreFewReadsOfTheHost) {
  TwoFiles f;
  for (uint64_t offset = 0; offset < 40'000; offset += 100) f.expect_read(f.a, offset, 100);
  EXPECT_LE(f.first.reads, 20u);
  for (uint64_t offset = 0; offset < 40'000; offset += 100) {
    f.expect_read(f.a, offset, 1);
    f.expect_read(f.b, offset, 100);
  }
}

TEST(Files, SmallReadsFarFromOneAnotherReadNothingElse) {
  TwoFiles f;
  for (const uint64_t offset : {39'900, 100, 20'000}) f.expect_read(f.a, offset, 100);
  EXPECT_EQ(f.first.bytes_read, 300u);
  f.expect_read(f.a, 20'050, 2'000);
  EXPECT_EQ(f.first.bytes_read, 2'300u);
  f.expect_read(f.a, 40'000, 0);
  EXPECT_EQ(f.first.reads, 4u);
}

TEST(Files, SmallReadsGoBackAndUpToTheEnd) {
  TwoFiles f;
  for (uint64_t offset = 30'000; offset < 39'000; offset += 500) f.expect_read(f.a, offset, 1);
  for (const uint64_t offset : {39'000, 39'500, 39'999, 39'990, 38'999, 25'000, 24'999, 39'999})
    f.expect_read(f.a, offset, 1);
  EXPECT_CODE(Code::DataOutOfRange, f.expect_read(f.a, 39'999, 2));
}

}  // namespace
}  // namespace mo::test
