// Before: b = view(a); b' = write_(b, …); … reads a or another view of it
// After:  b = view(a); b' = write(b, …); a' = a with b' in the place of b; … reads a', or the view of a'
// Conditions: the views between a and b can be turned back, if something reads a or another view of it later.

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/prepare.h"

namespace mo::pytorch {
namespace {

/// Views of complex tensors, or of their parts.
bool is_complex_view(std::string_view op) {
  return is_one_of(op, {"view_as_real", "view_as_complex", "real", "imag", "conj", "_conj", "_neg_view", "resolve_conj",
                        "resolve_neg", "mH", "matrix_H"});
}

/// Views of which a write can be turned back.
bool is_view(std::string_view op) {
  return is_complex_view(op) ||
         is_one_of(op, {"slice",   "select",     "transpose", "permute",   "t",         "unsqueeze", "squeeze",
                        "view",    "reshape",    "flatten",   "unflatten", "alias",     "detach",    "contiguous",
                        "view_as", "reshape_as", "swapaxes",  "expand",    "expand_as", "split",     "split_with_sizes",
                        "chunk",   "unbind",     "narrow",    "diagonal",  "to",        "type_as",   "movedim",
                        "unfold",  "adjoint",    "mT"}) ||
         is_one_of(
             op, {"swapdims", "numpy_T", "matrix_H", "mH", "moveaxis", "tensor_split", "hsplit", "vsplit", "dsplit",
                  "ravel", "broadcast_to", "atleast_1d", "atleast_2d", "atleast_3d", "as_strided", "linalg_diagonal"});
}

ProgramValue tensor(const std::string& name) { return {.kind = ProgramValue::Kind::Tensor, .names = {name}}; }

/// Whether a write to it stays for the next inference: a tensor that the module has.
bool is_of_module(InputSpec::Kind kind) {
  using Kind = InputSpec::Kind;
  return kind == Kind::Buffer || kind == Kind::Parameter || kind == Kind::Constant;
}

class Functional {
 public:
  Functional(Program& program, Expansion& expansion)
      : graph_(program.graph), program_(&program), expansion_(expansion) {
    for (const InputSpec& input : program.inputs) {
      defined_.insert(input.value.names.begin(), input.value.names.end());
      if (is_of_module(input.kind)) kept_.emplace(input.value.names.at(0), input.target);
    }
  }
  /// Of a body.
  Functional(ProgramGraph& graph, Expansion& expansion) : graph_(graph), expansion_(expansion) {
    for (std::string& name : names_of(graph.inputs)) defined_.insert(std::move(name));
    outside_ = defined_;
  }

  void run() {
    for (Operation& operation : graph_.operations)
      for (NamedArgument& input : operation.inputs)
        if (input.value.graph) Functional(*input.value.graph, expansion_).run();
    const auto writes = [](const Operation& operation) { return target_of(operation.target).in_place; };
    if (std::none_of(graph_.operations.begin(), graph_.operations.end(), writes)) return;
    std::vector<Operation> operations = std::move(graph_.operations);
    graph_.operations.clear();
    for (Operation& operation : operations) {
      const Place place = place_of(operation);
      with_place([&] { return place; }, [&] { take(std::move(operation)); });
    }
    for (ProgramValue& output : graph_.outputs) read(output);
    if (!program_) return;
    for (const std::string& name : changed_)
      program_->outputs.push_back({.value = tensor(name), .kind = "buffer_mutation", .target = kept_.at(name)});
    for (OutputSpec& output : program_->outputs) {
      const Strings before = output.value.names;
      read(output.value);
      if (!before.empty() && output.value.names != before) output.name = before[0];
    }
  }

 private:
  /// A tensor that shares its elements with another one.
  struct View {
    std::string base, root;
    Operation how;  ///< makes it of the base
    int version = 0;
  };

  static Place place_of(const Operation& operation) {
    Place place = operation.place;
    place.op = operation.target;
    if (!operation.outputs.empty() && !operation.outputs[0].names.empty()) place.node = operation.outputs[0].names[0];
    return place;
  }

