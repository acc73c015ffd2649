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

  T* begin() { return outside_ ? outside_->first : inside_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return const_cast<SmallList*>(this)->begin(); }
  const T* end() const { return begin() + size_; }
  T& operator[](size_t index) { return begin()[index]; }
  const T& operator[](size_t index) const { return begin()[index]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void push_back(T element) {
    if (size_ == room()) reserve(2 * std::max<size_t>(size_, kInside));
    begin()[size_++] = element;
  }
  /// New elements are T().
  void resize(size_t size) {
    if (size > room()) reserve(std::max(size, 2 * static_cast<size_t>(size_)));
    if (size > size_) std::fill(begin() + size_, begin() + size, T());
    size_ = static_cast<uint32_t>(size);
  }
  /// Removes the element, which must be in the list. It is searched from both ends, and the shorter part of the list
  /// moves: so a long list is emptied in linear time from either end.
  void erase(const T& element) {
    T *front = begin(), *back = end() - 1;
    while (!(*front == element) && !(*back == element)) ++front, --back;
    if (*front == element && outside_) {
      std::copy_backward(begin(), front, front + 1);
      ++outside_->first;
    } else {
      T* at = *front == element ? front : back;
      std::copy(at + 1, end(), at);
    }
    if (--size_ == 0 && outside_) outside_->first = outside_->elements.get();
  }

 private:
  struct Outside {
    std::unique_ptr<T[]> elements;
    T* first;  ///< of the list
  };

  /// How many elements fit from the first one on.
  size_t room() const {
    return outside_ ? capacity_ - static_cast<size_t>(outside_->first - outside_->elements.get()) : kInside;
  }
  void reserve(size_t capacity) {
    auto larger = std::make_unique<T[]>(capacity);
    std::copy(begin(), end(), larger.get());
    T* first = larger.get();
    outside_ = std::make_unique<Outside>(Outside{std::move(larger), first});
    capacity_ = static_cast<uint32_t>(capacity);
  }

  std::unique_ptr<Outside> outside_;  ///< all elements, if not all fit inside
  uint32_t size_ = 0, capacity_ = kInside;
  std::array<T, kInside> inside_;
};

}  // namespace mo
