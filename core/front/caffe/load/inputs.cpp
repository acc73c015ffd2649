#include "core/front/caffe/load/inputs.h"

#include "core/base/text.h"
#include "core/front/expansion.h"

namespace mo::caffe {
namespace {

PartialShape shape_of(const std::vector<int64_t>& sizes) {
  require_dimensions(sizes.size());
  std::vector<Dimension> out;
  for (const int64_t size : sizes) {
    if (size < 0 || size > INT32_MAX) throw Error(Code::BadFieldValue, msg("a dimension of ", size));
    out.push_back(size);
  }
  return PartialShape(out);
}

PartialShape open_shape(const std::vector<int64_t>& sizes) {
  std::vector<Dimension> out;
  for (const int64_t size : sizes) out.push_back(size > 0 && size <= INT32_MAX ? Dimension(size) : kAnyDimension);
  return PartialShape(out);
}

/// The place of the last field of this name.
Place place_of(const proto::Message& message, std::string_view name) {
  const proto::Entries found = message.occurrences(name);
  return found.empty() ? Place() : message.source().error(Code::BadText, found.back(), {}).place();
}

int64_t number(const proto::Message& message, std::string_view name) {
  return message.row(name) ? message.get_int(name) : 0;
}

/// The channels of pictures: what their means, or their colours, say; 0 if nothing does.
int64_t channels_of(const proto::Message& transform, const proto::Message& own) {
  if (const size_t means = transform.floats("mean_value").size(); means > 1) return static_cast<int64_t>(means);
  if (transform.get_bool("force_color")) return 3;
  if (transform.get_bool("force_gray")) return 1;
  if (own.row("force_encoded_color") && own.get_bool("force_encoded_color")) return 3;
  return own.row("is_color") ? own.get_bool("is_color") ? 3 : 1 : 0;
}

/// One shape, or four numbers, for all tops or for each.
std::vector<PartialShape> shapes_of_dummy(const LayerRecord& layer) {
  std::vector<PartialShape> given;
  for (const proto::Message& shape : layer.own.messages("shape")) given.push_back(shape_of(shape.ints("dim")));
  if (given.empty()) {
    const std::vector<int64_t> parts[] = {layer.own.ints("num"), layer.own.ints("channels"), layer.own.ints("height"),
                                          layer.own.ints("width")};
    for (size_t i = 0; i < parts[0].size(); ++i) {
      std::vector<int64_t> sizes;
      for (const auto& part : parts) sizes.push_back(part.empty() ? 0 : part[std::min(i, part.size() - 1)]);
      given.push_back(shape_of(sizes));
    }
  }
  std::vector<PartialShape> out;
  for (size_t i = 0; i < layer.tops.size(); ++i)
    out.push_back(given.empty() ? PartialShape() : given[std::min(i, given.size() - 1)]);
  return out;
}

}  // namespace

std::vector<NetworkInput> inputs_of(const proto::Message& network) {
  const std::vector<std::string> names = network.strings("input");
  const std::vector<int64_t> dims = network.ints("input_dim");
  const std::vector<proto::Message> shapes = network.messages("input_shape");
  std::vector<NetworkInput> out;
  const std::string_view field = shapes.empty() ? "input_dim" : "input_shape";
  const auto where = [&] { return place_of(network, network.has(field) ? field : "input"); };
  with_place(where, [&] {
    if (shapes.empty() ? dims.size() != 4 * names.size() : shapes.size() != names.size())
      throw Error(Code::BadFieldValue,
                  shapes.empty()
                      ? msg(dims.size(), " of input_dim for ", names.size(), " inputs, each of which has four")
                      : msg(shapes.size(), " of input_shape for ", names.size(), " inputs"));
    for (size_t i = 0; i < names.size(); ++i) {
      const auto at = dims.begin() + static_cast<std::ptrdiff_t>(shapes.empty() ? 4 * i : 0);
      out.push_back({names[i], shape_of(shapes.empty() ? std::vector<int64_t>(at, at + 4) : shapes[i].ints("dim"))});
    }
  });
  return out;
}

std::vector<PartialShape> shapes_of_input(const LayerRecord& layer) {
  std::vector<PartialShape> given, out;
  for (const proto::Message& shape : layer.own.messages("shape")) given.push_back(shape_of(shape.ints("dim")));
  if (given.size() > 1 && given.size() != layer.tops.size())
    throw Error(Code::BadFieldValue, msg(given.size(), " shapes for ", layer.tops.size(), " tops"));
  for (size_t i = 0; i < layer.tops.size(); ++i)
    out.push_back(given.empty() ? PartialShape() : given[given.size() > 1 ? i : 0]);
  return out;
}

std::vector<PartialShape> shapes_of_data(const LayerRecord& layer) {
  if (layer.type == "DummyData") return shapes_of_dummy(layer);
  const proto::Message& own = layer.own;
  const proto::Message transform = layer.message.get_message("transform_param");
  const auto own_or = [&](const char* name, int64_t otherwise) {
    const int64_t* value = layer.parameters.get_if<int64_t>(name);
    return value && *value > 0 ? *value : otherwise;
  };
  const int64_t batch = own_or("batch_size", 0);
  const int64_t crop = number(transform, "crop_size") > 0 ? number(transform, "crop_size") : own_or("crop_size", 0);
  const int64_t channels = own_or("channels", channels_of(transform, own));
  const int64_t height = crop > 0 ? crop : own_or("height", own_or("new_height", 0));
  const int64_t width = crop > 0 ? crop : own_or("width", own_or("new_width", 0));
  // Data of HDF5 may have any number of dimensions.
  const bool is_known = layer.type != "HDF5Data" && layer.row && fields_of(*layer.row)[0] != "none";
  std::vector<PartialShape> out;
  for (size_t i = 0; i < layer.tops.size(); ++i) {
    if (!is_known)
      out.push_back(PartialShape());
    else
      out.push_back(i == 0 ? open_shape({batch, channels, height, width})
                    : is_one_of(layer.type, {"DenseImageData", "ImageSegData"}) ? open_shape({batch, 1, height, width})
                                                                                : open_shape({batch}));
  }
  return out;
}

}  // namespace mo::caffe
