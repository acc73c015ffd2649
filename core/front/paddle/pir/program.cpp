#include "core/front/paddle/pir/program.h"

#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/paddle/extract/extractor.h"
#include "core/front/paddle/pir/framework_node.h"
#include "core/front/paddle/pir/names.h"
#include "core/front/paddle/pir/operations.h"

namespace mo::paddle::pir {
namespace {

/// The type of an operation without a row. One of another dialect may be called as an extension calls it.
std::string type_without_row(const std::string& name) {
  constexpr std::string_view kCustom = "custom_op.";
  if (!name.starts_with(kCustom)) return name;
  std::string bare = name.substr(kCustom.size());
  return operators().find(bare) ? name : bare;
}

class PirProgram final : public Program {
 public:
  PirProgram(Window& window, Text text) : Program(window), text_(std::move(text)), names_(text_, variables) {
    has_names = false;
  }

  OperatorDesc operation(size_t block, size_t index) override {
    const Operation& from = text_.blocks[block].operations[index];
    OperatorDesc out{.attributes = from.attributes, .place = from.place, .regions = from.regions};
    try {
      adapt(from, out);
    } catch (const Error& error) {
      out.fault = std::make_shared<const Error>(error);
    }
    return out;
  }
  size_t operator_count(size_t block) const override { return text_.blocks[block].operations.size(); }
  const Strings& arguments(size_t block) const override { return names_.arguments(block); }
  Place block_place(size_t block) const override { return place(text_.blocks[block].place); }
  const NodeFormat& format() const override { return kNodeFormat; }

 private:
  void adapt(const Operation& from, OperatorDesc& out) {
    if (from.name == "cf.yield" || !from.regions.empty()) {
      // Loops, branches and what ends their regions: the graph loader knows them.
      out.type = from.name == "pd_op.if" ? "conditional_block" : from.name.substr(from.name.find('.') + 1);
      take_all(from, out);
      return;
    }
    const bool is_known = from.name.starts_with("pd_op.");
    const OperationRow* row = is_known ? find_row(std::string_view(from.name).substr(6)) : nullptr;
    if (!row) {
      out.type = type_without_row(from.name);
      take_all(from, out);
      return;
    }
    out.type = row->type;
    row->adapt(out.attributes);
    // Results first: they are named if the operands are wrong, too.
    take_results(from, *row, out);
    take_operands(from, *row, out);
    // The shape of a list of numbers is only in its type.
    if (const Ints* list = out.attributes.get_if<Ints>("value"); list && from.name == "pd_op.full_int_array")
      out.attributes.set("shape", Ints{static_cast<int64_t>(list->size())});
  }

  /// All operands in X, all results in Out.
  void take_all(const Operation& from, OperatorDesc& out) {
    for (const Value& value : from.results)
      if (value.id != 0) add_names(out.outputs, "Out", value.id);
    for (const int64_t id : from.operands)
      if (id != 0) add_names(out.inputs, "X", id);
  }

  void take_operands(const Operation& from, const OperationRow& row, OperatorDesc& out) {
    for (size_t i = 0; i < from.operands.size(); ++i) {
      if (from.operands[i] == 0) continue;
      if (i >= row.operands.size()) {
        out.fault = std::make_shared<const Error>(
            Code::ExtraPort, msg(from.operands.size(), " inputs, ", row.operands.size(), " known"));
        return;
      }
      const OperandRow& operand = row.operands[i];
      if (operand.slot.empty() || take_known(from.operands[i], operand, out)) continue;
      if (operand.slot == "-") {
        out.fault = std::make_shared<const Error>(Code::UnsupportedForm, msg(operand.attribute, " is computed"));
        return;
      }
      // A list of one tensor may be that of all numbers.
      const Named* value = names_.find(from.operands[i]);
      const bool is_list = value && value->is_list && value->names.size() > 1 && !operand.list_slot.empty();
      add_names(out.inputs, is_list ? operand.list_slot : operand.slot, from.operands[i]);
    }
  }

  /// False if the operand is not known, or too long for an attribute.
  bool take_known(int64_t id, const OperandRow& operand, OperatorDesc& out) {
    constexpr size_t kMostInAttribute = 4096, kCounted = 64;
    const Attribute* value = operand.attribute.empty() ? nullptr : names_.known(id);
    if (!value) return false;
    if (const Ints* list = std::get_if<Ints>(value)) {
      if (list->size() > kMostInAttribute) return false;
      // A list may be that of any number of operations.
      if (list->size() > kCounted) expansion_.add_bytes(2 * sizeof(int64_t) * list->size());
    }
    out.attributes.set(operand.attribute, *value);
    out.elsewhere.set(operand.attribute, *value);
    return true;
  }

  void take_results(const Operation& from, const OperationRow& row, OperatorDesc& out) {
    for (size_t i = 0; i < std::min(from.results.size(), row.results.size()); ++i)
      if (row.results[i] != "-" && from.results[i].id != 0) add_names(out.outputs, row.results[i], from.results[i].id);
  }

  void add_names(std::vector<Slot>& slots, std::string_view slot, int64_t id) {
    if (slots.empty() || slots.back().name != slot) slots.push_back({.name = std::string(slot)});
    Strings& names = slots.back().arguments;
    const Named* value = names_.find(id);
    if (!value) return names.push_back(name_of_nothing(id));
    if (value->is_list) expansion_.add_ports(value->names.size());
    names.insert(names.end(), value->names.begin(), value->names.end());
  }

  Text text_;
  Names names_;
  Expansion expansion_;  ///< of lists: operations name them by one id
};

}  // namespace

std::unique_ptr<Program> read_program(Window& window, Diagnostics& diagnostics) {
  const auto where = [&] { return Place{.file = window.files().name(window.file())}; };
  return with_place(where, [&]() -> std::unique_ptr<Program> {
    Text text = read_text(window);
    if (text.version > kNewestVersion)
      diagnostics.warn(Code::NewerOpset, msg("version ", text.version, ", known up to ", kNewestVersion), where());
    return std::make_unique<PirProgram>(window, std::move(text));
  });
}

}  // namespace mo::paddle::pir
