// Tensors of zeros with some other elements, as formats store sparse ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo {

/// Element `place` of the tensor is element `value` of the stored ones. Of several with one place the last counts.
struct ScatteredElement {
  uint64_t place, value;
};
struct Scattered {
  std::vector<ScatteredElement> elements;
  std::vector<std::byte> values;
};

/// Where the elements are stored.
class Scattering {
 public:
  virtual ~Scattering() = default;
  /// Throws if they are malformed.
  virtual Scattered read(Files& files) const = 0;
  virtual std::string identity() const = 0;  ///< Content::identity()
};

/// Takes the memory of the stored elements while it is read, whatever the shape. For types of whole bytes.
Constant scatter(ElementType type, Shape shape, std::shared_ptr<const Scattering> scattering);

}  // namespace mo
