// What descriptors become. Offsets are pushed inwards, to the nodes: they commute with all but Round, Switch and
// ReplaceIndex.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/kaldi/load/dimensions.h"
#include "core/front/kaldi/load/graph_loader.h"

namespace mo::kaldi {
namespace {

constexpr int kMostTermsInside = 1000;

int64_t joined_offset(int64_t a, int64_t b) {
  const int64_t sum = a + b;
  if (sum > INT32_MAX || sum < -INT32_MAX) throw Error(Code::BadAttribute, msg("an offset of ", sum, " frames"));
  return sum;
}

const Descriptor& only_part(const Descriptor& descriptor) {
  if (descriptor.parts.size() != 1) throw Error(Code::MissingInput, msg(descriptor.parts.size(), " terms for 1"));
  return descriptor.parts[0];
}

}  // namespace

OutPort GraphLoader::value(Scope& scope, const Descriptor& descriptor, int64_t offset, int depth) {
  if (depth > kMostTermsInside)
    throw Error(Code::TooDeep, msg("more than ", kMostTermsInside, " terms in one another"));
  using Kind = Descriptor::Kind;
  Builder b(graph_, scope.network.nodes[scope.at].name);
  const auto part = [&](const Descriptor& each, int64_t at) { return value(scope, each, at, depth + 1); };
  // Behind a term that fixes the time, or counts it, an offset is one of its result.
  const auto shifted = [&](OutPort x) {
    return offset == 0 ? x : b.op("MemoryOffset", {x}, {{"t", offset}, {"has_default", false}});
  };
  if (descriptor.kind != Kind::Node && descriptor.kind != Kind::Const && descriptor.parts.empty())
    throw Error(Code::MissingInput, "a term without terms in it");
  switch (descriptor.kind) {
    case Kind::Node: return term(scope, descriptor.node, offset, false);
    case Kind::Const:
      if (descriptor.dim <= 0 || descriptor.dim > INT32_MAX)
        throw Error(Code::BadAttribute, msg("Const of dim ", descriptor.dim));
      return b.constant(make_splat(ElementType::F32, {1, descriptor.dim}, descriptor.number));
    case Kind::Append: {
      if (descriptor.parts.size() == 1) return part(descriptor.parts[0], offset);
      std::vector<OutPort> parts;
      for (const Descriptor& each : descriptor.parts) parts.push_back(part(each, offset));
      return b.concat(parts, 1);
    }
    case Kind::Sum:
    case Kind::Failover: {
      OutPort out = part(descriptor.parts[0], offset);
      for (size_t i = 1; i < descriptor.parts.size(); ++i) {
        const OutPort other = part(descriptor.parts[i], offset);
        out = b.op(descriptor.kind == Kind::Sum ? "Add" : "TimeFailover", {out, other});
      }
      return out;
    }
    case Kind::IfDefined: return if_defined(scope, only_part(descriptor), offset, depth + 1);
    case Kind::Offset:
      if (descriptor.x != 0) throw Error(Code::UnsupportedForm, "Offset in x: a frame has one x");
      return part(only_part(descriptor), joined_offset(offset, descriptor.t));
    case Kind::Scale: {
      const OutPort x = part(only_part(descriptor), offset);
      return b.op("Mul", {x, b.f32_scalar(static_cast<float>(descriptor.number))});
    }
    case Kind::ReplaceIndex:
      return descriptor.replaces_x ? part(only_part(descriptor), offset)
                                   : replaced_time(scope, descriptor, offset, depth + 1);
    case Kind::Switch: {
      std::vector<OutPort> parts;
      for (const Descriptor& each : descriptor.parts) parts.push_back(part(each, 0));
      return shifted(parts.size() == 1 ? parts[0] : b.op("TimeSwitch", parts));
    }
    case Kind::Round: {
      if (descriptor.modulus <= 0 || descriptor.modulus > INT32_MAX)
        throw Error(Code::BadAttribute, msg("Round to multiples of ", descriptor.modulus));
      const OutPort x = part(only_part(descriptor), 0);
      return shifted(descriptor.modulus == 1 ? x : b.op("TimeRound", {x}, {{"modulus", descriptor.modulus}}));
    }
  }
  throw Error(Code::UnsupportedForm, "a term of a kind that is not known");
}

/// 0 where the term cannot be computed. Of a sum, all parts must be.
OutPort GraphLoader::if_defined(Scope& scope, const Descriptor& inner, int64_t offset, int depth) {
  const Descriptor* at = &inner;
  while (at->kind == Descriptor::Kind::Offset && at->x == 0) {
    offset = joined_offset(offset, at->t);
    at = &only_part(*at);
  }
  if (at->kind == Descriptor::Kind::Node) return term(scope, at->node, offset, true);
  Builder b(graph_, scope.network.nodes[scope.at].name);
  if (at->kind == Descriptor::Kind::Scale) {
    const OutPort x = if_defined(scope, only_part(*at), offset, depth + 1);
    return b.op("Mul", {x, b.f32_scalar(static_cast<float>(at->number))});
  }
  const OutPort x = value(scope, *at, offset, depth + 1);
  return b.op("MemoryOffset", {x}, {{"t", 0}, {"has_default", true}});
}

OutPort GraphLoader::replaced_time(Scope& scope, const Descriptor& descriptor, int64_t, int depth) {
  const OutPort x = value(scope, only_part(descriptor), 0, depth + 1);
  const bool is_moved = x.node().op() == "MemoryOffset" && x.node().has_in(0) && !x.node().get_bool("has_default");
  Builder b(graph_, scope.network.nodes[scope.at].name);
  if (is_moved) {
    const int64_t t = joined_offset(descriptor.t, x.node().get_int("t"));
    return b.op("TimeAt", {x.node().source(0)}, {{"t", t}});
  }
  return b.op("TimeAt", {x}, {{"t", descriptor.t}});
}

/// A node, so many frames later.
OutPort GraphLoader::term(Scope& scope, const std::string& name, int64_t offset, bool has_default) {
  const size_t number = number_of(scope, name);
  const NetworkNode& node = scope.network.nodes[number];
  const bool is_state = scope.order.is_state(scope.at, number, offset);
  if (scope.failed[number]) throw Error::reported();
  if (!is_state && offset == 0 && !has_default) return scope.made[number];
  OutPort& known = scope.terms[{number, offset, has_default}];
  if (known) return known;
  Builder b(graph_, name);
  if (!is_state)
    return known = b.op("MemoryOffset", {scope.made[number]}, {{"t", offset}, {"has_default", has_default}});
  const int64_t dim =
      node.kind == NetworkNode::Kind::Component ? output_dim(scope.network.components.at(node.component)) : node.dim;
  if (dim <= 0)
    throw Error(Code::UnsupportedForm,
                msg("how many numbers node \"", printable(name), "\" gives is not known, and it is a state"));
  scope.stored.insert(number);
  return known = b.op("MemoryOffset", {},
                      {{"t", offset}, {"has_default", has_default}, {"variable_id", name}, {"dim", dim}});
}

}  // namespace mo::kaldi
