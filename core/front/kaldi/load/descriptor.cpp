#include "core/front/kaldi/load/descriptor.h"

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

using DescriptorKind = Descriptor::Kind;

/// What stands between the brackets of a term: d a descriptor, D some, n a number, i a whole number, [i] perhaps
/// another one, x the name of an index.
struct TermRow {
  std::string_view name;
  DescriptorKind kind;
  std::string_view parts;
};
constexpr TermRow kTerms[] = {
    {"Append", DescriptorKind::Append, "D"},       {"Sum", DescriptorKind::Sum, "D"},
    {"Switch", DescriptorKind::Switch, "D"},       {"Failover", DescriptorKind::Failover, "dd"},
    {"IfDefined", DescriptorKind::IfDefined, "d"}, {"Offset", DescriptorKind::Offset, "di?"},
    {"Round", DescriptorKind::Round, "di"},        {"Scale", DescriptorKind::Scale, "nd"},
    {"Const", DescriptorKind::Const, "ni"},        {"ReplaceIndex", DescriptorKind::ReplaceIndex, "dxi"}};

const TermRow* find_term(std::string_view name) {
  for (const TermRow& row : kTerms)
    if (row.name == name) return &row;
  return nullptr;
}

/// Keeps its own stack: a term is as deep as its file wants.
class DescriptorReader {
 public:
  DescriptorReader(const ConfigValue& value, const Stream& stream)
      : text_(value.text), value_(value), stream_(stream) {}

  Descriptor read() {
    std::vector<Open> open;
    for (;;) {
      Descriptor done = begin(open);
      // Closes what is complete with it.
      for (;;) {
        if (open.empty()) {
          if (!next().empty()) fail("a descriptor goes on behind its end");
          return done;
        }
        open.back().term.parts.push_back(std::move(done));
        if (!close(open.back())) break;
        done = std::move(open.back().term);
        open.pop_back();
      }
    }
  }

 private:
  struct Open {
    Descriptor term;
    std::string_view rest;  ///< what is still to come
  };

  /// Reads up to a name, or a term without descriptors in it, and opens the terms around it.
  Descriptor begin(std::vector<Open>& open) {
    for (;;) {
      const std::string_view word = take();
      const TermRow* row = find_term(word);
      if (!row) {
        if (!is_valid_name(word)) fail(msg(shown(word), " is where ", Detail("a descriptor"), " should be"));
        Descriptor node;
        node.node = word;
        return node;
      }
      if (open.size() == kDeepestDescriptor)
        throw Error(Code::TooDeep, msg("a descriptor in more than ", kDeepestDescriptor, " others"), place());
      expect("(");
      Open term{{}, row->parts};
      term.term.kind = row->kind;
      read_numbers(term);
      if (term.rest.empty()) {
        expect(")");
        return std::move(term.term);
      }
      open.push_back(std::move(term));
    }
  }

  /// Behind a descriptor in a term. True if the term is complete.
  bool close(Open& open) {
    if (open.rest == "D") {
      if (next() == ")") {
        take();
        return true;
      }
      expect(",");
      return false;
    }
    open.rest.remove_prefix(1);
    if (!open.rest.empty()) expect(",");
    read_numbers(open);
    if (!open.rest.empty()) return false;
    expect(")");
    return true;
  }

  /// Numbers up to the next descriptor, or to the end.
  void read_numbers(Open& open) {
    Descriptor& term = open.term;
    while (!open.rest.empty() && open.rest[0] != 'd' && open.rest[0] != 'D') {
      const char kind = open.rest[0];
      open.rest.remove_prefix(1);
      if (kind == 'n') {
        term.number = number();
      } else if (kind == 'x') {
        const std::string_view index = take();
        if (index != "t" && index != "x") fail(msg(shown(index), " is where ", Detail("t or x"), " should be"));
        term.replaces_x = index == "x";
      } else if (kind == 'i') {
        set_integer(term, integer());
      } else if (next() == ",") {
        take();
        term.x = integer();
      }
      if (!open.rest.empty() && open.rest[0] != '?') expect(",");
    }
  }

