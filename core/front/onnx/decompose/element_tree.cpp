#include "core/front/onnx/decompose/element_tree.h"

#include "core/graph/node.h"

namespace mo::onnx {
namespace {

/// The same for an input on every host.
uint64_t priority_of(InPort element) {
  uint64_t x = (static_cast<uint64_t>(element.node().id()) << 32 | static_cast<uint32_t>(element.index())) + 1;
  for (const uint64_t factor : {0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu}) x = (x ^ x >> 30) * factor;
  return x ^ x >> 31;
}

}  // namespace

ElementTree::Link ElementTree::made(const Branch& from, Link left, Link right) {
  const size_t size = size_of(left) + size_of(right) + 1;
  return std::make_shared<const Branch>(Branch{from.element, from.priority, std::move(left), std::move(right), size});
}

ElementTree::Link ElementTree::joined(const Link& left, const Link& right) {
  if (!left || !right) return left ? left : right;
  if (left->priority >= right->priority) return made(*left, left->left, joined(left->right, right));
  return made(*right, joined(left, right->left), right->right);
}

std::pair<ElementTree::Link, ElementTree::Link> ElementTree::split(const Link& link, size_t position) {
  if (!link) return {};
  const size_t before = size_of(link->left);
  if (position <= before) {
    auto [left, right] = split(link->left, position);
    return {std::move(left), made(*link, std::move(right), link->right)};
  }
  auto [left, right] = split(link->right, position - before - 1);
  return {made(*link, link->left, std::move(left)), std::move(right)};
}

ElementTree::Link ElementTree::inserted(const Link& link, size_t position, const Branch& added) {
  if (!link || added.priority > link->priority) {
    auto [left, right] = split(link, position);
    return made(added, std::move(left), std::move(right));
  }
  const size_t before = size_of(link->left);
  if (position <= before) return made(*link, inserted(link->left, position, added), link->right);
  return made(*link, link->left, inserted(link->right, position - before - 1, added));
}

ElementTree::Link ElementTree::erased(const Link& link, size_t position) {
  const size_t before = size_of(link->left);
  if (position == before) return joined(link->left, link->right);
  if (position < before) return made(*link, erased(link->left, position), link->right);
  return made(*link, link->left, erased(link->right, position - before - 1));
}

InPort ElementTree::at(size_t position) const {
  const Branch* branch = root_.get();
  while (true) {
    const size_t before = size_of(branch->left);
    if (position == before) return branch->element;
    branch = position < before ? branch->left.get() : branch->right.get();
    if (position > before) position -= before + 1;
  }
}

ElementTree ElementTree::with(size_t position, InPort element) const {
  return ElementTree(inserted(root_, position, {element, priority_of(element), {}, {}, 1}));
}

ElementTree ElementTree::without(size_t position) const { return ElementTree(erased(root_, position)); }

std::vector<InPort> ElementTree::elements() const {
  std::vector<InPort> out;
  out.reserve(size());
  std::vector<const Branch*> path;
  for (const Branch* branch = root_.get(); branch || !path.empty();) {
    for (; branch; branch = branch->left.get()) path.push_back(branch);
    branch = path.back();
    path.pop_back();
    out.push_back(branch->element);
    branch = branch->right.get();
  }
  return out;
}

}  // namespace mo::onnx
