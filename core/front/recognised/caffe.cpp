// Caffe: NetParameter, binary (.caffemodel) or as text (.prototxt).

#include "core/front/message_head.h"
#include "core/front/model_file.h"

namespace mo {

Recognised recognise_caffe(const ModelFile& model) {
  for (const std::string_view layer : {"layer {", "layers {", "layer{"})
    if (model.is_text_with(layer)) return "Caffe prototxt";
  MessageHead message(model.head());
  for (HeadField field; message.next(field);) {
    if (field.number == 1 && !(field.is_bytes && is_name(field.payload))) return {};  // name
    if (field.number == 2 || field.number == 100) {  // layers, layer: their names and blobs (1 to 4) come first
      const HeadField first = first_field(field.payload);
      return field.is_bytes && first.is_bytes && first.number <= 4 ? "Caffe model" : "";
    }
    if (field.number > 11) return {};
  }
  return {};
}

}  // namespace mo
