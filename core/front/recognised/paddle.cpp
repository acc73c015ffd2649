// PaddlePaddle: ProgramDesc (.pdmodel, __model__).

#include "core/front/message_head.h"
#include "core/front/model_file.h"

namespace mo {

Recognised recognise_paddle(const ModelFile& model) {
  // The first block (1) is a BlockDesc: its idx (1) is a number.
  const HeadField block = first_field(model.head());
  if (block.number != 1 || !block.is_bytes) return {};
  const HeadField index = first_field(block.payload);
  return index.number == 1 && index.is_number ? "PaddlePaddle model" : "";
}

}  // namespace mo
