// A list that shares most of itself with the lists from which it was made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/graph/port.h"

namespace mo::onnx {

/// The inputs that elements of a sequence are connected to. To add or remove one takes a time that grows with the
/// logarithm of their number, and leaves the old list as it is. A tree that is balanced by random priorities.
class ElementTree {
 public:
  size_t size() const { return root_ ? root_->size : 0; }
  InPort at(size_t position) const;
  ElementTree with(size_t position, InPort element) const;
  ElementTree without(size_t position) const;
  std::vector<InPort> elements() const;

 private:
  struct Branch;
  using Link = std::shared_ptr<const Branch>;
  struct Branch {
    InPort element;
    uint64_t priority;  ///< not smaller than those below
    Link left, right;
    size_t size;
  };
  explicit ElementTree(Link root) : root_(std::move(root)) {}

  static size_t size_of(const Link& link) { return link ? link->size : 0; }
  static Link made(const Branch& from, Link left, Link right);
  static Link joined(const Link& left, const Link& right);
  static std::pair<Link, Link> split(const Link& link, size_t position);
  static Link inserted(const Link& link, size_t position, const Branch& added);
  static Link erased(const Link& link, size_t position);

  Link root_;

 public:
  ElementTree() = default;
};

}  // namespace mo::onnx
