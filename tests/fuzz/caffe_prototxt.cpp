// Any bytes as the text of a network of Caffe, with the weights of one layer: an IR or messages, never a crash, a hang
// or a sanitizer report.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // name: "n" layer { name: "c" type: "Convolution" blobs { data: 1.0 shape { dim: [1, 1, 1, 1] } } }
  constexpr char kWeights[] =
      "\x0a\x01n\xa2\x06\x20\x0a\x01"
      "c\x12\x0b"
      "Convolution\x3a\x0e\x2a\x04\0\0\x80\x3f\x3a\x06\x0a\x04\1\1\1\1";
  mo::fuzz::BytesFiles files;
  files.put("m.prototxt", data, size);
  files.put("m.caffemodel", reinterpret_cast<const uint8_t*>(kWeights), sizeof(kWeights) - 1);
  mo::fuzz::convert(files, size % 3 ? "m.caffemodel" : "m.prototxt", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
