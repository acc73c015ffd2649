// The PaddlePaddle loader: a ProgramDesc with its parameters in one file, or in a folder with a file for each.

#include "core/front/loader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/common/first_names.h"
#include "core/front/paddle/extract/complex.h"
#include "core/front/paddle/extract/extractor.h"
#include "core/front/paddle/load/graph_loader.h"
#include "core/front/paddle/load/kind.h"
#include "core/front/paddle/load/settings.h"
#include "core/front/paddle/load/types.h"
#include "core/front/paddle/pir/program.h"

namespace mo {
namespace paddle {
namespace {

constexpr Role kParameters = {.name = "parameters",
                              .option = "input_weights",
                              .patterns = "{stem}.pdiparams | __params__ params *.pdiparams | {stem}.pdparams",
                              .owner = ".pdmodel .json",
                              .accepts = may_be_parameters};
const Role kRoles[] = {kParameters, kSettings};

constexpr std::string_view kProgramOfFolder = "/__model__";

bool is_folder_of_program(const ModelFile& model) {
  if (!model.is_folder()) return false;
  const std::vector<std::string> files = model.files().list(model.name());
  return std::find(files.begin(), files.end(), cat(model.name(), kProgramOfFolder)) != files.end();
}

FileId program_of(const LoadRequest& request) {
  if (!request.model.is_folder()) return request.model.file();
  return request.model.files().open(cat(request.model.name(), kProgramOfFolder));
}

/// What lies in the place of the parameters. A program and a pickle are of paddle.static.save.
Error other_file(const LoadRequest& request, const Error& other) {
  const std::string& file = other.place().file;
  const bool is_pickle = kind_of(ModelFile(request.model.files(), file)) == Kind::Pickle;
  const Detail what = msg(printable(file), ": ", other.detail());
  if (!is_pickle) return Error(Code::NoWeights, what, {.file = request.model.name()}, other.message().advice);
  return Error(Code::NoWeights, what, {.file = request.model.name()},
               "save both for inference in Python: paddle.static.load(program, 'model', executor); "
               "paddle.static.save_inference_model('model', feeds, fetches, executor, program=program)");
}

/// nullopt if there are none. A file that lies there is read in any case: a program without parameters has no other's.
std::optional<Parameters> parameters_of(const LoadRequest& request, const Strings& names) {
  Files& files = request.graph.files();
  const Companion found = request.companion(kParameters);
  if (names.empty() && found.state != Companion::State::Present) return std::nullopt;
  if (found.state == Companion::State::Ambiguous) throw lack_of(kParameters, request.model, found);
  if (found.state == Companion::State::Present) return Parameters(files, files.open_given(found.files.at(0)), names);
  Strings missing;
  Parameters separate(files, folder_with_companions(request.model), names, missing);
  if (missing.size() == names.size()) {
    if (const auto other = unfit_file(files, found)) throw other_file(request, *other);
    return std::nullopt;
  }
  return separate;
}

bool fits(const Shape& shape, const PartialShape& declared) {
  if (!declared.has_rank()) return true;
  const std::vector<Dimension>& sizes = declared.dimensions();
  return std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end(),
                    [](int64_t size, const Dimension& wanted) { return !wanted.is_exact() || wanted.min == size; });
}

/// A PIR program says of each parameter what it is.
void require_declared(const Program& program, const Parameters& parameters) {
  for (const std::string& name : program.parameter_names()) {
    const Constant* value = parameters.find(name);
    for (const Declarations& block : program.variables) {
      const auto found = block.find(name);
      if (!value || found == block.end()) continue;
      const VariableDesc& declared = found->second;
      if (element_type(declared.data_type) == value->type && fits(value->shape, declared.shape)) continue;
      const Place place = program.place({.line = declared.line, .column = declared.column});
      throw Error(Code::WrongTensorSize,
                  msg(printable(name), " is another tensor in the file of parameters: ", ir_name(value->type), " [",
                      join(value->shape), "]"),
                  place, "give the .pdiparams that was saved with this program");
    }
  }
}

Error no_values(const LoadRequest& request, const Strings& parameters) {
  return Error(Code::NoWeights, first_names(parameters), {.file = request.model.name()},
               "put the .pdiparams that was saved with the program beside it, or name it with --input_weights");
}

std::string version_text(int64_t version) {
  return cat(version / 1'000'000, ".", version / 1000 % 1000, ".", version % 1000);
}

class PaddleModel final : public LoadedModel {
 public:
  PaddleModel() : LoadedModel(paddle::operators()) {}
  bool prepare(Node& node) override {
    if (is_complex(node)) count_pairs(node);
    return false;
  }
};

class PaddleLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return is_program(model) || is_folder_of_program(model); }
  std::span<const Role> roles() const override { return kRoles; }
  std::string_view shared_endings() const override { return ".json"; }
  std::string_view folder_marks() const override { return "__model__"; }
  std::optional<LoneCompanion> lone_companion(const ModelFile& model) const override {
    return no_program(kind_of(model));
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Files& files = request.graph.files();
    const FileId file = program_of(request);
    Window window(files, file);
    const bool is_pir = kind_of(request.model) == Kind::Pir;
    const auto program = is_pir ? pir::read_program(window, request.diagnostics) : read_program(window);
    request.head.producer = "PaddlePaddle";
    if (program->version > 0) request.head.producer_version = version_text(program->version);
    read_settings(request);
    const std::optional<Parameters> parameters = parameters_of(request, program->parameter_names());
    if (is_pir && parameters) require_declared(*program, *parameters);
    GraphLoader loader(request, *program, parameters ? &*parameters : nullptr);
    const auto where = [&] { return Place{.file = files.name(file)}; };
    with_place(where, [&] { loader.load(); });
    if (!loader.without_value().empty())
      request.diagnostics.add(no_values(request, loader.without_value()).about(kParameters.option));
    return std::make_unique<PaddleModel>();
  }

  const Operators& operators() const override { return paddle::operators(); }
};

}  // namespace
}  // namespace paddle

const Loader& loader_paddle() {
  static const paddle::PaddleLoader loader;
  return loader;
}

}  // namespace mo
