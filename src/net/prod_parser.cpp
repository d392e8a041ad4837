#include "net/prod_parser.h"

#include "net/prod_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>

namespace nestor::net {

namespace {

using Code = ProdExpression::Code;
using Kind = ProdToken::Kind;
using Tuple = ProdNet::Tuple;

struct Operator {
  std::string_view text;
  Code code;
  int binding;  // tighter is larger
};
constexpr std::array kBinary = {
    Operator{"*", Code::Multiply, 7},      Operator{"/", Code::Divide, 7},
    Operator{"%", Code::Remainder, 7},     Operator{"+", Code::Add, 6},
    Operator{"-", Code::Subtract, 6},      Operator{"<=", Code::LessEqual, 5},
    Operator{">=", Code::GreaterEqual, 5}, Operator{"<", Code::Less, 5},
    Operator{">", Code::Greater, 5},       Operator{"==", Code::Equal, 4},
    Operator{"!=", Code::NotEqual, 4},     Operator{"&&", Code::And, 3},
    Operator{"||", Code::Or, 2},
};
constexpr int kUnaryBinding = 8;
constexpr int kChooseBinding = 1;
constexpr std::int64_t kMostTuples = 10'000'000;
constexpr std::int64_t kMostCount = 0xffff'ffffLL;

class Parser {
 public:
  explicit Parser(const base::Input& input) : input_(input), tokens_(read_prod_tokens(input)) {}

  ProdNet parse() {
    while (token().kind != Kind::End) {
      if (take_directive("place")) {
        read_place();
      } else if (take_directive("trans")) {
        read_transition();
      } else {
        fail_expected("'#place', '#trans' or '#define'");
      }
    }
    return std::move(net_);
  }

 private:
  const ProdToken& token() const { return tokens_[next_]; }
  [[noreturn]] void fail(std::size_t at, const std::string& message,
                         base::Error::Kind kind = base::Error::Kind::Input) const {
    throw base::Error(kind, message, input_.locate(at));
  }
  [[noreturn]] void fail_expected(std::string_view what) const {
    const ProdToken& found = token();
    fail(found.at, fmt::format("expected {} before {}", what,
                               found.kind == Kind::End         ? "the end of the file"
                               : found.kind == Kind::Directive ? fmt::format("'#{}'", found.text)
                                                               : fmt::format("'{}'", found.text)));
  }
  bool is_symbol(std::string_view symbol) const {
    return token().kind == Kind::Symbol && token().text == symbol;
  }
  bool take(std::string_view symbol) {
    const bool found = is_symbol(symbol);
    next_ += found ? 1 : 0;
    return found;
  }
  void expect(std::string_view symbol) {
    if (!take(symbol)) {
      fail_expected(fmt::format("'{}'", symbol));
    }
  }
  bool take_word(std::string_view word) {
    const bool found = token().kind == Kind::Name && token().text == word;
    next_ += found ? 1 : 0;
    return found;
  }
  bool take_directive(std::string_view word) {
    const bool found = token().kind == Kind::Directive && token().text == word;
    next_ += found ? 1 : 0;
    return found;
  }
  std::string name(std::string_view of_what) {
    if (token().kind != Kind::Name) {
      fail_expected(fmt::format("the name of a {}", of_what));
    }
    return std::string(tokens_[next_++].text);
  }

  void read_place() {
    ProdNet::Place place;
    place.at = token().at;
    place.name = name("place");
    if (!places_.try_emplace(place.name, net_.places.size()).second) {
      fail(place.at, fmt::format("duplicate place '{}'", place.name));
    }
    for (;;) {
      const std::size_t at = token().at;
      if (take_word("lo")) {
        place.lo = read_bound(place, at);
      } else if (take_word("hi")) {
        place.hi = read_bound(place, at);
      } else if (take_word("mk")) {
        expect("(");
        read_marking(place);
        expect(")");
      } else {
        break;
      }
    }
    if (place.lo.empty() != place.hi.empty() && place.width > 0) {
      fail(place.at, fmt::format("place '{}' has only one of 'lo' and 'hi'", place.name));
    }
    for (std::size_t i = 0; i < place.lo.size(); ++i) {
      if (place.lo[i] > place.hi[i]) {
        fail(place.at, fmt::format("place '{}' has a 'lo' above its 'hi'", place.name));
      }
    }
    for (const auto& [tuple, count] : place.marking) {
      for (std::size_t i = 0; i < place.lo.size(); ++i) {
        if (tuple[i] < place.lo[i] || tuple[i] > place.hi[i]) {
          fail(place.at,
               fmt::format("the marking of place '{}' is outside of its bounds", place.name));
        }
      }
    }
    net_.places.push_back(std::move(place));
  }

  Tuple read_bound(ProdNet::Place& place, std::size_t at) {
    expect("(");
    const ProdNet::Pattern pattern = read_pattern(place, true);
    expect(")");
    Tuple tuple;
    for (const ProdExpression& field : pattern.fields) {
      tuple.push_back(constant(field));
    }
    if (!pattern.count.is_number() || pattern.count.steps[0].value != 1) {
      fail(at, "a bound is one tuple, without a number before it");
    }
    return tuple;
  }

