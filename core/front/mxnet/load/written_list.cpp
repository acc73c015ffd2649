// An array list as MXNet 1 writes it: small heads, and the data where they are.

#include <utility>

#include "core/front/mxnet/load/array_list.h"
#include "core/front/mxnet/load/arrays.h"

namespace mo::mxnet {
namespace {

constexpr int32_t kCpu = 1;

class ListHead {
 public:
  template <typename T>
  ListHead& add(T number) {
    const auto* const from = reinterpret_cast<const std::byte*>(&number);  // all hosts are little-endian
    bytes_.insert(bytes_.end(), from, from + sizeof number);
    return *this;
  }
  ListHead& add_text(std::string_view text) {
    add<uint64_t>(text.size());
    const auto* const from = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), from, from + text.size());
    return *this;
  }
  ContentPtr take() { return std::make_shared<OwnedContent>(std::exchange(bytes_, {})); }

 private:
  std::vector<std::byte> bytes_;
};

void add_record(ListHead& head, const Constant& value) {
  // Before NumPy's shapes, one without dimensions or elements was no array.
  head.add(value.shape.empty() || element_count(value.shape) == 0 ? kV3 : kV2);
  head.add(kDense).add(static_cast<uint32_t>(value.shape.size()));
  for (const int64_t size : value.shape) head.add<int64_t>(size);
  head.add(kCpu).add<int32_t>(0).add(number_of(value.type));
}

}  // namespace

std::vector<ContentPtr> written_list(const std::vector<StoredArray>& arrays) {
  std::vector<ContentPtr> out;
  ListHead head;
  head.add(kListMagic).add<uint64_t>(0).add<uint64_t>(arrays.size());
  for (const StoredArray& array : arrays) {
    add_record(head, array.value);
    out.push_back(head.take());
    out.push_back(array.value.content);
  }
  head.add<uint64_t>(arrays.size());
  for (const StoredArray& array : arrays) head.add_text(array.name);
  out.push_back(head.take());
  return out;
}

}  // namespace mo::mxnet
