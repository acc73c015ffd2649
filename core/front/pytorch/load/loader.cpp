// The loader of PyTorch's exported programs.

#include "core/front/loader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/decompose/math/formula.h"
#include "core/front/pytorch/extract/complex.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/front/pytorch/load/declared.h"
#include "core/front/pytorch/load/graph_loader.h"
#include "core/front/pytorch/load/kind.h"
#include "core/front/pytorch/load/prepare.h"

namespace mo {
namespace pytorch {
namespace {

class PytorchModel final : public LoadedModel {
 public:
  PytorchModel() : LoadedModel(pytorch::operators()) {}

 protected:
  bool prepare(Node& node) override {
    add_defaults(node);
    return is_of_complex(node) && extract_complex(node);
  }

  /// A function of reals is the operation itself, which front-phase rewrites know: programs say the types.
  void finish(Node& node) override {
    if (node.op() != "OfReals" || !is_float(type_of(node, "self"))) return;
    const std::string operation = node.get_string("operation");
    if (!formula_of(operation).empty()) return;
    node.set_op(operation);
    node.attributes.erase("operation");
  }
};

class PytorchLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override {
    if (!model.is_folder()) return starts_program(model.head());
    const std::string prefix = folder_with_companions(model);
    const std::vector<std::string> marks = split(folder_marks(), ' ');
    return std::any_of(marks.begin(), marks.end(),
                       [&](const std::string& mark) { return model.files().has(prefix + mark); });
  }
  /// The zip unpacked, by PyTorch 2.8 or newer and by 2.6 and 2.7.
  std::string_view folder_marks() const override { return "archive_format serialized_exported_program.json"; }

  std::vector<std::string> model_names(Files& files, const std::string& name) const override {
    const ModelFile model(files, name);
    if (!match(model)) return {};
    std::vector<std::string> names = Archive(model).programs();
    if (names.size() == 1) names.clear();
    for (std::string& one : names) one = without_unsafe(one);
    return names;
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Archive archive(request.model);
    const std::string& name = archive.chosen(request.options.text("model_name"));
    const Part json = archive.program(name);
    Window window(request.graph.files(), json.file);
    Program program = read_program(window, json.offset, json.offset + json.size);
    request.head.producer = "PyTorch";
    request.head.producer_version = program.torch_version;
    inline_wrappers(program);
    make_functional(program);
    remove_unread(program);
    const Weights weights = archive.weights(name);
    GraphLoader(request, json.file, program, weights).load();
    request.graph.model().of_loader = std::make_shared<const DeclaredTensors>(declared_tensors(program));
    return std::make_unique<PytorchModel>();
  }

  const Operators& operators() const override { return pytorch::operators(); }
};

}  // namespace
}  // namespace pytorch

const Loader& loader_pytorch() {
  static const pytorch::PytorchLoader loader;
  return loader;
}

}  // namespace mo
