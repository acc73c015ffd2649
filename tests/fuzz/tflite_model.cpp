// Any bytes as a model of TensorFlow Lite: an IR or messages, never a crash, a hang or a sanitizer report. Every file
// gets the identifier of the format.

#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string model(reinterpret_cast<const char*>(data), size);
  model.resize(std::max<size_t>(model.size(), 8));
  model.replace(4, 4, "TFL3");
  mo::fuzz::BytesFiles files;
  files.put("m.tflite", reinterpret_cast<const uint8_t*>(model.data()), model.size());
  mo::fuzz::convert(files, "m.tflite", {{"compress_to_fp16", size % 2 ? "True" : "False"}});
  return 0;
}
