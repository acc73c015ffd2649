#include "core/cli/archive/archive_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "core/base/text.h"
#include "core/cli/archive/archive_kind.h"
#include "core/cli/archive/bounds.h"
#include "core/cli/archive/gunzip.h"
#include "core/cli/archive/packed_names.h"
#include "core/cli/archive/tar_files.h"

namespace mo {
namespace {

constexpr uint64_t kHead = 64 << 10;

class UnpackedFile final : public ByteSource {
 public:
  UnpackedFile(const Unpacked& unpacked, uint64_t size) : unpacked_(unpacked), size_(size) {}
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override { unpacked_.read(offset, out); }

 private:
  const Unpacked& unpacked_;
  uint64_t size_;
};

std::unique_ptr<DiskFile> opened(os::File file, const std::string& name) {
  const std::optional<os::FileState> state = file.state();
  if (!state) throw Error(Code::HostReadFailed, msg(std::strerror(errno)), {.file = name});
  return std::make_unique<DiskFile>(std::move(file), *state, name);
}

ArchiveKind kind_of(ByteSource& archive) {
  std::vector<std::byte> head(static_cast<size_t>(std::min<uint64_t>(archive.size(), 4096)));
  archive.read(0, head);
  return archive_kind(head);
}

}  // namespace

/// A file that is not compressed.
class ArchiveFiles::PlacedFile final : public ByteSource {
 public:
  PlacedFile(ByteSource& archive, uint64_t place, uint64_t size) : archive_(archive), place_(place), size_(size) {}
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override { archive_.read(place_ + offset, out); }

 private:
  ByteSource& archive_;
  uint64_t place_, size_;
};

/// A file that is compressed. Its beginning can be looked at once; who wants more gets all of it unpacked.
class ArchiveFiles::PackedFile final : public ByteSource {
 public:
  PackedFile(ArchiveFiles& files, const PackedEntry& entry, std::string path)
      : files_(files), entry_(entry), path_(std::move(path)) {}

  uint64_t size() const override { return entry_.size; }
  void read(uint64_t offset, std::span<std::byte> out) override {
    if (!place_ && offset + out.size() <= kHead && looks_at_head()) {
      std::copy_n(files_.head_.data() + offset, out.size(), out.data());
      return;
    }
    if (!place_) unpack();
    files_.unpacked_.read(*place_ + offset, out);
  }

 private:
  bool looks_at_head() {
    if (files_.head_of_ == this) return true;
    if (has_looked_) return false;
    has_looked_ = true;
    files_.head_of_ = nullptr;
    files_.head_.clear();
    files_.zip_->unpack(entry_, path_, kHead, [&](std::span<const std::byte> piece) {
      files_.head_.insert(files_.head_.end(), piece.begin(), piece.end());
    });
    files_.head_of_ = this;
    return true;
  }

  void unpack() {
    Unpacked& unpacked = files_.unpacked_;
    const uint64_t place = unpacked.end();
    files_.zip_->unpack(entry_, path_, entry_.size, [&](std::span<const std::byte> piece) { unpacked.append(piece); });
    place_ = place;
  }

  ArchiveFiles& files_;
  const PackedEntry& entry_;
  std::string path_;
  std::optional<uint64_t> place_;
  bool has_looked_ = false;
};

ArchiveFiles::ArchiveFiles(os::File archive, std::string name)
    : name_(std::move(name)), archive_(opened(std::move(archive), name_)) {
  Gathering gathering(name_);
  const ArchiveKind kind = kind_of(*archive_);
  if (kind == ArchiveKind::Zip || kind == ArchiveKind::Program) {
    zip_ = std::make_unique<ZipFiles>(*archive_, name_);
    zip_->gather(gathering);
  } else {
    if (kind == ArchiveKind::PackedTar) {
      gunzip(*archive_, name_, [&](std::span<const std::byte> piece) { unpacked_.append(piece); });
      unpacked_archive_ = std::make_unique<UnpackedFile>(unpacked_, unpacked_.end());
    }
    gather_tar(tar(), gathering);
  }
  entries_ = gathering.finish();
  left_out_ = gathering.left_out();
}

ArchiveFiles::~ArchiveFiles() = default;

bool ArchiveFiles::has_packed() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& file) { return file.second.is_packed; });
}

ByteSource* ArchiveFiles::open(std::string_view name) {
  const std::optional<std::string> path = inside_path(name);
  if (!path) return nullptr;
  if (const auto found = files_.find(*path); found != files_.end()) return found->second.get();
  const auto found = entries_.find(*path);
  if (found == entries_.end()) return nullptr;
  const PackedEntry& entry = found->second;
  const std::string shown = cat(name_, "/", *path);
  if (!entry.refusal.empty()) throw archive_error(entry.refusal, shown);
  std::unique_ptr<ByteSource> file;
  if (entry.is_packed)
    file = std::make_unique<PackedFile>(*this, entry, shown);
  else
    file = std::make_unique<PlacedFile>(zip_ ? *archive_ : tar(), zip_ ? zip_->place_of(entry, shown) : entry.place,
                                        entry.size);
  return files_.emplace(*path, std::move(file)).first->second.get();
}

std::vector<std::string> ArchiveFiles::list(std::string_view folder) {
  const std::optional<std::string> path = inside_path(folder);
  if (!path && !folder.empty()) return {};
  const std::string prefix = path ? *path + "/" : "";
  std::vector<std::string> names;
  for (auto at = entries_.lower_bound(prefix); at != entries_.end() && at->first.starts_with(prefix);) {
    const size_t slash = at->first.find('/', prefix.size());
    if (slash == std::string::npos) {
      if (at->second.refusal.empty()) names.push_back(at->first.substr(prefix.size()));
      ++at;
    } else {
      names.push_back(at->first.substr(prefix.size(), slash + 1 - prefix.size()));
      at = entries_.lower_bound(at->first.substr(0, slash) + '0');  // behind all that begins with "…/"
    }
  }
  return names;
}

}  // namespace mo