  void take(Operation operation) {
    const Target target = target_of(operation.target);
    const bool has_tensor = !operation.inputs.empty() && operation.inputs[0].value.kind == ProgramValue::Kind::Tensor;
    if (target.in_place && has_tensor) {
      const std::string written = operation.inputs[0].value.names[0];
      for (NamedArgument& input : operation.inputs) read(input.value);
      return write(std::move(operation), target, written);
    }
    const std::string base = has_tensor ? operation.inputs[0].value.names[0] : std::string();
    for (NamedArgument& input : operation.inputs) read(input.value);
    // A view is made after what it views, and once: so views never go around.
    const bool views = is_view(target.op) && has_tensor && defined_.count(base) > 0;
    for (const ProgramValue& output : operation.outputs)
      for (const std::string& name : output.names)
        if (defined_.insert(name).second && views) views_[name] = {base, root_of(base), operation, version(base)};
    graph_.operations.push_back(std::move(operation));
  }

  /// The root of what a tensor is a view of.
  std::string root_of(const std::string& name) const {
    const auto found = views_.find(name);
    return found == views_.end() ? name : found->second.root;
  }
  int version(const std::string& name) const {
    const auto found = versions_.find(root_of(name));
    return found == versions_.end() ? 0 : found->second;
  }

  /// Names become those of today's values.
  void read(ProgramValue& argument) {
    if (argument.kind != ProgramValue::Kind::Tensor && argument.kind != ProgramValue::Kind::Tensors) return;
    for (std::string& name : argument.names) name = value_of(name, 0);
  }

  std::string value_of(const std::string& name, int depth) {
    if (depth > 1000) throw Error(Code::TooDeep, "views of views");
    if (const auto found = lost_.find(name); found != lost_.end())
      throw Error(Code::UnsupportedForm, msg("it reads what has been written through ", found->second));
    const auto view = views_.find(name);
    if (view == views_.end()) {
      const auto found = values_.find(name);
      return found == values_.end() ? name : found->second;
    }
    const int now = version(name);
    if (view->second.version == now) {
      const auto found = values_.find(name);
      return found == values_.end() ? name : found->second;
    }
    // It may have been a copy before the write.
    if (const std::string op = target_of(view->second.how.target).op; is_one_of(op, {"resolve_conj", "resolve_neg"}))
      throw Error(Code::UnsupportedForm, msg("it reads what has been written through ", op));
    expansion_.add_node();
    // The base has been written to: the view is made of it again.
    const std::string base = value_of(view->second.base, depth + 1);
    Operation again = views_.at(name).how;
    again.inputs[0].value.names = {base};
    std::string out;
    for (ProgramValue& output : again.outputs)
      for (std::string& one : output.names) {
        const std::string fresh = fresh_name(one, one);
        if (one == name) out = fresh;
        one = fresh;
      }
    graph_.operations.push_back(std::move(again));
    View& known = views_.at(name);
    known.version = now;
    return values_[name] = out;
  }

  std::string fresh_name(const std::string& like, const std::string& meta_of) {
    const std::string out = cat(like, "__w", ++made_);
    if (const auto found = graph_.tensors.find(meta_of); found != graph_.tensors.end()) {
      const TensorMeta meta = found->second;
      graph_.tensors.emplace(out, meta);
    }
    return out;
  }

