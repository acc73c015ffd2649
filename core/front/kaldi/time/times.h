// The frames for which a tensor can be computed: all from one on. Where Round and Switch count frames, that differs by
// the remainder of the frame's number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mo::kaldi {

class Times {
 public:
  static constexpr int64_t kAlways = -(int64_t{1} << 60), kNever = int64_t{1} << 60;

  Times() = default;
  Times(size_t modulus, int64_t from) : from_(modulus, from) {}

  size_t modulus() const { return from_.size(); }
  /// Frames t with t mod modulus = remainder can be computed from this one on.
  int64_t from(size_t remainder) const { return from_[remainder]; }
  bool is_always() const { return *std::max_element(from_.begin(), from_.end()) <= kAlways; }
  bool operator==(const Times&) const = default;

  /// At frame t where this can be computed at t + by.
  Times shifted(int64_t by) const;
  /// At frame t where this can be computed at the last multiple of `multiple` before it.
  Times rounded(size_t multiple) const;
  Times both(const Times& other) const;
  Times either(const Times& other) const;
  /// Of each remainder, the frames of that one of the parts.
  static Times in_turn(const std::vector<Times>& parts);

  /// The first frame for which it can be computed, not before `begin`.
  int64_t first(int64_t begin) const;
  /// The same as numbers of inferences, of which number 0 has frame `begin`, for a tensor that is late by `delay`
  /// inferences: for each remainder of the inference's number, the first one; a single number if that says it all.
  std::vector<int64_t> calls(int64_t begin, int64_t delay) const;

 private:
  static bool is_finite(int64_t from) { return from > kAlways && from < kNever; }
  std::vector<int64_t> from_;
};

/// a mod b, never negative.
inline int64_t remainder(int64_t a, int64_t b) { return ((a % b) + b) % b; }

}  // namespace mo::kaldi
