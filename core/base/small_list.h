// A list whose first elements lie in the list itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace mo {

/// Most lists of a large graph have one or two elements: a pass over the graph then reads no other place in memory for
/// them. Element types are handles: small, and copied as bytes.
template <typename T, uint32_t kInside>
class SmallList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallList() = default;
  SmallList(SmallList&& other) noexcept { *this = std::move(other); }

  SmallList& operator=(SmallList&& other) noexcept {
    std::swap(outside_, other.outside_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(inside_, other.inside_);
    return *this;
  }

  T* begin() { return outside_ ? outside_.get() : inside_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return const_cast<SmallList*>(this)->begin(); }
  const T* end() const { return begin() + size_; }
  T& operator[](size_t index) { return begin()[index]; }
  const T& operator[](size_t index) const { return begin()[index]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void push_back(T element) {
    if (size_ == capacity_) reserve(2 * std::max<size_t>(size_, kInside));
    begin()[size_++] = element;
  }
  /// New elements are T().
  void resize(size_t size) {
    if (size > capacity_) reserve(std::max(size, 2 * static_cast<size_t>(size_)));
    if (size > size_) std::fill(begin() + size_, begin() + size, T());
    size_ = static_cast<uint32_t>(size);
  }

 private:
  void reserve(size_t capacity) {
    auto larger = std::make_unique<T[]>(capacity);
    std::copy(begin(), end(), larger.get());
    outside_ = std::move(larger);
    capacity_ = static_cast<uint32_t>(capacity);
  }

  std::unique_ptr<T[]> outside_;  ///< all elements, if not all fit inside
  uint32_t size_ = 0, capacity_ = kInside;
  std::array<T, kInside> inside_;
};

}  // namespace mo
