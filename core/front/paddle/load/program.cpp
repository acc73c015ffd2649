#include "core/front/paddle/load/program.h"

#include <algorithm>

#include "core/front/paddle/load/lite_messages.h"
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

Block read_block(Window& window, const WireField& place) {
  Block block{.place = place};
  WireReader reader(window, place);
  for (WireField field; reader.next(field);) {
    if (!field.is_bytes()) continue;
    if (field.number == program::BlockDesc::vars) block.variables.push_back(field);
    if (field.number == program::BlockDesc::ops) block.operators.push_back(field);
  }
  return block;
}

}  // namespace

const Strings* OperatorDesc::input(std::string_view slot) const { return arguments(inputs, slot); }
const Strings* OperatorDesc::output(std::string_view slot) const { return arguments(outputs, slot); }
const std::string& OperatorDesc::only_input(std::string_view slot) const { return only(input(slot), slot); }
const std::string& OperatorDesc::only_output(std::string_view slot) const { return only(output(slot), slot); }

Program read_program(Window& window) {
  Program out{.file = window.file()};
  WireReader reader(window, 0, window.size());
  for (WireField field; reader.next(field);) {
    if (!field.is_bytes()) continue;
    switch (field.number) {
      case program::ProgramDesc::blocks:
        if (out.blocks.size() == kMostBlocks)
          throw Error(Code::TooDeep, msg("more than ", kMostBlocks, " blocks"), window.place(field.start));
        out.blocks.push_back(read_block(window, field));
        break;
      case program::ProgramDesc::version: out.version = lite::version(window, field); break;
      case program::ProgramDesc::op_version_map: out.operators = lite::operator_versions(window, field); break;
      default: break;
    }
  }
  return out;
}

VariableDesc read_variable(Window& window, const WireField& place) { return lite::variable(window, place); }

OperatorDesc read_operator(Window& window, const WireField& place) { return lite::operation(window, place); }

}  // namespace mo::paddle
