// Before: x -> SoftMax -> Result, perhaps with a Maximum between them
// After:  x -> Result
// Conditions: --remove_output_softmax.

#include "core/front/kaldi/transform/last_softmax.h"

namespace mo {
namespace {

class RemoveLastSoftMaxPattern final : public kaldi::RemoveLast {
  std::string_view op() const override { return "SoftMax"; }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveLastSoftMaxPattern)
}  // namespace mo