  std::int64_t constant(const ProdExpression& expression) const {
    const auto value = evaluate(expression, {});
    if (!value) {
      fail(expression.at, "expected a number that can be computed here");
    }
    return *value;
  }

  void read_marking(ProdNet::Place& place) {
    do {
      ranges_.clear();
      const ProdNet::Pattern pattern = read_pattern(place, true);
      add_tuples(place, pattern);
    } while (take("+"));
  }

  /// Every tuple of the pattern's ranges, one after the other like the numbers of a counter.
  void add_tuples(ProdNet::Place& place, const ProdNet::Pattern& pattern) {
    Tuple lo;
    Tuple hi;
    std::int64_t size = 1;
    for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
      lo.push_back(constant(pattern.fields[i]));
      hi.push_back(ranges_[i] ? constant(*ranges_[i]) : lo.back());
      if (lo.back() > hi.back()) {
        fail(pattern.at, "a range that ends before it begins");
      }
      size = std::min(size * (hi.back() - lo.back() + 1), kMostTuples + 1);
      if (size > kMostTuples) {
        fail(pattern.at, fmt::format("a marking of more than {} tuples", kMostTuples));
      }
    }
    for (Tuple tuple = lo; size > 0; --size) {
      std::int64_t& count = place.marking[tuple];
      count += pattern.count.steps[0].value;
      if (count > kMostCount) {
        fail(pattern.at, "more tokens than can be counted");
      }
      for (std::size_t i = tuple.size(); i-- > 0;) {
        if (tuple[i]++ < hi[i]) {
          break;
        }
        tuple[i] = lo[i];
      }
    }
  }

  /// What stands before a tuple: `2`, `x`, `(n - 1)`. A number is computed here.
  ProdExpression read_count(bool constants_only) {
    const std::size_t at = token().at;
    ProdExpression count = read_expression(constants_only);
    if (variables_in(count).empty()) {
      const std::int64_t value = constant(count);
      if (value < 1) {
        fail(at, fmt::format("a number of tuples of {}, expected at least 1", value));
      }
      if (value > kMostCount) {
        fail(at, "more tokens than can be counted");
      }
      count = ProdExpression::number(value);
      count.at = at;
    }
    return count;
  }

  /// A field, and the macro that it is, if it is one.
  ProdExpression read_field(ProdNet::Place& place, std::size_t field, bool constants_only) {
    const std::string_view macro = token().macro;
    ProdExpression expression = read_expression(constants_only);
    place.macros.resize(std::max(place.macros.size(), field + 1));
    if (!macro.empty() && expression.is_number()) {
      place.macros[field].try_emplace(expression.steps[0].value, macro);
    }
    return expression;
  }

  /// `2<.x,y+1.>`, `n<..>`; ranges are put in ranges_.
  ProdNet::Pattern read_pattern(ProdNet::Place& place, bool constants_only) {
    ProdNet::Pattern pattern;
    pattern.at = token().at;
    if (!is_symbol("<..>") && !is_symbol("<.") && begins_expression(constants_only)) {
      pattern.count = read_count(constants_only);
    }
    if (!take("<..>")) {
      expect("<.");
      ranges_.clear();
      do {
        const std::size_t field = pattern.fields.size();
        pattern.fields.push_back(read_field(place, field, constants_only));
        ranges_.emplace_back();
        if (constants_only && take("..")) {
          ranges_.back() = read_field(place, field, true);
        }
      } while (take(","));
      expect(".>");
    }
    if (place.width_known && place.width != pattern.fields.size()) {
      fail(pattern.at, fmt::format("a tuple of {} fields in place '{}', whose tuples have {}",
                                   pattern.fields.size(), place.name, place.width));
    }
    place.width = pattern.fields.size();
    place.width_known = true;
    return pattern;
  }

  void read_transition() {
    transition_ = {};
    variables_.clear();
    transition_.at = token().at;
    transition_.name = name("transition");
    if (!transition_names_.insert(transition_.name).second) {
      fail(transition_.at, fmt::format("duplicate transition '{}'", transition_.name));
    }
    while (!take_directive("endtr")) {
      if (take_word("in")) {
        read_arcs(transition_.inputs);
      } else if (take_word("out")) {
        read_arcs(transition_.outputs);
      } else if (take_word("gate")) {
        do {
          transition_.gates.push_back(read_expression(false));
        } while (take(","));
        expect(";");
      } else if (take_word("comp")) {
        read_comp();
      } else {
        fail_expected("'in', 'out', 'gate', 'comp' or '#endtr'");
      }
    }
    net_.transitions.push_back(std::move(transition_));
  }

