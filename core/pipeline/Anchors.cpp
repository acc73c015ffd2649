// The fixed points of the order, with Model Optimizer's names. They change nothing themselves.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

struct Anchor : Transform {
  void find_and_replace_pattern(Graph&) override {}
};

struct LoadFinish final : Anchor {
  Names run_after() const override { return {"ONNXLoader"}; }
  Names run_before() const override { return {"FrontStart"}; }
};
struct FrontStart final : Anchor {
  Names run_after() const override { return {"LoadFinish"}; }
  Names run_before() const override { return {"FrontFinish"}; }
};
struct FrontFinish final : Anchor {
  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"PartialInfer"}; }
  bool force_clean_up() const override { return true; }  // leftovers of rewrites need not be inferred
};
struct PreMiddleStart final : Anchor {
  Names run_after() const override { return {"PartialInfer"}; }
  Names run_before() const override { return {"MiddleStart"}; }
};
struct MiddleStart final : Anchor {
  Names run_after() const override { return {"PreMiddleStart"}; }
  Names run_before() const override { return {"MiddleFinish"}; }
};
struct MiddleFinish final : Anchor {
  Names run_after() const override { return {"MiddleStart"}; }
  Names run_before() const override { return {"PostMiddleStart"}; }
};
struct PostMiddleStart final : Anchor {
  Names run_after() const override { return {"MiddleFinish"}; }
  Names run_before() const override { return {"ApplyPermutation"}; }
};
struct BackStart final : Anchor {
  Names run_after() const override { return {"ApplyPermutation"}; }
  Names run_before() const override { return {"BackFinish"}; }
  std::optional<Phase> begins() const override { return Phase::Back; }
};
struct BackFinish final : Anchor {
  Names run_after() const override { return {"BackStart"}; }
  bool force_clean_up() const override { return true; }
};

}  // namespace
MO_DEFINE_TRANSFORM(LoadFinish)
MO_DEFINE_TRANSFORM(FrontStart)
MO_DEFINE_TRANSFORM(FrontFinish)
MO_DEFINE_TRANSFORM(PreMiddleStart)
MO_DEFINE_TRANSFORM(MiddleStart)
MO_DEFINE_TRANSFORM(MiddleFinish)
MO_DEFINE_TRANSFORM(PostMiddleStart)
MO_DEFINE_TRANSFORM(BackStart)
MO_DEFINE_TRANSFORM(BackFinish)
}  // namespace mo
