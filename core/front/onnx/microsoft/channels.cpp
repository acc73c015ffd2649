#include "core/front/onnx/microsoft/channels.h"

namespace mo::onnx {

OutPort channels_first(Builder& b, OutPort x) {
  const int rank = x.tensor().shape.rank();
  if (rank < 3) throw Error(Code::UnsupportedForm, "a tensor of unknown rank or without spatial dimensions");
  Ints order{0, rank - 1};
  for (int64_t i = 1; i < rank - 1; ++i) order.push_back(i);
  return b.transpose(x, order);
}

OutPort channels_last(Builder& b, OutPort x, int rank) {
  Ints order{0};
  for (int64_t i = 2; i < rank; ++i) order.push_back(i);
  order.push_back(1);
  return b.transpose(x, order);
}

}  // namespace mo::onnx