  /// `written` is the name that the program wrote.
  void write(Operation operation, const Target& target, const std::string& written) {
    if (operation.outputs.empty() || operation.outputs[0].names.size() != 1)
      throw Error(Code::UnsupportedForm, "a write to something that is no tensor");
    const std::string made = operation.outputs[0].names[0], root = root_of(written);
    if (!defined_.count(written)) throw Error(Code::UnknownTensor, std::string(written));
    if (!defined_.insert(made).second) throw Error(Code::DuplicateTensor, std::string(made));
    if (kept_.count(root)) changed_.insert(root);
    if (outside_.count(root)) throw Error(Code::UnsupportedForm, "a write to an input of the body that it is in");
    operation.target = cat("torch.ops.", target.domain, ".", target.op, ".", target.overload);
    graph_.operations.push_back(std::move(operation));
    std::vector<std::pair<std::string, std::string>> bases;  // and their values before the write
    for (auto view = views_.find(written); view != views_.end(); view = views_.find(bases.back().first)) {
      const std::string base = view->second.base;
      bases.emplace_back(base, lost_.count(base) ? base : value_of(base, 0));
    }
    const int now = ++versions_[root];
    std::string name = written, value = made;
    bool is_lost = false;
    values_[name] = value;
    for (const auto& [base, before] : bases) {
      View& view = views_.at(name);
      view.version = now;
      const std::string op = target_of(view.how.target).op;
      is_lost = is_lost || lost_.count(base) > 0 || !turn_back(view, before, value);
      if (is_lost) lost_.emplace(base, op);
      values_[base] = value;
      name = base;
    }
    // The output is the same tensor as what was written to.
    Operation alias;
    alias.target = "torch.ops.aten.alias.default";
    alias.inputs = {{"self", tensor(written)}};
    alias.outputs = {tensor(made)};
    views_[made] = {written, root, std::move(alias), now};
    values_[made] = made;
  }

  /// `value` of a view becomes that of its base, which was `base` before. False if that cannot be said.
  bool turn_back(const View& view, const std::string& base, std::string& value) {
    const Target target = target_of(view.how.target);
    if (is_one_of(target.op, {"alias", "detach"})) return true;
    const std::string out = fresh_name(view.base, view.base);
    Operation back;
    back.module = view.how.module, back.place = view.how.place, back.offset = view.how.offset,
    back.size = view.how.size;
    back.outputs = {tensor(out)};
    const auto others = [&] { return std::vector<NamedArgument>(view.how.inputs.begin() + 1, view.how.inputs.end()); };
    const auto with = [&](std::vector<NamedArgument> first) {
      for (NamedArgument& one : others()) first.push_back(std::move(one));
      return first;
    };
    if (is_one_of(target.op, {"slice", "select", "diagonal"})) {
      back.target = cat("torch.ops.aten.", target.op, "_scatter.default");
      back.inputs = with({{"self", tensor(base)}, {"src", tensor(value)}});
    } else if (is_one_of(target.op, {"transpose", "swapaxes", "t"})) {
      back.target = view.how.target;
      back.inputs = with({{"self", tensor(value)}});
    } else if (is_one_of(target.op, {"unsqueeze", "squeeze", "view", "reshape", "flatten", "unflatten", "view_as",
                                     "reshape_as", "contiguous"})) {
      back.target = "torch.ops.aten.view_as.default";
      back.inputs = {{"self", tensor(value)}, {"other", tensor(base)}};
    } else if (target.op == "permute" && view.how.inputs.size() == 2) {
      Ints order = view.how.inputs[1].value.numbers, inverse(order.size());
      const auto rank = static_cast<int64_t>(order.size());
      for (int64_t i = 0; i < rank; ++i) {
        const int64_t from =
            order[static_cast<size_t>(i)] < 0 ? order[static_cast<size_t>(i)] + rank : order[static_cast<size_t>(i)];
        if (from < 0 || from >= rank) throw Error(Code::BadAttribute, msg("dims holds ", from));
        inverse[static_cast<size_t>(from)] = i;
      }
      back.target = view.how.target;
      back.inputs = {{"self", tensor(value)}, {"dims", {.kind = ProgramValue::Kind::Ints, .numbers = inverse}}};
    } else if (is_one_of(target.op, {"view_as_real", "view_as_complex", "conj", "_conj", "_neg_view"})) {
      const bool to_pairs = target.op == "view_as_complex", from_pairs = target.op == "view_as_real";
      back.target = to_pairs     ? "torch.ops.aten.view_as_real.default"
                    : from_pairs ? "torch.ops.aten.view_as_complex.default"
                                 : view.how.target;
      back.inputs = {{"self", tensor(value)}};
    } else if (is_one_of(target.op, {"real", "imag"}) && is_complex(view.base)) {
      const bool is_real = target.op == "real";
      Operation kept = back;
      kept.target = is_real ? "torch.ops.aten.imag.default" : "torch.ops.aten.real.default";
      kept.inputs = {{"self", tensor(base)}};
      const std::string other = fresh_name(view.base, value);
      kept.outputs = {tensor(other)};
      graph_.operations.push_back(std::move(kept));
      back.target = "torch.ops.aten.complex.default";
      back.inputs = {{"real", tensor(is_real ? value : other)}, {"imag", tensor(is_real ? other : value)}};
    } else {
      return false;
    }
    graph_.operations.push_back(std::move(back));
    value = out;
    return true;
  }

