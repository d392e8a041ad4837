#pragma once

#include "base/input.h"
#include "smv/syntax/syntax.h"
#include "smv/terms/term.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::smv {

/// Makes terms from operators and operands: checks the types and folds constants. Throws Error.
class TermBuilder {
 public:
  /// `with_exit`: variables may have the value EXIT, so reading one may give no number.
  TermBuilder(const base::Input& input, TermPool& terms, Symbols& symbols, bool with_exit)
      : input_(input), terms_(terms), symbols_(symbols), with_exit_(with_exit) {}

  TermId constant(std::int64_t value, Type type, Place at);
  TermId literal(std::string_view text, Place at);
  TermId variable(Op op, VariableId variable, Type type, bool is_input, Place at);
  TermId running(std::size_t process, Place at);
  /// An operator of the language, functions and indices aside.
  TermId operation(Syntax kind, const std::vector<TermId>& operands, Place at);
  TermId function(std::string_view name, const std::vector<TermId>& arguments, Place at);
  /// The element of an array at `index`; the first one is at `low`.
  TermId select(TermId index, std::int64_t low, const std::vector<TermId>& elements, Place at);
  TermId negation(TermId t) { return operation(Syntax::Not, {t}, terms_[t].at); }

  /// In old models 0 and 1 are truth values, and these are numbers. A term that can be neither is
  /// given back as it is.
  TermId as_number(TermId t);
  TermId as_boolean(TermId t, int depth = 0);

  /// Of a word of so many bits; an error if there is none.
  Type word_type(std::int64_t width, bool is_signed, Place at) const;

  /// The value of a constant; an error at `at` that says what was expected otherwise.
  std::int64_t constant_number(TermId t, std::string_view expected, Place at) const;
  /// An error unless `t` is boolean and has one value.
  void expect_condition(TermId t, std::string_view what, Place at) const;

  [[noreturn]] void fail(const std::string& message, Place at,
                         base::Error::Kind kind = base::Error::Kind::Input) const;

 private:
  TermId new_constant(std::int64_t value, Type type, Place at);
  TermId make(Op op, Type type, const std::vector<TermId>& operands, Place at,
              std::int64_t value = 0, bool reads_input = false);
  TermId logical(Syntax kind, TermId left, TermId right, Place at);
  TermId comparison(Syntax kind, TermId left, TermId right, Place at);
  TermId arithmetic(Syntax kind, TermId left, TermId right, Place at);
  TermId shift(Syntax kind, TermId left, TermId right, Place at);
  TermId membership(TermId element, TermId set, Place at);
  TermId inclusion(TermId part, TermId whole, Place at);
  TermId choice(const std::vector<TermId>& operands, Place at);
  TermId range(TermId low, TermId high, Place at);
  TermId case_of(std::vector<TermId> branches, Place at);
  TermId bits(const std::vector<TermId>& operands, Place at);
  TermId word_constant(std::string_view name, const std::vector<TermId>& arguments, Place at);
  TermId widened(std::string_view name, const std::vector<TermId>& arguments, Place at);
  Type common(Type a, Type b, std::string_view what, Place at) const;
  void expect_single(TermId t, std::string_view what, Place at) const;
  void expect_word(TermId t, std::string_view what, Place at) const;
  bool is_constant(TermId t) const { return terms_[t].op == Op::Constant; }
  bool is_constant(TermId t, bool value) const {
    return is_constant(t) && terms_[t].value == (value ? 1 : 0);
  }

  const base::Input& input_;
  TermPool& terms_;
  Symbols& symbols_;
  std::vector<TermId> symbol_terms_;  // by constant of an enumeration, where it is known
  std::unordered_map<std::uint32_t, TermId> booleans_;  // what as_boolean() made of a case
  bool with_exit_;
};

}  // namespace nestor::smv
