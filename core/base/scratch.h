// A buffer for bytes that pass through.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace mo {

/// A buffer that is kept between uses; it only grows. What is in it is undefined until it is written.
class Scratch {
 public:
  std::span<std::byte> get(size_t n) {
    if (size_ < n) bytes_.reset(new std::byte[n]), size_ = n;
    return {bytes_.get(), n};
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  size_t size_ = 0;
};

}  // namespace mo
