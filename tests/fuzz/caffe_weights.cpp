// Any bytes as the weights of a network of Caffe: an IR or messages, never a crash, a hang or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kNetwork = R"(name: "n" input: "data" input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8
layer { name: "first" type: "Convolution" bottom: "data" top: "a" convolution_param { num_output: 4 kernel_size: 3 } }
layer { name: "norm" type: "BatchNorm" bottom: "a" top: "b" }
layer { name: "scale" type: "Scale" bottom: "b" top: "s" scale_param { bias_term: true } }
layer { name: "slope" type: "PReLU" bottom: "s" top: "p" }
layer { name: "last" type: "InnerProduct" bottom: "p" top: "fc" inner_product_param { num_output: 5 } })";
  mo::fuzz::BytesFiles files;
  files.put("m.prototxt", reinterpret_cast<const uint8_t*>(kNetwork.data()), kNetwork.size());
  files.put("m.caffemodel", data, size);
  mo::fuzz::convert(files, "m.caffemodel", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
