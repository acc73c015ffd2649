// The JSON of a program becomes a Program. Metadata is more than half of it, and is not kept but for the module's path.

#include <algorithm>
#include <numeric>

#include "core/base/proto/message.h"
#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/program.h"
#include "core/front/pytorch/load/symbols.h"

namespace mo::pytorch {
namespace {

constexpr JsonLimits kProgramLimits{.bytes = uint64_t{1} << 30, .token = 16 << 20, .depth = 200};
constexpr size_t kMostItems = 1 << 26;
constexpr int64_t kMajor = 8;

/// Keeps the values, without what a conversion does not need: of metadata only the path of the module.
class Collector final : public JsonCollector {
 public:
  explicit Collector(Window& window) : JsonCollector(window, kMostItems) {}
  /// Where each object begins and ends: by its item.
  const std::unordered_map<uint32_t, std::pair<uint64_t, uint64_t>>& extents() const { return extents_; }

  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    if (!skipped_ && !(in_metadata_ && key_ != "nn_module_stack")) return JsonCollector::scalar(value, place);
    key_.clear();
    return true;
  }
  bool begin(bool is_object, const JsonPlace& place) override {
    if (skipped_ || in_metadata_ || is_one_of(key_, {"guards_code", "treespec_namedtuple_fields"})) {
      ++skipped_;
      return true;
    }
    in_metadata_ = is_object && key_ == "metadata" && open_.size() > 1;
    const bool is_placed = is_object && place_wanted();
    JsonCollector::begin(is_object, place);
    if (is_placed) extents_[open_.back()].first = place.offset;
    return true;
  }
  bool end(const JsonPlace& place) override {
    if (skipped_) return --skipped_, true;
    in_metadata_ = false;
    const auto found = extents_.find(open_.back());
    if (found != extents_.end()) found->second.second = place.offset + 1;
    return JsonCollector::end(place);
  }

 private:
  /// Elements of a list "nodes", and the root.
  bool place_wanted() const { return open_.empty() || values.key(open_.back()) == "nodes"; }

  std::unordered_map<uint32_t, std::pair<uint64_t, uint64_t>> extents_;
  int skipped_ = 0;
  bool in_metadata_ = false;
};

class ProgramReader {
 public:
  ProgramReader(Window& window, uint64_t begin, uint64_t end) : window_(window), collector_(window) {
    read_json(window, begin, end, kProgramLimits, collector_);
    if (collector_.values.size() == 0) throw Error(Code::NoGraph);
  }

  Program program() {
    const JsonValue root = this->root();
    Program out;
    out.schema_major = root["schema_version"]["major"].integer().value_or(0);
    out.schema_minor = root["schema_version"]["minor"].integer().value_or(0);
    out.torch_version = std::string(root["torch_version"].text().value_or(""));
    if (out.schema_major != kMajor)
      throw Error(Code::UnsupportedForm, msg("version ", out.schema_major, ".", out.schema_minor, " of the program"),
                  place_of(root),
                  "export it again with PyTorch 2.6 or newer: torch.export.save(torch.export.export(model, args), "
                  "'model.pt2')");
    read_bounds(root["range_constraints"]);
    const JsonValue module = root["graph_module"];
    if (!module["graph"].is(JsonValues::Kind::Object)) throw Error(Code::NoGraph, {}, place_of(root));
    out.graph = graph(module["graph"], 0);
    module["signature"]["input_specs"].each([&](const JsonValue& spec) { out.inputs.push_back(input_spec(spec)); });
    module["signature"]["output_specs"].each([&](const JsonValue& spec) { out.outputs.push_back(output_spec(spec)); });
    const JsonValue signature = module["module_call_graph"].at(0)["signature"];
    size_t user = 0;
    for (const OutputSpec& spec : out.outputs) user += spec.kind == "user_output";
    if (const auto text = signature["out_spec"].text()) out.output_names = leaf_names(*text, user);
    return out;
  }

  Operation single() { return operation(root(), 0, 0); }

 private:
  JsonValue root() const { return {collector_.values, 0}; }
  Place place_of(const JsonValue& value) const {
    return json_place(window_, {.offset = 0, .line = value.line(), .column = value.column()});
  }
  [[noreturn]] void corrupt(const JsonValue& value, const Detail& what) const {
    throw Error(Code::CorruptFile, what, place_of(value));
  }
  std::string name(const JsonValue& value, const JsonValue& around) const {
    const auto text = value.text();
    if (!text) corrupt(around, "a name is missing");
    require_short_name(*text);
    return std::string(*text);
  }

