#include "core/front/paddle/load/program.h"

#include <algorithm>
#include <set>

#include "core/front/paddle/load/framework_node.h"
#include "core/front/paddle/load/lite_messages.h"
#include "core/front/paddle/load/types.h"
#include "paddle_messages.h"

namespace mo::paddle {
namespace {

constexpr size_t kMostBlocks = 1 << 16;

const Strings* arguments(const std::vector<Slot>& slots, std::string_view name) {
  for (const Slot& slot : slots)
    if (slot.name == name && !slot.arguments.empty()) return &slot.arguments;
  return nullptr;
}

const std::string& only(const Strings* names, std::string_view slot) {
  if (names && names->size() == 1) return names->front();
  throw Error(Code::MissingInput, msg(std::string(slot), ": ", names ? names->size() : 0, " variables for 1"));
}

/// Its operators are places, which are read when they are asked for.
class WireProgram final : public Program {
 public:
  explicit WireProgram(Window& window) : Program(window) {
    WireReader reader(window, 0, window.size());
    for (WireField field; reader.next(field);) {
      if (!field.is_bytes()) continue;
      switch (field.number) {
        case program::ProgramDesc::blocks:
          if (blocks_.size() == kMostBlocks)
            throw Error(Code::TooDeep, msg("more than ", kMostBlocks, " blocks"), window.place(field.start));
          read_block(field);
          break;
        case program::ProgramDesc::version: version = lite::version(window, field); break;
        case program::ProgramDesc::op_version_map: versions = lite::operator_versions(window, field); break;
        default: break;
      }
    }
  }

  OperatorDesc operation(size_t block, size_t index) override {
    return read_operator(window_, blocks_[block].operators[index]);
  }
  size_t operator_count(size_t block) const override { return blocks_[block].operators.size(); }
  const Strings& arguments(size_t) const override { return none_; }
  Place block_place(size_t block) const override { return window_.place(blocks_[block].start); }
  const NodeFormat& format() const override { return kNodeFormat; }

 private:
  struct Block {
    uint64_t start;
    std::vector<WireField> operators;
  };

  void read_block(const WireField& place) {
    Block& block = blocks_.emplace_back(Block{place.start, {}});
    Declarations& declared = variables.emplace_back();
    WireReader reader(window_, place);
    for (WireField field; reader.next(field);) {
      if (!field.is_bytes()) continue;
      if (field.number == program::BlockDesc::ops) block.operators.push_back(field);
      if (field.number != program::BlockDesc::vars) continue;
      VariableDesc variable = lite::variable(window_, field);
      std::string name = variable.name;
      declared.emplace(std::move(name), std::move(variable));
    }
  }

  std::vector<Block> blocks_;
  Strings none_;
};

}  // namespace

const Strings* OperatorDesc::input(std::string_view slot) const { return arguments(inputs, slot); }
const Strings* OperatorDesc::output(std::string_view slot) const { return arguments(outputs, slot); }
const std::string& OperatorDesc::only_input(std::string_view slot) const { return only(input(slot), slot); }
const std::string& OperatorDesc::only_output(std::string_view slot) const { return only(output(slot), slot); }

Place Program::place(const OperatorPlace& place) const {
  if (place.line == 0) return window_.place(place.start);
  return {.file = window_.files().name(file()), .line = place.line, .column = place.column};
}

Strings Program::parameter_names() const {
  std::set<std::string> names;
  for (const Declarations& block : variables)
    for (const auto& [name, variable] : block)
      if (variable.is_persistable && variable.kind == static_cast<int64_t>(VariableKind::Tensor) && name != "feed" &&
          name != "fetch")
        names.insert(name);
  return {names.begin(), names.end()};
}

std::unique_ptr<Program> read_program(Window& window) { return std::make_unique<WireProgram>(window); }

OperatorDesc read_operator(Window& window, const WireField& place) {
  OperatorDesc out = lite::operation(window, place);
  out.place = {.start = place.start, .offset = place.offset, .size = place.size};
  return out;
}

}  // namespace mo::paddle