  void read_arcs(std::vector<ProdNet::Pattern>& patterns) {
    expect("{");
    while (!take("}")) {
      const std::size_t at = token().at;
      const std::string place_name = name("place");
      const auto place = places_.find(place_name);
      if (place == places_.end()) {
        fail(at, fmt::format("unknown place '{}'", place_name));
      }
      expect(":");
      do {
        patterns.push_back(read_pattern(net_.places[place->second], false));
        patterns.back().place = place->second;
      } while (take("+"));
      expect(";");
    }
  }

  void read_comp() {
    expect("{");
    while (!take("}")) {
      const std::size_t variable = variable_number(name("variable"));
      expect("=");
      transition_.comp.push_back({variable, read_expression(false)});
      expect(";");
    }
  }

  std::size_t variable_number(const std::string& variable) {
    const auto [place, is_new] = variables_.try_emplace(variable, transition_.variables.size());
    if (is_new) {
      transition_.variables.push_back(variable);
    }
    return place->second;
  }

  // Expressions are read with two stacks: what is complete is in `steps`, in postfix order, and
  // operators that wait for their right operand are on `waiting`.
  struct Waiting {
    enum class Kind : std::uint8_t { Operator, Parenthesis, Question, Colon };
    Kind kind = Kind::Operator;
    Code code = Code::Add;
    int binding = 0;
  };

  bool begins_expression(bool constants_only) const {
    return token().kind == Kind::Number || (token().kind == Kind::Name && !constants_only) ||
           is_symbol("(") || is_symbol("-");
  }

  ProdExpression read_expression(bool constants_only) {
    ProdExpression result;
    result.at = token().at;
    std::vector<Waiting> waiting;
    do {
      read_operand(result, waiting, constants_only);
      while (is_symbol(")") && closes_parenthesis(result, waiting)) {
        ++next_;
      }
    } while (read_operator(result, waiting));
    reduce(result, waiting, 0);
    if (!waiting.empty()) {
      fail_expected(waiting.back().kind == Waiting::Kind::Question ? "':'" : "')'");
    }
    return result;
  }

  void read_operand(ProdExpression& result, std::vector<Waiting>& waiting, bool constants_only) {
    for (;;) {
      if (take("-")) {
        waiting.push_back({Waiting::Kind::Operator, Code::Negate, kUnaryBinding});
      } else if (take("!")) {
        waiting.push_back({Waiting::Kind::Operator, Code::Not, kUnaryBinding});
      } else if (take("(")) {
        waiting.push_back({Waiting::Kind::Parenthesis, Code::Add, 0});
      } else {
        break;
      }
    }
    if (token().kind == Kind::Number) {
      result.steps.push_back({Code::Number, tokens_[next_++].value});
    } else if (token().kind == Kind::Name && !constants_only) {
      const std::string variable(tokens_[next_++].text);
      result.steps.push_back(
          {Code::Variable, static_cast<std::int64_t>(variable_number(variable))});
    } else {
      fail_expected(constants_only ? "a number" : "a number or a variable");
    }
  }

  /// Puts the operators that bind at least as tightly behind their operands.
  static void reduce(ProdExpression& result, std::vector<Waiting>& waiting, int binding) {
    while (!waiting.empty() &&
           (waiting.back().kind == Waiting::Kind::Operator ||
            waiting.back().kind == Waiting::Kind::Colon) &&
           waiting.back().binding >= binding) {
      result.steps.push_back({waiting.back().code, 0});
      waiting.pop_back();
    }
  }

  static bool closes_parenthesis(ProdExpression& result, std::vector<Waiting>& waiting) {
    reduce(result, waiting, 0);
    if (waiting.empty() || waiting.back().kind != Waiting::Kind::Parenthesis) {
      return false;
    }
    waiting.pop_back();
    return true;
  }

  /// True if an operand must follow.
  bool read_operator(ProdExpression& result, std::vector<Waiting>& waiting) {
    if (token().kind != Kind::Symbol) {
      return false;
    }
    for (const Operator& op : kBinary) {
      if (take(op.text)) {
        reduce(result, waiting, op.binding);
        waiting.push_back({Waiting::Kind::Operator, op.code, op.binding});
        return true;
      }
    }
    if (take("?")) {
      reduce(result, waiting, kChooseBinding + 1);
      waiting.push_back({Waiting::Kind::Question, Code::Choose, 0});
      return true;
    }
    if (is_symbol(":")) {
      reduce(result, waiting, 0);
      if (!waiting.empty() && waiting.back().kind == Waiting::Kind::Question) {
        waiting.back() = {Waiting::Kind::Colon, Code::Choose, kChooseBinding};
        ++next_;
        return true;
      }
    }
    return false;
  }

  const base::Input& input_;
  std::vector<ProdToken> tokens_;
  std::size_t next_ = 0;
  ProdNet net_;
  std::unordered_map<std::string, std::size_t> places_;
  std::set<std::string> transition_names_;
  ProdNet::Transition transition_;  // being read
  std::unordered_map<std::string, std::size_t> variables_;
  std::vector<std::optional<ProdExpression>> ranges_;  // of the pattern read last
};

}  // namespace

ProdNet parse_prod(const base::Input& input) {
  return Parser(input).parse();
}

}  // namespace nestor::net