  void set_integer(Descriptor& term, int64_t value) {
    const bool is_count = term.kind == DescriptorKind::Round || term.kind == DescriptorKind::Const;
    if (is_count && value <= 0) fail(msg(value, " is where ", Detail("a positive number"), " should be"));
    if (term.kind == DescriptorKind::Round)
      term.modulus = value;
    else if (term.kind == DescriptorKind::Const)
      term.dim = value;
    else if (term.replaces_x)
      term.x = value;
    else
      term.t = value;
  }

  double number() {
    const std::string_view word = take();
    const auto value = parse_double(word);
    if (!value || word.find_first_not_of("0123456789.eE+-") != word.npos)
      fail(msg(shown(word), " is where ", Detail("a number"), " should be"));
    return *value;
  }

  int64_t integer() {
    const std::string_view word = take();
    const auto value = parse_int(word);
    if (!value || *value < INT32_MIN || *value > INT32_MAX)
      fail(msg(shown(word), " is where ", Detail("a whole number"), " should be"));
    return *value;
  }

  void expect(std::string_view wanted) {
    if (const std::string_view found = take(); found != wanted)
      fail(msg(shown(found), " is where ", wanted, " should be"));
  }

  /// The next word, or bracket or comma; empty at the end.
  std::string_view next() {
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    if (at_ == text_.size()) return {};
    if (is_mark(text_[at_])) return text_.substr(at_, 1);
    return text_.substr(at_, std::min(text_.find_first_of(" \t(),", at_), text_.size()) - at_);
  }
  std::string_view take() {
    const std::string_view out = next();
    last_ = at_;
    at_ += out.size();
    return out;
  }
  static bool is_mark(char c) { return c == '(' || c == ')' || c == ','; }
  static Detail shown(std::string_view word) {
    return word.empty() ? Detail("the end") : Detail(printable(word.substr(0, 40)));
  }

  Place place() const {
    Stream::Mark mark = value_.place;
    mark.at += last_;
    return stream_.place(mark);
  }
  [[noreturn]] void fail(const Detail& what) const { throw Error(Code::CorruptFile, what, place()); }

  std::string_view text_;
  const ConfigValue& value_;
  const Stream& stream_;
  size_t at_ = 0, last_ = 0;
};

bool has_inner_append(const Descriptor& term, bool is_outermost) {
  if (!is_outermost && term.kind == DescriptorKind::Append) return true;
  for (const Descriptor& part : term.parts)
    if (has_inner_append(part, false)) return true;
  return false;
}

/// The parts that the term is the Append of.
std::vector<Descriptor> appended(const Descriptor& term, int& budget, const Place& place) {
  if (term.parts.empty()) return {term};
  std::vector<std::vector<Descriptor>> parts;
  for (const Descriptor& part : term.parts) parts.push_back(appended(part, budget, place));
  std::vector<Descriptor> out;
  const bool is_append = term.kind == DescriptorKind::Append;
  if (is_append) {
    for (std::vector<Descriptor>& part : parts)
      for (Descriptor& one : part) out.push_back(std::move(one));
    return out;
  }
  for (const std::vector<Descriptor>& part : parts)
    if (part.size() != parts[0].size())
      throw Error(Code::CorruptFile, "a descriptor joins terms that append different numbers of parts", place);
  for (size_t i = 0; i < parts[0].size(); ++i) {
    if (--budget < 0)
      throw Error(Code::TooDeep, msg("descriptors that append within terms make more than ", kMostTerms, " terms"),
                  place);
    Descriptor one;
    one.kind = term.kind;
    one.number = term.number;
    one.t = term.t, one.x = term.x, one.replaces_x = term.replaces_x;
    one.modulus = term.modulus;
    for (std::vector<Descriptor>& part : parts) one.parts.push_back(std::move(part[i]));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Descriptor read_descriptor(const ConfigValue& value, const Stream& stream, int& budget) {
  Descriptor term = DescriptorReader(value, stream).read();
  if (!has_inner_append(term, true)) return term;
  Descriptor out;
  out.kind = DescriptorKind::Append;
  out.parts = appended(term, budget, stream.place(value.place));
  return out.parts.size() == 1 ? Descriptor(std::move(out.parts[0])) : out;
}

}  // namespace mo::kaldi
