// A list of handles from which any element is removed quickly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace mo {

/// Keeps the order. Most lists have one element, which lies in the list itself. A removed element of a longer list
/// leaves a gap, T(), until the list is read: elements move once for many removals. `hash_of(T)` is found by T's
/// namespace; equal hashes cost time only.
template <typename T>
class HandleList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* begin() { return outside_ ? whole() : &inside_; }
  T* end() { return begin() + size_; }
  const T* begin() const { return const_cast<HandleList*>(this)->begin(); }
  const T* end() const { return begin() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void push_back(T element) {
    if (outside_ ? outside_->first + outside_->span == outside_->capacity : size_ == 1) make_room();
    if (outside_) {
      if (outside_->places) outside_->places->emplace(hash_of(element), outside_->first + outside_->span);
      outside_->at(outside_->span++) = element;
    } else {
      inside_ = element;
    }
    ++size_;
  }

  /// Removes the element, which must be in the list. It is searched from both ends, and from the last removed one in
  /// both directions: so a list is emptied in linear time from either end, and with elements that stay between. After
  /// as many steps as there are elements, an index of a long list says where they are.
  void erase(const T& element) {
    --size_;
    if (!outside_) return;
    Outside& o = *outside_;
    const uint32_t at = place_of(element);
    o.at(at) = T();
    o.last = at;
    while (o.span > 0 && o.at(o.span - 1) == T()) --o.span;
    while (o.span > 0 && o.at(0) == T()) ++o.first, --o.span, o.last -= o.last > 0;
    if (o.span == 0) o.first = 0;
    if (o.span > 2 * size_ + 16) whole();
  }

 private:
  static constexpr uint32_t kLong = 64;

  struct Outside {
    std::unique_ptr<T[]> elements;
    uint32_t capacity = 0, first = 0, span = 0;  ///< the first element, and how many places the list takes from there
    uint32_t last = 0;                           ///< where an element was removed, counted from the first
    uint32_t steps = 0;                          ///< of searches since the elements moved
    /// Hashes and places in `elements`, those of gaps, too.
    std::unique_ptr<std::unordered_multimap<size_t, uint32_t>> places;
    T& at(uint32_t place) { return elements[first + place]; }
  };

  uint32_t place_of(const T& element) {
    Outside& o = *outside_;
    if (o.places) return indexed_place_of(element);
    uint32_t front = 0, back = o.span - 1, before = std::min(o.last, back), behind = before;
    while (true) {
      if (o.at(front) == element) return front;
      if (o.at(back) == element) return back;
      if (o.at(before) == element) return before;
      if (o.at(behind) == element) return behind;
      ++front, --back;
      before -= before > 0;
      behind += behind + 1 < o.span;
      if (o.span > kLong && ++o.steps > o.span) return indexed_place_of(element);
    }
  }

  uint32_t indexed_place_of(const T& element) {
    Outside& o = *outside_;
    if (!o.places) {
      o.places = std::make_unique<std::unordered_multimap<size_t, uint32_t>>(o.span);
      for (uint32_t at = 0; at < o.span; ++at)
        if (!(o.at(at) == T())) o.places->emplace(hash_of(o.at(at)), o.first + at);
    }
    auto [at, end] = o.places->equal_range(hash_of(element));
    while (!(o.elements[at->second] == element)) ++at;
    return at->second - o.first;
  }

  /// The first element, without gaps behind it.
  T* whole() {
    Outside& o = *outside_;
    T* first = o.elements.get() + o.first;
    if (o.span == size_) return first;
    T* to = first;
    o.places.reset();
    o.steps = 0;
    const uint32_t span = std::exchange(o.span, size_), last = std::exchange(o.last, size_);
    for (uint32_t at = 0; at < span; ++at) {
      if (at == last) o.last = static_cast<uint32_t>(to - first);
      if (!(first[at] == T())) *to++ = first[at];
    }
    return first;
  }

  void make_room() {
    const T* from = begin();
    Outside larger;
    larger.capacity = std::max<uint32_t>(2 * size_, 4);
    larger.elements = std::make_unique<T[]>(larger.capacity);
    larger.span = size_;
    std::copy(from, from + size_, larger.elements.get());
    if (outside_) larger.last = outside_->last;
    outside_ = std::make_unique<Outside>(std::move(larger));
  }

  std::unique_ptr<Outside> outside_;  ///< all elements, if there were ever more than one
  uint32_t size_ = 0;
  T inside_;
};

}  // namespace mo