  void read_bounds(const JsonValue& constraints) {
    constraints.each([&](const JsonValue& range) {
      Interval& bounds = symbols_[std::string(range.key())];
      if (const auto min = range["min_val"].integer()) bounds.min = *min;
      if (const auto max = range["max_val"].integer()) bounds.max = *max;
    });
  }

  /// SymInt: as_int, or as_expr with a text.
  Interval symbolic(const JsonValue& value) const {
    if (const auto number = value["as_int"].integer()) return *number;
    if (const auto text = value["as_expr"]["expr_str"].text()) return bounds_of(*text, symbols_);
    return {};
  }

  TensorMeta tensor_meta(const JsonValue& value) const {
    TensorMeta out;
    out.type_code = value["dtype"].integer().value_or(0);
    out.type = type_of_code(out.type_code);
    if (const ElementType part = part_type_of_code(out.type_code); part != ElementType::Unknown)
      out.type = part, out.is_complex = true;
    std::vector<Dimension> sizes;
    value["sizes"].each([&](const JsonValue& size) {
      const Interval bounds = symbolic(size);
      if (bounds.max < 0) corrupt(value, msg("a dimension of ", bounds.max));
      sizes.push_back(to_dimension(bounds));
    });
    require_dimensions(sizes.size());
    Ints strides;
    value["strides"].each([&](const JsonValue& stride) { strides.push_back(stride["as_int"].integer().value_or(-1)); });
    if (value["storage_offset"]["as_int"].integer() == 0) {
      out.in_order = in_order(sizes, strides);
      if (!out.in_order) out.order = storage_order(sizes, strides);
    }
    out.shape = PartialShape(std::move(sizes));
    return out;
  }

  static bool in_order(const std::vector<Dimension>& sizes, const Ints& strides) {
    if (sizes.size() != strides.size()) return false;
    Interval dense = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      if (sizes[i] != Dimension(1) && (!dense.is_exact() || strides[i] != dense.min)) return false;
      dense = dense * sizes[i];
    }
    return true;
  }

