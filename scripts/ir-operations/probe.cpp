// Asks the OpenVINO runtime what it knows of its operations. Used by make.py, one process for each operation, because
// some default-constructed operations end the process when they are validated.
//   probe list              lines "opsetN Type": every operation of every operation set
//   probe Type opsetN       what is known of one, as lines:
//     version V                     the version of the class
//     attribute NAME KIND VALUES…   KIND is that of the adapter; VALUES are those of WORDS that an enumeration takes
//     counts N…                     numbers of inputs of unknown type and rank that pass
//     outputs N COUNT               how many outputs the operation has then
//     types N I TYPES…              element types that pass as input I of N
//     ranks N I RANKS…              ranks, from 0 to 8, that pass as input I of N
//     differ N I J                  input I may have another type than input J, which is before it
// WORDS, a file named in the environment, has the candidates for values.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <openvino/op/parameter.hpp>
#include <openvino/openvino.hpp>
#include <openvino/opsets/opset.hpp>
#include <set>

namespace {

std::vector<std::string> words() {
  std::vector<std::string> out;
  std::ifstream in(std::getenv("WORDS"));
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

class Attributes : public ov::AttributeVisitor {
 public:
  template <typename T>
  void say(const std::string& name, const T& kind) {
    std::cout << "attribute " << name << ' ' << kind << '\n';
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<void>& a) override {
    if (a.get_type_info().name == std::string("AttributeAdapter<element::Type>")) return say(name, "type");
    say(name, std::string("void:") + a.get_type_info().name);
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<void*>&) override { say(name, "bytes"); }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::string>& a) override {
    static const std::vector<std::string> all = words();
    const auto takes = [&](const std::string& value) {
      try {
        a.set(value);
        return true;
      } catch (...) {
        return false;
      }
    };
    const std::string before = [&] {
      try {
        return a.get();
      } catch (...) {
        return std::string();
      }
    }();
    std::string text = "text";
    if (!takes("no such value 0")) {
      text = "enum";
      for (const std::string& word : all)
        if (takes(word)) text += ' ' + word;
      takes(before);
    }
    say(name, text);
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<bool>&) override { say(name, "bool"); }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::shared_ptr<ov::Model>>&) override {
    say(name, "body");
  }
#define KIND(type, kind)                                                                           \
  void on_adapter(const std::string& name, ov::ValueAccessor<type>&) override { say(name, kind); } \
  void on_adapter(const std::string& name, ov::ValueAccessor<std::vector<type>>&) override { say(name, kind "s"); }
  KIND(int8_t, "int")
  KIND(int16_t, "int")
  KIND(int32_t, "int")
  KIND(int64_t, "int")
  KIND(uint8_t, "uint")
  KIND(uint16_t, "uint")
  KIND(uint32_t, "uint")
  KIND(uint64_t, "uint")
  KIND(float, "float")
  KIND(double, "float")
#undef KIND
  void on_adapter(const std::string& name, ov::ValueAccessor<std::vector<std::string>>&) override {
    say(name, "texts");
  }
  void on_adapter(const std::string& name, ov::VisitorAdapter& a) override {
    (void)name;
    a.visit_attributes(*this);
  }
};

struct Input {
  ov::element::Type type = ov::element::dynamic;
  ov::PartialShape shape = ov::PartialShape::dynamic();
};

/// The number of outputs if the operation takes these inputs, else -1.
int outputs(const ov::OpSet& set, const std::string& type, const std::vector<Input>& inputs) {
  try {
    const std::shared_ptr<ov::Node> node(set.create(type));
    ov::OutputVector from;
    for (const Input& input : inputs) from.push_back(std::make_shared<ov::op::v0::Parameter>(input.type, input.shape));
    node->set_arguments(from);
    node->validate_and_infer_types();
    return static_cast<int>(node->get_output_size());
  } catch (const std::exception&) {
    return -1;
  }
}

void describe(const ov::OpSet& set, const std::string& type) {
  const std::shared_ptr<ov::Node> node(set.create(type));
  std::cout << "version " << node->get_type_info().version_id << std::endl;
  Attributes attributes;
  try {
    node->visit_attributes(attributes);
  } catch (const std::exception& e) {
    std::cout << "unvisited " << e.what() << '\n';
  }
  std::cout.flush();
}

void count(const ov::OpSet& set, const std::string& type, int n) {
  std::vector<Input> inputs(static_cast<size_t>(n));
  const int made = outputs(set, type, inputs);
  if (made < 0) return;
  std::cout << "counts " << n << "\noutputs " << n << ' ' << made << std::endl;
  const char* types[] = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2",  "f8e8m0", "f4e2m1",
                         "nf4", "i64", "i32", "i16",  "i8",     "i4",      "u64",    "u32",
                         "u16", "u8",  "u4",  "u2",   "u1",     "boolean", "string"};
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::cout << "types " << n << ' ' << i;
    for (const char* name : types) {
      inputs[i].type = ov::element::Type(name);
      if (outputs(set, type, inputs) >= 0) std::cout << ' ' << name;
    }
    inputs[i].type = ov::element::dynamic;
    std::cout << std::endl << "ranks " << n << ' ' << i;
    for (int rank = 0; rank <= 8; ++rank) {
      inputs[i].shape = ov::PartialShape::dynamic(rank);
      if (outputs(set, type, inputs) >= 0) std::cout << ' ' << rank;
    }
    inputs[i].shape = ov::PartialShape::dynamic();
    std::cout << std::endl;
  }
  for (size_t i = 1; i < inputs.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      bool differ = false, any = false;
      for (const char* first : {"f32", "f16", "i64", "i32", "boolean", "u8"})
        for (const char* second : {"f32", "f16", "i64", "i32", "boolean", "u8"}) {
          inputs[j].type = ov::element::Type(first);
          inputs[i].type = ov::element::Type(second);
          const bool passes = outputs(set, type, inputs) >= 0;
          if (std::string(first) == second)
            any = any || passes;
          else
            differ = differ || passes;
        }
      inputs[j].type = inputs[i].type = ov::element::dynamic;
      if (differ || !any) std::cout << "differ " << n << ' ' << i << ' ' << j << std::endl;
    }
}

}  // namespace

int main(int argc, char** argv) {
  const auto& sets = ov::get_available_opsets();
  if (argc == 2) {
    for (const auto& [name, get] : sets)
      for (const auto& type : get().get_type_info_set()) std::cout << name << ' ' << type.name << '\n';
    return 0;
  }
  const ov::OpSet& set = sets.at(argv[2])();
  if (argc == 3)
    describe(set, argv[1]);
  else
    count(set, argv[1], std::atoi(argv[3]));
  std::cout.flush();
  std::_Exit(0);
}