  bool is_complex(const std::string& name) const {
    const auto found = graph_.tensors.find(name);
    return found != graph_.tensors.end() && found->second.is_complex;
  }

  ProgramGraph& graph_;
  Program* program_ = nullptr;               ///< null in a body
  std::map<std::string, std::string> kept_;  ///< tensors of the module, and their names in it
  std::set<std::string> changed_;            ///< those of them that are written
  std::unordered_set<std::string> defined_;
  std::unordered_set<std::string> outside_;              ///< inputs of a body
  std::unordered_map<std::string, View> views_;          ///< by the name of the view
  std::unordered_map<std::string, std::string> values_;  ///< today's, of names that were written to
  std::unordered_map<std::string, std::string> lost_;    ///< what was written to in a way that is not followed
  std::unordered_map<std::string, int> versions_;        ///< how often roots were written to
  Expansion& expansion_;
  int made_ = 0;
};

/// `read` has the names of the results.
void remove_unread_operations(ProgramGraph& graph, std::set<std::string> read) {
  std::vector<Operation>& all = graph.operations;
  std::vector<Operation> kept;
  for (size_t i = all.size(); i-- > 0;) {
    const Strings outputs = names_of(all[i].outputs);
    if (std::none_of(outputs.begin(), outputs.end(), [&](const std::string& name) { return read.count(name) > 0; }))
      continue;
    for (const NamedArgument& input : all[i].inputs) {
      read.insert(input.value.names.begin(), input.value.names.end());
      if (!input.value.graph) continue;
      const Strings results = names_of(input.value.graph->outputs);
      remove_unread_operations(*input.value.graph, {results.begin(), results.end()});
    }
    kept.push_back(std::move(all[i]));
  }
  std::reverse(kept.begin(), kept.end());
  all = std::move(kept);
}

}  // namespace

void make_functional(Program& program) {
  Expansion expansion;
  Functional(program, expansion).run();
}

Target target_of(std::string_view target) {
  constexpr std::string_view kOps = "torch.ops.";
  Target out;
  std::string_view rest = target;
  const bool is_op = rest.starts_with(kOps);
  if (is_op) rest.remove_prefix(kOps.size());
  const size_t first = rest.find('.'), second = is_op && first != rest.npos ? rest.find('.', first + 1) : rest.npos;
  out.domain = std::string(rest.substr(0, first));
  if (first != rest.npos)
    out.op = std::string(rest.substr(first + 1, second == rest.npos ? rest.npos : second - first - 1));
  if (second != rest.npos) out.overload = std::string(rest.substr(second + 1));
  out.in_place = out.domain == "aten" && out.op.size() > 1 && out.op.ends_with('_') && !out.op.ends_with("__");
  if (out.in_place) out.op.pop_back();
  static constexpr std::string_view kOfPython[] = {"__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"};
  if (out.domain == "aten" && std::find(std::begin(kOfPython), std::end(kOfPython), out.op) != std::end(kOfPython)) {
    out.in_place = true;
    out.op.erase(2, 1);
  }
  return out;
}

void remove_unread(Program& program) {
  std::set<std::string> read;
  // Only asserts and prints are read by tokens alone: they keep an order.
  for (const OutputSpec& output : program.outputs)
    if (output.kind != "token") read.insert(output.value.names.begin(), output.value.names.end());
  remove_unread_operations(program.graph, std::move(read));
}

}  // namespace mo::pytorch