  /// Empty if the tensor is not all of its storage.
  static Ints storage_order(const std::vector<Dimension>& sizes, const Ints& strides) {
    if (sizes.size() != strides.size()) return {};
    Ints order(sizes.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
    });
    std::vector<Dimension> own_sizes;
    Ints own_strides;
    for (const int64_t axis : order) {
      own_sizes.push_back(sizes[static_cast<size_t>(axis)]);
      own_strides.push_back(strides[static_cast<size_t>(axis)]);
    }
    return in_order(own_sizes, own_strides) ? order : Ints();
  }

  ProgramGraph graph(const JsonValue& value, int depth) const {
    constexpr int kDeepestGraph = 16;
    if (depth > kDeepestGraph)
      throw Error(Code::TooDeep, msg("more than ", kDeepestGraph, " graphs in each other"), place_of(value));
    ProgramGraph out;
    value["inputs"].each([&](const JsonValue& input) { out.inputs.push_back(argument(input, depth)); });
    value["outputs"].each([&](const JsonValue& output) { out.outputs.push_back(argument(output, depth)); });
    value["tensor_values"].each(
        [&](const JsonValue& meta) { out.tensors.emplace(std::string(meta.key()), tensor_meta(meta)); });
    value["sym_int_values"].each(
        [&](const JsonValue& integer) { out.integers.emplace(std::string(integer.key()), symbolic(integer)); });
    value["sym_bool_values"].each([&](const JsonValue& flag) { out.flags.emplace(flag.key()); });
    value["sym_float_values"].each([&](const JsonValue& real) { out.reals.emplace(real.key()); });
    value["nodes"].each([&](const JsonValue& node) { out.operations.push_back(operation(node, node.item(), depth)); });
    return out;
  }

  Operation operation(const JsonValue& value, uint32_t item, int depth) const {
    Operation out;
    out.target = name(value["target"], value);
    out.place = place_of(value);
    if (const auto found = collector_.extents().find(item); found != collector_.extents().end()) {
      out.offset = found->second.first;
      out.size = found->second.second - found->second.first;
    }
    value["inputs"].each([&](const JsonValue& input) {
      out.inputs.push_back({std::string(input["name"].text().value_or("")), argument(input["arg"], depth)});
    });
    value["outputs"].each([&](const JsonValue& output) { out.outputs.push_back(argument(output, depth)); });
    out.module = module_path(value["metadata"]["nn_module_stack"].text().value_or(""));
    require_short_name(out.module);
    return out;
  }

  /// "key,path,class;key,path,class": the path of the last one, as code writes it: "L['self'].layer1[0].bn1" or
  /// "layer1.0.bn1".
  static std::string module_path(std::string_view stack) {
    const size_t begin = stack.rfind(';');
    const std::vector<std::string> parts = split(begin == stack.npos ? stack : stack.substr(begin + 1), ',');
    if (parts.size() < 3) return {};
    std::string path = parts[1];
    if (path.starts_with("L['self']")) path = path.substr(9);
    if (path.starts_with(".")) path = path.substr(1);
    return path;
  }

  ProgramValue argument(const JsonValue& value, int depth) const {
    using Kind = ProgramValue::Kind;
    JsonValue one;
    value.each([&](const JsonValue& member) {
      if (!one && !member.is(JsonValues::Kind::Null)) one = member;
    });
    if (!value.is(JsonValues::Kind::Object)) corrupt(value, "an argument is no object");
    ProgramValue out;
    if (!one) return out;
    const std::string_view key = one.key();
    const auto integer = [&](const JsonValue& from) {
      const auto number = from.integer();
      if (!number) corrupt(from ? from : value, msg(printable(key), " is no whole number"));
      return *number;
    };
    const auto add_symbolic = [&](const JsonValue& from) {
      if (const auto text = from["as_name"].text()) {
        out.numbers.push_back(kFromGraph);
        out.names.emplace_back(*text);
      } else {
        out.numbers.push_back(integer(from["as_int"]));
      }
    };
    if (key == "as_tensor") {
      out.kind = Kind::Tensor;
      out.names = {name(one["name"], one)};
    } else if (is_one_of(key, {"as_tensors", "as_optional_tensors", "as_optional_tensor"})) {
      out.kind = Kind::Tensors;
      const auto add = [&](const JsonValue& tensor) {
        const JsonValue inner = tensor["as_tensor"] ? tensor["as_tensor"] : tensor;
        const auto text = inner["name"].text();
        out.numbers.push_back(text ? kFromGraph : kNoTensor);
        if (text) out.names.emplace_back(*text);
      };
      if (key == "as_optional_tensor")
        add(one);
      else
        one.each(add);
      if (key == "as_optional_tensor") out.kind = out.names.empty() ? Kind::None : Kind::Tensor;
    } else if (key == "as_int") {
      out.kind = Kind::Int;
      out.numbers = {integer(one)};
    } else if (key == "as_ints") {
      out.kind = Kind::Ints;
      const size_t count = one.count();
      if (count > proto::Message::kMaxValues)
        corrupt(one, msg("a list of more than ", proto::Message::kMaxValues, " numbers"));
      out.numbers.reserve(count);
      one.each([&](const JsonValue& number) { out.numbers.push_back(integer(number)); });
    } else if (key == "as_sym_int" || (key == "as_sym_bool" && one["as_name"])) {
      out.kind = key == "as_sym_int" ? Kind::Int : Kind::Bool;
      add_symbolic(one);
    } else if (key == "as_sym_ints") {
      out.kind = Kind::Ints;
      one.each(add_symbolic);
    } else if (key == "as_float") {
      out.kind = Kind::Float;
      out.reals = {real(one)};
    } else if (key == "as_floats") {
      out.kind = Kind::Floats;
      one.each([&](const JsonValue& number) { out.reals.push_back(real(number)); });
    } else if (key == "as_complex") {
      out.kind = Kind::Complex;
      for (const char* part : {"real", "imag"}) {
        if (!one[part]) corrupt(one, "no number");
        out.reals.push_back(real(one[part]));
      }
    } else if (key == "as_sym_float") {
      out.kind = Kind::Float;
      if (one["as_name"])
        add_symbolic(one);
      else
        out.reals = {real(one["as_float"])};
    } else if (key == "as_bool" || (key == "as_sym_bool" && one["as_bool"])) {
      out.kind = Kind::Bool;
      out.numbers = {integer(key == "as_bool" ? one : one["as_bool"])};
    } else if (key == "as_bools") {
      out.kind = Kind::Bools;
      one.each([&](const JsonValue& flag) { out.numbers.push_back(integer(flag)); });
    } else if (key == "as_string") {
      out.kind = Kind::Text;
      out.texts = {std::string(one.text().value_or(""))};
    } else if (key == "as_strings") {
      out.kind = Kind::Texts;
      one.each([&](const JsonValue& text) { out.texts.emplace_back(text.text().value_or("")); });
    } else if (key == "as_scalar_type" || key == "as_memory_format") {
      out.kind = key == "as_scalar_type" ? Kind::Type : Kind::MemoryFormat;
      out.numbers = {integer(one)};
    } else if (is_one_of(key, {"as_device", "as_layout"})) {
      out.kind = Kind::Ignored;
    } else if (key == "as_graph") {
      out.kind = Kind::Graph;
      out.graph = std::make_shared<ProgramGraph>(graph(one["graph"], depth + 1));
    } else if (key != "as_none") {
      out.kind = Kind::Other;
      out.texts = {std::string(key)};
    }
    return out;
  }

  double real(const JsonValue& value) const {
    if (const auto number = value.number()) return *number;
    const std::string_view text = value.text().value_or("");
    if (text == "Infinity") return parse_double("inf").value_or(0);
    if (text == "-Infinity") return parse_double("-inf").value_or(0);
    if (text == "NaN") return parse_double("nan").value_or(0);
    corrupt(value, "no number");
  }

  InputSpec input_spec(const JsonValue& value) const {
    using Kind = InputSpec::Kind;
    InputSpec out;
    const auto of_weight = [&](const JsonValue& spec, Kind kind, std::string_view key) {
      out.kind = kind;
      out.value.kind = ProgramValue::Kind::Tensor;
      out.value.names = {name(spec["arg"]["name"], spec)};
      out.target = name(spec[key], spec);
      out.persistent = spec["persistent"].boolean().value_or(true);
    };
    if (const JsonValue spec = value["parameter"])
      of_weight(spec, Kind::Parameter, "parameter_name");
    else if (const JsonValue buffer = value["buffer"])
      of_weight(buffer, Kind::Buffer, "buffer_name");
    else if (const JsonValue constant = value["tensor_constant"])
      of_weight(constant, Kind::Constant, "tensor_constant_name");
    else if (const JsonValue user = value["user_input"])
      out.kind = Kind::User, out.value = argument(user["arg"], 0);
    else if (value["constant_input"])
      out.kind = Kind::Ignored;
    else
      value.each([&](const JsonValue& other) { out.target = std::string(other.key()); });
    return out;
  }

  OutputSpec output_spec(const JsonValue& value) const {
    OutputSpec out;
    value.each([&](const JsonValue& spec) {
      out.kind = std::string(spec.key());
      for (const char* key : {"buffer_name", "parameter_name", "user_input_name"})
        if (const auto text = spec[key].text()) out.target = std::string(*text);
      if (const JsonValue arg = spec["arg"]; arg["name"]) {
        out.value.kind = ProgramValue::Kind::Tensor;
        out.value.names = {name(arg["name"], spec)};
      } else if (arg) {
        out.value = argument(arg, 0);
      }
    });
    return out;
  }

  Window& window_;
  Collector collector_;
  SymbolBounds symbols_;
};

}  // namespace

