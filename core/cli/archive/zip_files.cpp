#include "core/cli/archive/zip_files.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/text.h"
#include "core/cli/archive/bounds.h"
#include "core/cli/archive/zip_names.h"

namespace mo {
namespace {

/// A directory of 100,000 files with long names is smaller.
constexpr uint64_t kLargestDirectory = 64 << 20;
constexpr size_t kUnpackedPiece = 64 << 10;
/// The bytes before a file's name.
constexpr uint64_t kLocalHeader = 30;

constexpr char kNoZip[] = "it is no zip archive, or it is cut off";
constexpr char kDamagedDirectory[] = "its directory is damaged";
constexpr char kElsewhere[] = "it is not where the directory says";
constexpr char kOverlaps[] = "it lies in the same place as another file";
constexpr char kOtherSize[] = "its size is not what the archive says";
constexpr char kOtherBytes[] = "its bytes are not those that were packed: the checksum differs";
constexpr char kDamaged[] = "its compressed bytes are damaged";

/// Which ranges lie in the same place as another one: a way to pack petabytes.
std::vector<bool> overlapping_ranges(const std::vector<ZipFiles::Range>& ranges) {
  std::vector<uint32_t> order(ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return ranges[a].begin < ranges[b].begin; });
  std::vector<bool> overlap(ranges.size());
  for (size_t i = 1, widest = 0; i < order.size(); ++i) {
    const uint32_t one = order[i], other = order[widest];
    if (ranges[one].begin < ranges[other].end) overlap[one] = overlap[other] = true;
    if (ranges[one].end > ranges[other].end) widest = i;
  }
  return overlap;
}

}  // namespace

void ZipFiles::Closer::operator()(void* zip) const { unzClose(zip); }

/// A file of the archive that is being read.
class ZipFiles::OpenedEntry {
 public:
  OpenedEntry(ZipFiles& zip, const PackedEntry& entry, const std::string& path, bool raw) : zip_(zip), path_(path) {
    const unz64_file_pos place{entry.place, entry.number};
    zip.check(unzGoToFilePos64(zip.zip_.get(), &place), path, kDamagedDirectory);
    int method = 0, level = 0;
    zip.check(unzOpenCurrentFile2(zip.zip_.get(), &method, &level, raw), path, kElsewhere);
    start_ = unzGetCurrentFileZStreamPos64(zip.zip_.get());
    if (start_ > zip.archive_.size() || entry.packed > zip.archive_.size() - start_)
      throw archive_error("the archive is cut off", path);
  }
  ~OpenedEntry() { unzCloseCurrentFile(zip_.zip_.get()); }
  OpenedEntry(const OpenedEntry&) = delete;
  OpenedEntry& operator=(const OpenedEntry&) = delete;

  uint64_t start() const { return start_; }
  /// How many bytes were read; 0 at the end.
  size_t read(std::span<std::byte> out) {
    const int got = unzReadCurrentFile(zip_.zip_.get(), out.data(), static_cast<unsigned>(out.size()));
    zip_.check(std::min(got, 0), path_, kDamaged);
    return static_cast<size_t>(got);
  }
  /// Checks the checksum if everything was read.
  void finish() { zip_.check(unzCloseCurrentFile(zip_.zip_.get()), path_, kOtherBytes); }

 private:
  ZipFiles& zip_;
  const std::string& path_;
  uint64_t start_ = 0;
};

ZipFiles::ZipFiles(ByteSource& archive, std::string name)
    : archive_(archive), name_(std::move(name)), stream_(archive) {
  zlib_filefunc64_def functions = stream_.functions();
  zip_.reset(unzOpen2_64("", &functions));
  check(zip_ ? UNZ_OK : UNZ_BADZIPFILE, name_, kNoZip);
}

/// Throws unless the result of minizip is good. Errors of the file itself come first.
void ZipFiles::check(int result, const std::string& path, const Detail& reason) {
  stream_.rethrow();
  if (result != UNZ_OK) throw archive_error(reason, path);
}

void ZipFiles::gather(Gathering& gathering) {
  unz_global_info64 info{};
  check(unzGetGlobalInfo64(zip_.get(), &info), name_, kNoZip);
  if (info.number_entry == 0) return;
  check(unzGoToFirstFile(zip_.get()), name_, kDamagedDirectory);
  const uint64_t first = unzGetOffset64(zip_.get());
  for (uint64_t count = 1;; ++count) {
    const uint64_t size = unzGetOffset64(zip_.get()) - first;
    if (size > kLargestDirectory) throw archive_error("its directory is larger than 64 MB", name_);
    add_entry(gathering);
    // minizip does not believe in 65,535 entries, which once meant more of them.
    if (count == info.number_entry) break;
    check(unzGoToNextFile(zip_.get()), name_, kDamagedDirectory);
  }
  const std::vector<bool> overlapping = overlapping_ranges(std::exchange(ranges_, {}));
  gathering.refuse([&](const PackedEntry& entry) { return overlapping[entry.number]; }, kOverlaps);
}

/// The entry of the directory at which minizip is.
void ZipFiles::add_entry(Gathering& gathering) {
  unz_file_info64 info{};
  unz64_file_pos place{};
  check(unzGetFilePos64(zip_.get(), &place), name_, kDamagedDirectory);
  check(unzGetCurrentFileInfo64(zip_.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0), name_, kDamagedDirectory);
  const uint64_t at = stream_.last_jump();
  std::string name(info.size_filename, '\0'), extra(info.size_file_extra, '\0');
  check(unzGetCurrentFileInfo64(zip_.get(), &info, name.data(), info.size_filename, extra.data(), info.size_file_extra,
                                nullptr, 0),
        name_, kDamagedDirectory);
  std::string record(kZipRecord, '\0');
  archive_.read(at, std::as_writable_bytes(std::span(record)));
  const uint64_t begin = place_of_zip_entry(record, extra);
  ranges_.push_back({begin, begin + kLocalHeader + name.size() + info.compressed_size});
  const std::string path = path_of_zip_entry(info, name, extra);
  if (is_zip_folder(info, path)) return;
  gathering.add(path, {.refusal = refusal_of_zip_entry(info),
                       .size = info.uncompressed_size,
                       .packed = info.compressed_size,
                       .place = place.pos_in_zip_directory,
                       .number = place.num_of_file,
                       .is_packed = info.compression_method != kStored});
}

uint64_t ZipFiles::place_of(const PackedEntry& entry, const std::string& path) {
  return OpenedEntry(*this, entry, path, true).start();
}

void ZipFiles::unpack(const PackedEntry& entry, const std::string& path, uint64_t most, const Sink& sink) {
  if (is_too_much(entry.size, entry.packed)) throw too_much(path);
  OpenedEntry file(*this, entry, path, false);
  std::vector<std::byte> piece(static_cast<size_t>(std::min<uint64_t>(kUnpackedPiece, entry.size)));
  const uint64_t size = std::min(most, entry.size);
  for (uint64_t done = 0; done < size;) {
    const auto room = std::span(piece).first(static_cast<size_t>(std::min<uint64_t>(piece.size(), size - done)));
    const size_t got = file.read(room);
    if (got == 0) throw archive_error(kOtherSize, path);
    sink(room.first(got));
    done += got;
  }
  if (size == entry.size) file.finish();
}

}  // namespace mo
