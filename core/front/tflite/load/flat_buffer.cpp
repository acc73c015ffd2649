#include "core/front/tflite/load/flat_buffer.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace mo::tflite {
namespace {

constexpr uint64_t kTimesTheFile = 16, kSpareBytes = 1 << 20, kLongestText = 1 << 16;

uint64_t little_endian(Window& window, uint64_t at, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, window.view(at, bytes).data(), bytes);  // all hosts are little-endian
  return value;
}

int64_t with_sign(uint64_t value, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<int64_t>(value << unused) >> unused;
}

}  // namespace

FlatFile::FlatFile(Files& files, FileId file)
    : window_(files, file), left_(std::min(window_.size(), UINT64_MAX / 32) * kTimesTheFile + kSpareBytes) {}

FlatTable FlatFile::root() { return {*this, little_endian(window_, 0, 4)}; }

void FlatFile::spend(uint64_t bytes) {
  if (bytes > left_) corrupt(0, "its parts overlap");
  left_ -= bytes;
}

void FlatFile::corrupt(uint64_t offset, const Detail& what) const {
  throw Error(Code::CorruptFile, what, window_.place(offset));
}

FlatTable::FlatTable(FlatFile& file, uint64_t offset) : file_(&file), offset_(offset) {
  const int64_t back = with_sign(number(offset, 4), 4), at = static_cast<int64_t>(offset) - back;
  if (at < 0 || at > static_cast<int64_t>(file.window().size())) file.corrupt(offset, "a vtable outside the file");
  vtable_ = static_cast<uint64_t>(at);
  vtable_bytes_ = static_cast<uint16_t>(number(vtable_, 2));
  bytes_ = static_cast<uint16_t>(number(vtable_ + 2, 2));
  if (vtable_bytes_ < 4 || vtable_bytes_ % 2 != 0 || bytes_ < 4) file.corrupt(vtable_, "a vtable of a wrong size");
  if (vtable_ + vtable_bytes_ > file.window().size()) file.corrupt(vtable_, "a vtable that passes the end of the file");
  if (offset + bytes_ > file.window().size()) file.corrupt(offset, "a table that passes the end of the file");
  file.spend(4);
}

/// Where a field is, 0 if it is absent.
uint64_t FlatTable::place(int field, uint64_t bytes) const {
  const uint64_t slot = 4 + 2 * static_cast<uint64_t>(field);
  if (!file_ || slot + 2 > vtable_bytes_) return 0;
  const uint64_t inside = number(vtable_ + slot, 2);
  if (inside == 0) return 0;
  if (inside < 4 || inside + bytes > bytes_) file_->corrupt(vtable_ + slot, "a field outside its table");
  return offset_ + inside;
}

uint64_t FlatTable::number(uint64_t at, unsigned bytes) const { return little_endian(file_->window(), at, bytes); }

/// What the offset at that place points at.
uint64_t FlatTable::follow(uint64_t at) const {
  const uint64_t distance = number(at, 4);
  if (distance == 0) file_->corrupt(at, "an offset that points at itself");
  return at + distance;
}

FlatTable FlatTable::table(int field) const {
  const uint64_t at = place(field, 4);
  return at == 0 ? FlatTable() : FlatTable(*file_, follow(at));
}

FlatVector FlatTable::vector(int field, uint64_t element_bytes) const {
  const uint64_t at = place(field, 4);
  if (at == 0) return {};
  const uint64_t begin = follow(at), count = number(begin, 4);
  if (count * element_bytes > file_->window().size() - begin - 4)
    file_->corrupt(begin, "a list that passes the end of the file");
  return {begin + 4, count};
}

FlatTable FlatTable::element(const FlatVector& vector, uint64_t i) const {
  return {*file_, follow(vector.offset + 4 * i)};
}

std::string FlatTable::text(int field) const {
  const FlatVector bytes = vector(field, 1);
  if (bytes.count == 0) return {};  // also of an absent table, which has no file
  if (bytes.count > kLongestText) file_->corrupt(bytes.offset, "a text of more than 64 KB");
  file_->spend(bytes.count);
  std::string out(static_cast<size_t>(bytes.count), '\0');
  std::memcpy(out.data(), file_->window().view(bytes.offset, out.size()).data(), out.size());
  return out;
}

std::vector<int64_t> FlatTable::ints(int field, unsigned bytes) const {
  const FlatVector all = vector(field, bytes);
  if (all.count == 0) return {};
  file_->spend(all.count * bytes);
  std::vector<int64_t> out;
  for (uint64_t i = 0; i < all.count; ++i) out.push_back(with_sign(number(all.offset + i * bytes, bytes), bytes));
  return out;
}

std::vector<double> FlatTable::floats(int field) const {
  std::vector<double> out;
  for (const int64_t bits : ints(field, 4)) out.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return out;
}

}  // namespace mo::tflite