Strings names_of(const std::vector<ProgramValue>& values) {
  Strings out;
  for (const ProgramValue& value : values) out.insert(out.end(), value.names.begin(), value.names.end());
  return out;
}

const ProgramValue* Operation::find(std::string_view name) const {
  for (const NamedArgument& input : inputs)
    if (input.name == name) return &input.value;
  return nullptr;
}

ElementType type_of_code(int64_t code) {
  switch (code) {
    case 1: return ElementType::U8;
    case 2: return ElementType::I8;
    case 3: return ElementType::I16;
    case 4: return ElementType::I32;
    case 5: return ElementType::I64;
    case 6: return ElementType::F16;
    case 7: return ElementType::F32;
    case 8: return ElementType::F64;
    case 12: return ElementType::Bool;
    case 13: return ElementType::BF16;
    case 28: return ElementType::U16;
    case 29: return ElementType::F8E4M3;
    case 30: return ElementType::F8E5M2;
    case 31: return ElementType::F8E4M3FNUZ;
    case 32: return ElementType::F8E5M2FNUZ;
    case 33: return ElementType::F8E8M0;
    case 34: return ElementType::U32;
    case 35: return ElementType::U64;
    default: return ElementType::Unknown;
  }
}

ElementType part_type_of_code(int64_t code) {
  switch (code) {
    case 9: return ElementType::F16;
    case 10: return ElementType::F32;
    case 11: return ElementType::F64;
    default: return ElementType::Unknown;
  }
}

Program read_program(Window& window, uint64_t begin, uint64_t end) {
  return ProgramReader(window, begin, end).program();
}

Operation read_operation(Window& window, uint64_t begin, uint64_t end) {
  return ProgramReader(window, begin, end).single();
}

}  // namespace mo::pytorch
