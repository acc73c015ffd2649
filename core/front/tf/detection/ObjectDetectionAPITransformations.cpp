// The beginning and the end of the transformations for models of TensorFlow's Object Detection API. They change nothing
// themselves. Behind them nodes are removed that no output needs any more, so that they need not be converted.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

struct ObjectDetectionAPITransformationsStart final : Transform {
  void find_and_replace_pattern(Graph&) override {}
  Names run_after() const override { return {"FrontStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }
};

struct ObjectDetectionAPITransformationsFinish final : Transform {
  void find_and_replace_pattern(Graph&) override {}
  Names run_after() const override { return {"ObjectDetectionAPITransformationsStart"}; }
  Names run_before() const override { return {"FrontFinish"}; }
  bool force_clean_up() const override { return true; }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPITransformationsStart)
MO_DEFINE_TRANSFORM(ObjectDetectionAPITransformationsFinish)
}  // namespace mo
