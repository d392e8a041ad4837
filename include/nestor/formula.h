#pragma once

#include <cstdint>
#include <memory>
#include <nestor/error.h>
#include <nestor/export.h>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// A formula of CTL (docs/logic.md), with the text and the name it was given by. A value: copies
/// share what cannot change, and any thread may use them.
///
///     const Formula p = Formula::atom("p");
///     const Formula one = Formula::parse("AG (p -> EF done)");
///     const Formula same = Formula::unary("AG", implies(p, Formula::unary("EF",
///     Formula::atom("done"))));
class NESTOR_API Formula {
 public:
  struct Node;   ///< of the library
  struct Extra;  ///< likewise
  struct Text;   ///< likewise

  /// Reads one formula. `where` is the place of the text's first character, for messages. Throws
  /// Error (Input) with the column at fault.
  static Formula parse(std::string_view text, const SourceLocation& where = {"<formula>", 1, 1});
  /// One formula a line, `name := formula` to name it, with comments.
  static std::vector<Formula> parse_lines(std::string_view text, const std::string& file);
  /// The same of a file, or one of the Model Checking Contest; `-` is standard input.
  static std::vector<Formula> read(const std::string& path);

  /// A formula of the modal mu-calculus (docs/mu.md).
  static Formula parse_mu(std::string_view text, const std::string& name = "<mu>");

  static Formula constant(bool value);
  /// Any text is a name.
  static Formula atom(std::string_view proposition);
  /// `not`, `EX`, `EF`, `EG`, `AX`, `AF`, `AG`. Throws Error (Usage) for what is no such operator.
  static Formula unary(std::string_view op, const Formula& operand);
  /// `and`, `or`, `implies`, `iff`, `xor`, `EU`, `EW`, `ER`, `AU`, `AW`, `AR`. Likewise.
  static Formula binary(std::string_view op, const Formula& left, const Formula& right);

  /// The outermost operator as above, or `true`, `false`, `atom`.
  std::string_view op() const;
  /// Of an atom, its name; else empty.
  std::string_view proposition() const;
  std::vector<Formula> operands() const;

  const std::string& name() const { return name_; }  ///< empty if it has none
  /// As it was written; for one that was built, as to_string() writes it.
  std::string text() const;
  const SourceLocation& location() const { return location_; }
  /// In this library's grammar, which parse() reads back as the same formula.
  std::string to_string() const;
  /// The same formula with a name.
  Formula named(std::string name) const;
  /// Of a property in a model's file: why it is no formula of CTL. Else empty.
  const std::string& unsupported() const { return unsupported_; }

  /// Whether they are the same formula, whatever their texts and names.
  friend NESTOR_API bool operator==(const Formula& one, const Formula& other);

 private:
  friend class FormulaAccess;
  Formula() = default;
  explicit Formula(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  bool is_formula() const { return root_ != nullptr || read_from_ != nullptr; }
  std::shared_ptr<const Node> root() const;

  // Of one that was built; one that was read is a number in what was read with it. Neither if it is
  // unsupported.
  std::shared_ptr<const Node> root_;
  std::shared_ptr<const Text> read_from_;
  std::uint32_t number_ = 0;
  std::string name_;
  std::string text_;
  SourceLocation location_;
  std::string unsupported_;
  std::shared_ptr<const Extra> extra_;  // what a property in a file is besides; null if none
};

inline Formula operator!(const Formula& f) {
  return Formula::unary("not", f);
}
inline Formula operator&(const Formula& f, const Formula& g) {
  return Formula::binary("and", f, g);
}
inline Formula operator|(const Formula& f, const Formula& g) {
  return Formula::binary("or", f, g);
}
inline Formula implies(const Formula& f, const Formula& g) {
  return Formula::binary("implies", f, g);
}

}  // namespace nestor
