#include "core/front/kaldi/load/counts.h"

#include "core/base/text.h"
#include "core/front/kaldi/load/kind.h"
#include "core/front/kaldi/load/matrix.h"

namespace mo::kaldi {
namespace {

constexpr std::string_view kOption = "counts";

bool accepts_counts(const ModelFile& file) { return kind_of(file) == Kind::Matrix; }
bool of_no_network(const ModelFile&) { return false; }

Constant read_counts(Files& files, const std::string& name) {
  const ModelFile file(files, name);
  const Kind kind = file.is_folder() ? Kind::None : kind_of(file);
  if (kind != Kind::Matrix)
    throw Error(Code::UnknownFormat, msg("--", kOption, ": the file is no vector of Kaldi"), {.file = name},
                "give one line: [ 12 0 7 ], or the binary form of it")
        .about(kOption);
  Stream stream(files, file.file());
  return of_option(cat("--", kOption), [&] {
    Constant vector = read_vector(stream);
    if (!stream.at_end()) stream.corrupt(stream.mark(), "the file goes on behind its vector");
    return vector;
  });
}

}  // namespace

const Role kCounts = {
    .name = "counts", .option = kOption, .patterns = "", .belongs_to = of_no_network, .accepts = accepts_counts};

Constant counts_of(const LoadRequest& request, const Network& network) {
  const auto given = request.options.paths.find(kOption);
  Files& files = request.graph.files();
  Constant out;
  if (given == request.options.paths.end()) {
    if (network.priors.content)
      request.diagnostics.warn(Code::PriorsLeftOut, msg(network.priors.elements(), " priors"),
                               {.file = request.model.name()});
    return out;
  }
  if (!given->second.empty()) {
    out = read_counts(files, given->second);
  } else {
    if (!network.priors.content)
      throw Error(Code::BadOptionValue, msg("--", kOption, " is empty, and the model has no priors"),
                  {.file = request.model.name()}, "name a file with counts")
          .about(kOption);
    out = network.priors;
  }
  return out.type == ElementType::F32 ? out : convert(out, ElementType::F32);
}

}  // namespace mo::kaldi
