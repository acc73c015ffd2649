// The framework's names of one tensor.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mo {

/// Names in the order in which they were given, each of them once. A tensor that many operations only pass on has the
/// names of all of them: so a long list has an index, and n names are added in linear time.
class NameList {
 public:
  NameList() = default;
  NameList(std::vector<std::string> names);            // NOLINT: a list of names is meant
  NameList(std::initializer_list<std::string> names);  // NOLINT
  NameList(const NameList& other) : names_(other.names_) {}
  NameList(NameList&&) noexcept = default;
  NameList& operator=(NameList other) noexcept {
    std::swap(names_, other.names_);
    std::swap(index_, other.index_);
    return *this;
  }
  ~NameList() = default;

  operator const std::vector<std::string>&() const { return names_; }  // NOLINT
  const std::vector<std::string>& all() const { return names_; }
  auto begin() const { return names_.begin(); }
  auto end() const { return names_.end(); }
  size_t size() const { return names_.size(); }
  bool empty() const { return names_.empty(); }
  const std::string& operator[](size_t index) const { return names_[index]; }
  bool operator==(const NameList& other) const { return names_ == other.names_; }

  bool has(std::string_view name) const;
  /// Adds a name that the list does not have yet.
  void add(std::string name);
  void clear() { *this = NameList(); }

 private:
  /// Places in `names_` by the names' hashes.
  using Index = std::unordered_multimap<size_t, uint32_t>;

  std::vector<std::string> names_;
  std::unique_ptr<Index> index_;  ///< of a long list
};

}  // namespace mo
