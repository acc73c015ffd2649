// The loader of PyTorch's exported programs.

#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
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
    return false;
  }
};

class PytorchLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return !model.is_folder() && starts_program(model.head()); }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const FileId file = request.model.file();
    Archive archive(request.graph.files(), file);
    if (archive.programs().size() > 1)
      throw Error(Code::UnsupportedForm, msg("an archive of ", archive.programs().size(), " programs"),
                  {.file = request.model.name()}, "save each program to a file of its own");
    const std::string& name = archive.programs().at(0);
    const ZipEntry& entry = archive.program(name);
    Program program = read_program(archive.window(), entry.offset, entry.offset + entry.size);
    request.head.producer = "PyTorch";
    request.head.producer_version = program.torch_version;
    inline_wrappers(program);
    make_functional(program);
    remove_unread(program);
    const Weights weights = archive.weights(name);
    GraphLoader(request, file, program, weights).load();
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
