#include "core/front/mxnet/load/input_shapes.h"

#include <vector>

#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/front/companions/companion.h"
#include "core/front/mxnet/load/variable.h"

namespace mo::mxnet {
namespace {

constexpr JsonLimits kShapeLimits{.bytes = 1 << 20, .token = 1 << 16, .depth = 64};
constexpr size_t kMostInputs = 1000;

/// Any object with a name and a list of sizes: {"data_name": "data", "data_shape": [0, 3, 224, 224]}.
class ShapeReader final : public JsonEvents {
 public:
  std::map<std::string, PartialShape> shapes;

  bool key(std::string_view name, const JsonPlace&) override {
    key_ = name;
    return true;
  }
  bool begin(bool is_object, const JsonPlace&) override {
    open_.push_back({is_object, is_object ? std::string() : key_});
    return true;
  }
  bool end(const JsonPlace&) override {
    const Open done = std::move(open_.back());
    open_.pop_back();
    if (done.is_object && !done.name.empty() && done.has_sizes && shapes.size() < kMostInputs)
      shapes.emplace(done.name, open_shape(done.sizes));
    if (!done.is_object && !open_.empty() && is_one_of(done.name, {"data_shape", "shape"}))
      open_.back().sizes = done.sizes, open_.back().has_sizes = !done.sizes.empty();
    return true;
  }
  bool scalar(const JsonScalar& value, const JsonPlace&) override {
    if (open_.empty()) return true;
    Open& at = open_.back();
    const auto* text = std::get_if<std::string_view>(&value);
    if (at.is_object && text && is_one_of(key_, {"data_name", "name"})) at.name = *text;
    const auto* size = std::get_if<int64_t>(&value);
    if (!at.is_object && size && at.sizes.size() < 64) at.sizes.push_back(*size);
    return true;
  }

 private:
  struct Open {
    bool is_object = false;
    std::string name;  ///< of the input; of a list its key
    std::vector<int64_t> sizes = {};
    bool has_sizes = false;
  };
  std::string key_;
  std::vector<Open> open_;
};

}  // namespace

std::map<std::string, PartialShape> packed_shapes(const ModelFile& model) {
  Files& files = model.files();
  for (const std::string_view name : {"signature.json", "model-shapes.json"}) {
    const std::string path = folder_with_companions(model) + std::string(name);
    if (!files.has(path)) continue;
    Window window(files, files.open_given(path));
    ShapeReader reader;
    read_json(window, kShapeLimits, reader);
    if (!reader.shapes.empty()) return reader.shapes;
  }
  return {};
}

}  // namespace mo::mxnet
