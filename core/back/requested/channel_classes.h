// Classes of channels that can only be removed together.
#pragma once

#include <vector>

namespace mo {

/// A forest of classes. A class that is needed makes all that it is united with needed.
class ChannelClasses {
 public:
  size_t size() const { return up_.size(); }
  /// The numbers of `count` new classes.
  std::vector<int> add(size_t count, bool needed = false) {
    std::vector<int> made(count);
    for (int& c : made) {
      c = static_cast<int>(up_.size());
      up_.push_back(c);
      needed_.push_back(needed);
    }
    return made;
  }
  void unite(int a, int b) {
    const size_t to = root(a), from = root(b);
    needed_[to] = needed_[to] || needed_[from];
    up_[from] = static_cast<int>(to);
  }
  void need(int c) { needed_[root(c)] = true; }
  bool needs(int c) const { return needed_[root(c)]; }

 private:
  size_t root(int c) const {
    while (up_[static_cast<size_t>(c)] != c) {
      int& up = up_[static_cast<size_t>(c)];
      c = up = up_[static_cast<size_t>(up)];
    }
    return static_cast<size_t>(c);
  }

  mutable std::vector<int> up_;  ///< a class that it is united with; itself for a root
  std::vector<bool> needed_;     ///< that of the root counts
};

}  // namespace mo
