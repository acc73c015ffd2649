#include "core/front/caffe/load/mean.h"

#include "core/base/text.h"
#include "core/front/caffe/load/kind.h"
#include "core/front/caffe/load/weights.h"

namespace mo::caffe {
namespace {

constexpr std::string_view kFile = "mean_file", kOffsets = "mean_file_offsets";

bool accepts_mean(const ModelFile& file) { return kind_of(file) == Kind::Mean; }
bool of_no_model(const ModelFile&) { return false; }

/// [1, channels, height, width].
Constant read_mean(Files& files, const std::string& name) {
  const ModelFile file(files, name);
  const auto refuse = [&] {
    return Error(Code::UnknownFormat, msg("--", kFile, ": the file is no mean image"), {.file = name},
                 "name a .binaryproto")
        .about(kFile);
  };
  if (const Kind kind = kind_of(file); file.is_folder() || (kind != Kind::Mean && kind != Kind::None)) throw refuse();
  Constant image;
  of_option(cat("--", kFile), [&] { image = read_blob(files, file.file()); });
  Shape shape = image.shape;
  if (shape.size() == 3) shape.insert(shape.begin(), 1);
  if (shape.size() != 4 || shape[0] != 1 || image.elements() == 0) throw refuse();
  return reshape(image, shape);
}

/// x and y; empty for the middle.
Ints read_offsets(const LoadRequest& request) {
  const std::string text = request.options.text(kOffsets);
  if (trim(text).empty()) return {};
  std::string_view inner = trim(text);
  const auto fail = [&] {
    return Error(Code::BadOptionValue, msg("--", kOffsets, " is \"", printable(text), "\", want (x,y)"))
        .about(kOffsets);
  };
  if (inner.front() == '(' && inner.back() == ')') inner = inner.substr(1, inner.size() - 2);
  const Strings parts = split(inner, ',');
  if (parts.size() != 2) throw fail();
  Ints out;
  for (const std::string& part : parts) {
    const auto number = parse_int(trim(part));
    if (!number || *number < 0 || *number > INT32_MAX) throw fail();
    out.push_back(*number);
  }
  return out;
}

}  // namespace

/// A file that is found beside a model might be meant for another use of it: only the option subtracts it.
const Role kMean = {
    .name = "mean image", .option = kFile, .patterns = "", .belongs_to = of_no_model, .accepts = accepts_mean};

void set_mean(const LoadRequest& request) {
  const Ints offsets = read_offsets(request);
  const auto path = request.options.paths.find(kFile);
  if (path == request.options.paths.end()) return;
  const Constant image = read_mean(request.graph.files(), path->second);
  Node* found = nullptr;
  for (Node* input : request.graph.parameters) {
    const PartialShape* shape = input->attributes.get_if<PartialShape>("shape");
    if (!shape || shape->rank() != 4 || !intersect((*shape)[1], Dimension(image.shape[1]))) continue;
    if (found)
      throw Error(Code::MeanImageUnfit, msg("the inputs ", printable(found->name()), " and ", printable(input->name()),
                                            " have ", image.shape[1], " channels"))
          .about(kFile);
    found = input;
  }
  if (!found)
    throw Error(Code::MeanImageUnfit, msg("no input has four dimensions and ", image.shape[1], " channels"))
        .about(kFile);
  found->set("mean_image", image);
  found->set("own_names", Strings(found->out(0).tensor().names));
  if (!offsets.empty()) found->set("mean_offsets", offsets);
}

}  // namespace mo::caffe
