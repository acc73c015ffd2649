// The loader of Kaldi: one file, or a folder that has it.

#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/front/kaldi/extract/extractor.h"
#include "core/front/kaldi/load/counts.h"
#include "core/front/kaldi/load/graph_loader.h"
#include "core/front/kaldi/load/kind.h"
#include "core/front/kaldi/load/model_facts.h"
#include "core/front/kaldi/load/read_network.h"
#include "core/front/kaldi/time/recurrence.h"

namespace mo {
namespace kaldi {
namespace {

class KaldiModel final : public LoadedModel {
 public:
  KaldiModel() : LoadedModel(kaldi::operators()) {}
  void prune(Graph& graph) override { remove_unread_states(graph); }
};

/// The folder's network is looked at, too: that of a GMM is none.
Kind kind_inside(const ModelFile& model) {
  if (!model.is_folder()) return kind_of(model);
  const std::string inside = model_of_folder(model);
  return inside.empty() ? Kind::None : kind_of(ModelFile(model.files(), inside));
}

/// The components up to one of an unknown type, whose size nothing says: those that have no row are named.
[[noreturn]] void refuse_unknown(const Network& network, Diagnostics& diagnostics) {
  for (const Component& component : network.components) {
    for (const Network& part : component.parts)
      if (part.ends_early) refuse_unknown(part, diagnostics);
    Place place = component.place;
    place.node = component.name;
    place.op = component.type;
    const Operator* row = kaldi::operators().find(component.type);
    if (&component == &network.components.back() && component.parts.empty())
      diagnostics.add(Error(Code::UnsupportedOp,
                            msg(printable(component.type), ", which Kaldi does not have: what follows cannot be read"),
                            place, "save the model as text, where all such components are named"));
    else if (!row)
      diagnostics.add(Error(Code::UnsupportedOp, component.type, place));
    else if (row->refusal)
      diagnostics.add(Error(Code::UnsupportedOp, msg(component.type, ": ", Detail::words(row->refusal)), place));
  }
  throw Error::reported();
}

class KaldiLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return kind_inside(model) == Kind::Network; }
  std::span<const Role> roles() const override { return {&kCounts, 1}; }
  /// Gaussians are .mdl, too, and samples .raw.
  std::string_view shared_endings() const override { return ".nnet .mdl .raw"; }
  std::string_view folder_marks() const override { return kFolderFiles; }
  std::optional<LoneCompanion> lone_companion(const ModelFile& model) const override {
    return no_model(kind_inside(model));
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Files& files = request.graph.files();
    const FileId file =
        request.model.is_folder() ? files.open_given(model_of_folder(request.model)) : request.model.file();
    request.head.producer = "Kaldi";
    const auto where = [&] { return Place{.file = files.name(file)}; };
    with_place(where, [&] {
      const Network network = read_network(files, file, request.diagnostics);
      if (network.ends_early) refuse_unknown(network, request.diagnostics);
      request.graph.model().of_loader = std::make_shared<const ModelFacts>(
          ModelFacts{counts_of(request, network), request.options.has("remove_output_softmax"),
                     request.options.has("remove_memory")});
      GraphLoader(request, file).load(network);
    });
    return std::make_unique<KaldiModel>();
  }

  const Operators& operators() const override { return kaldi::operators(); }
};

}  // namespace
}  // namespace kaldi

const Loader& loader_kaldi() {
  static const kaldi::KaldiLoader loader;
  return loader;
}

}  // namespace mo
