#include "core/front/pytorch/load/pickle.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"

namespace mo::pytorch {
namespace {

constexpr size_t kMostPickled = 1 << 20;
constexpr uint64_t kLongestText = 1 << 15, kLongestPickle = 1 << 30;

}  // namespace

/// The machine of pickles: a stack of values, marks in it, and a memo.
class PickleReader {
 public:
  using Kind = Pickle::Kind;
  PickleReader(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view), Pickle& out)
      : window_(window), at_(begin), end_(end), is_known_(is_known), out_(out), values_(out.values_) {
    if (end - begin > kLongestPickle)
      throw Error(Code::TooDeep, msg("a pickle of ", end - begin, " bytes"), window.place(begin));
    values_.reserve(static_cast<size_t>(std::min<uint64_t>(kMostPickled, end - begin)));
  }

  uint32_t read() {
    for (;;) {
      begin_ = at_;
      const auto opcode = static_cast<char>(number(1));
      switch (opcode) {
        case '.': return pop();
        case '\x80': number(1); break;
        case '(': marks_.push_back(static_cast<uint32_t>(stack_.size())); break;
        case 'N': add(Kind::None); break;
        case '\x88': add(Kind::Bool).number = 1; break;
        case '\x89': add(Kind::Bool); break;
        case 'K': add_number(number(1)); break;
        case 'M': add_number(number(2)); break;
        case 'J': add_number(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(number(4))))); break;
        case '\x8a': add_number(long_number()); break;
        case 'X': add_text(text(number(4))); break;
        case ')': add_items(Kind::Tuple, 0); break;
        case ']': add(Kind::List); break;
        case '}': add(Kind::Dict); break;
        case 't': add_items(Kind::Tuple, above_mark()); break;
        case '\x85': add_items(Kind::Tuple, 1); break;
        case '\x86': add_items(Kind::Tuple, 2); break;
        case '\x87': add_items(Kind::Tuple, 3); break;
        case 'c': add_global(); break;
        case 'q': memo_[number(1)] = peek(); break;
        case 'r': memo_[number(4)] = peek(); break;
        case 'h': recall(number(1)); break;
        case 'j': recall(number(4)); break;
        case 'Q': add_items(Kind::Persistent, 1); break;
        case 'R': call(); break;
        case 's': extend(Kind::Dict, 2); break;
        case 'u': extend(Kind::Dict, above_mark()); break;
        case 'a': extend(Kind::List, 1); break;
        case 'e': extend(Kind::List, above_mark()); break;
        case 'b': pop(); break;  // the state of an object: metadata of a dictionary of weights
        default:
          throw Error(Code::UnsupportedForm, msg("a pickle with the opcode ", static_cast<unsigned char>(opcode)),
                      window_.place(begin_));
      }
    }
  }

 private:
  [[noreturn]] void corrupt(const Detail& what) const { throw Error(Code::CorruptFile, what, window_.place(begin_)); }
  uint64_t number(size_t bytes) {
    if (end_ - at_ < bytes) throw Error(Code::TruncatedFile, "a pickle", window_.place(at_));
    uint64_t out = 0;
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(window_.byte(at_++)) << (8 * i);
    return out;
  }
  uint64_t long_number() {
    const uint64_t bytes = number(1);
    if (bytes > 8) corrupt("a number of more than 64 bits");
    const uint64_t value = number(static_cast<size_t>(bytes));
    const bool is_negative = bytes > 0 && bytes < 8 && ((value >> (8 * bytes - 1)) & 1) != 0;
    return is_negative ? value | (~uint64_t{0} << (8 * bytes)) : value;
  }
  std::string text(uint64_t size) {
    if (size > kLongestText) throw Error(Code::TooDeep, msg("a text of ", size, " bytes"), window_.place(begin_));
    std::string out;
    for (uint64_t i = 0; i < size; ++i) out += static_cast<char>(number(1));
    return out;
  }
  std::string line() {
    std::string out;
    for (char c = static_cast<char>(number(1)); c != '\n'; c = static_cast<char>(number(1))) {
      if (out.size() >= kLongestText)
        throw Error(Code::TooDeep, msg("a text of ", out.size(), " bytes"), window_.place(begin_));
      out += c;
    }
    return out;
  }

  Pickle::Value& add(Kind kind) {
    if (values_.size() >= kMostPickled)
      throw Error(Code::TooDeep, msg("more than ", kMostPickled, " values"), window_.place(begin_));
    stack_.push_back(static_cast<uint32_t>(values_.size()));
    Pickle::Value& value = values_.emplace_back();
    value.kind = kind;
    value.place = static_cast<uint32_t>(begin_ - out_.begin_);
    return value;
  }
  void add_number(uint64_t value) { add(Kind::Int).number = static_cast<int64_t>(value); }
  void add_text(std::string_view text, Kind kind = Kind::Text) {
    add(kind).range = {static_cast<uint32_t>(out_.texts_.size()), static_cast<uint32_t>(text.size())};
    out_.texts_ += text;
  }
  /// With the highest values of the stack.
  void add_items(Kind kind, size_t count) {
    const auto at = static_cast<uint32_t>(out_.items_.size());
    const auto taken = top(count);
    out_.items_.insert(out_.items_.end(), taken.begin(), taken.end());
    stack_.resize(stack_.size() - count);
    add(kind).range = {at, static_cast<uint32_t>(count)};
  }

  uint32_t peek() const {
    if (stack_.size() <= lowest()) corrupt("a pickle that takes more than there is");
    return stack_.back();
  }
  uint32_t pop() {
    const uint32_t out = peek();
    stack_.pop_back();
    return out;
  }
  size_t lowest() const { return marks_.empty() ? 0 : marks_.back(); }
  Pickle::Items top(size_t count) const {
    if (stack_.size() - lowest() < count) corrupt("a pickle that takes more than there is");
    return Pickle::Items(stack_).last(count);
  }
  /// How many values are above the mark, which is gone.
  size_t above_mark() {
    if (marks_.empty()) corrupt("a pickle that takes more than there is");
    const size_t count = stack_.size() - marks_.back();
    marks_.pop_back();
    return count;
  }
  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) corrupt("a pickle that names what it has not made");
    stack_.push_back(found->second);
  }
  void extend(Kind kind, size_t count) {
    const auto added = top(count);
    if (stack_.size() - lowest() == count) corrupt("a pickle that takes more than there is");
    Pickle::Value& value = values_[stack_[stack_.size() - count - 1]];
    if (value.kind != kind || (kind == Kind::Dict && count % 2 != 0)) corrupt("a pickle with a broken list");
    if (kind == Kind::Dict && count > 0) {
      if (value.range.count == 0) {
        value.range.at = static_cast<uint32_t>(out_.dictionaries_.size());
        out_.dictionaries_.emplace_back();
      }
      auto& items = out_.dictionaries_[value.range.at];
      items.insert(items.end(), added.begin(), added.end());
      value.range.count = static_cast<uint32_t>(items.size());
    }
    stack_.resize(stack_.size() - count);
  }

  void add_global() {
    std::string name = line();
    name += ' ';
    name += line();
    if (!is_known_(name))
      throw Error(Code::UnsupportedForm, msg("a pickle that would run ", printable(name)), window_.place(begin_));
    add_text(name, Kind::Global);
  }
  /// What a Call has is the name of its callee, and then its arguments.
  void call() {
    const auto parts = top(2);
    const uint32_t callee = parts[0];
    if (values_[callee].kind != Kind::Global || values_[parts[1]].kind != Kind::Tuple)
      corrupt("a pickle that calls no function");
    const Pickle::Range arguments = values_[parts[1]].range;
    stack_.resize(stack_.size() - 2);
    if (out_.text(values_[callee]) == "collections OrderedDict") return void(add(Kind::Dict));
    arguments_ += arguments.count;  // a tuple may be the arguments of many calls
    if (arguments_ > kMostPickled)
      throw Error(Code::TooDeep, msg("more than ", kMostPickled, " values"), window_.place(begin_));
    const auto at = static_cast<uint32_t>(out_.items_.size());
    out_.items_.push_back(callee);
    for (uint32_t i = 0; i < arguments.count; ++i) out_.items_.push_back(uint32_t{out_.items_[arguments.at + i]});
    add(Kind::Call).range = {at, arguments.count};
  }

  Window& window_;
  uint64_t at_, end_, begin_ = 0;
  bool (*is_known_)(std::string_view);
  Pickle& out_;
  std::vector<Pickle::Value>& values_;
  std::vector<uint32_t> stack_, marks_;
  size_t arguments_ = 0;
  std::unordered_map<uint64_t, uint32_t> memo_;
};

Pickle::Pickle(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view)) : begin_(begin) {
  root_ = PickleReader(window, begin, end, is_known, *this).read();
}

std::string_view Pickle::text(const Value& value) const {
  switch (value.kind) {
    case Kind::Text:
    case Kind::Global: return std::string_view(texts_).substr(value.range.at, value.range.count);
    case Kind::Call: return text(values_[items_[value.range.at]]);
    default: return {};
  }
}

Pickle::Items Pickle::items(const Value& value) const {
  switch (value.kind) {
    case Kind::Tuple:
    case Kind::Persistent: return Items(items_).subspan(value.range.at, value.range.count);
    case Kind::Call: return Items(items_).subspan(value.range.at + 1, value.range.count);
    case Kind::Dict: return value.range.count > 0 ? Items(dictionaries_[value.range.at]) : Items();
    default: return {};
  }
}

}  // namespace mo::pytorch
