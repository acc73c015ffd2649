// Before: x -> LogSoftmax -> Result, perhaps with a Maximum between them
// After:  x -> Result
// Conditions: --remove_output_softmax.

#include "core/front/kaldi/transform/last_softmax.h"

namespace mo {
namespace {

class RemoveLastLogSoftMaxPattern final : public kaldi::RemoveLast {
  std::string_view op() const override { return "LogSoftmax"; }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveLastLogSoftMaxPattern)
}  // namespace mo
