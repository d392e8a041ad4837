#include "net/mcc_formulas.h"

#include "logic/path_formula.h"
#include "logic/printer.h"
#include "net/net_atom.h"
#include "net/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace nestor::net {

namespace {

struct Connective {
  std::string_view element;
  logic::Op op;
};
constexpr std::array kConnectives = {
    Connective{"negation", logic::Op::Not},    Connective{"conjunction", logic::Op::And},
    Connective{"disjunction", logic::Op::Or},  Connective{"implication", logic::Op::Implies},
    Connective{"equivalence", logic::Op::Iff}, Connective{"exclusive-disjunction", logic::Op::Xor},
};

constexpr std::array kPathOperators = {
    Connective{"next", logic::Op::X},     Connective{"finally", logic::Op::F},
    Connective{"globally", logic::Op::G}, Connective{"until", logic::Op::U},
    Connective{"release", logic::Op::R},  Connective{"weak-until", logic::Op::W},
};

struct ComparisonElement {
  std::string_view element;
  NetAtom::Comparison comparison;
};
constexpr std::array kComparisons = {
    ComparisonElement{"integer-le", NetAtom::Comparison::LessEqual},
    ComparisonElement{"integer-lt", NetAtom::Comparison::Less},
    ComparisonElement{"integer-ge", NetAtom::Comparison::GreaterEqual},
    ComparisonElement{"integer-gt", NetAtom::Comparison::Greater},
    ComparisonElement{"integer-eq", NetAtom::Comparison::Equal},
    ComparisonElement{"integer-ne", NetAtom::Comparison::NotEqual},
};

template <class Row, std::size_t N>
const Row* find_row(const std::array<Row, N>& rows, std::string_view element) {
  for (const Row& row : rows) {
    if (row.element == element) {
      return &row;
    }
  }
  return nullptr;
}

class MccReader {
 public:
  MccReader(const base::Input& input, logic::FormulaPool& pool)
      : input_(input), xml_(input), pool_(pool) {}

  std::vector<logic::NamedFormula> read() {
    const pugi::xml_node root = xml_.root();
    if (XmlFile::name(root) != "property-set") {
      xml_.fail(root, fmt::format("expected the element 'property-set', found '{}'",
                                  XmlFile::name(root)));
    }
    std::vector<logic::NamedFormula> formulas;
    std::set<std::string> names;
    for (const pugi::xml_node property : XmlFile::elements(root)) {
      if (XmlFile::name(property) != "property") {
        xml_.fail(property, fmt::format("expected the element 'property', found '{}'",
                                        XmlFile::name(property)));
      }
      formulas.push_back(read_property(property));
      if (!names.insert(formulas.back().name).second) {
        xml_.fail(property, fmt::format("duplicate formula name '{}'", formulas.back().name));
      }
    }
    return formulas;
  }

 private:
  /// An element whose operands are being read.
  struct Frame {
    pugi::xml_node element;
    logic::Op op = logic::Op::True;
    std::vector<pugi::xml_node> operands;
    std::size_t next = 0;
    std::optional<logic::FormulaId> value;  // of the operands so far
  };

  logic::NamedFormula read_property(pugi::xml_node property) {
    const pugi::xml_node id = XmlFile::child(property, "id");
    const pugi::xml_node formula = XmlFile::child(property, "formula");
    if (!id || XmlFile::text(id).empty()) {
      xml_.fail(property, "property without id");
    }
    if (!formula) {
      xml_.fail(property, "property without formula");
    }
    logic::NamedFormula result;
    result.name = XmlFile::text(id);
    result.formula = read_formula(xml_.only_element(formula));
    result.text = logic::to_string(pool_, result.formula);
    const std::ptrdiff_t offset = formula.offset_debug();
    result.location =
        input_.locate(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 1)) - 1);
    result.location.column = 0;  // the text is not the file's, so a place in it has no column
    return result;
  }

  logic::FormulaId read_formula(pugi::xml_node root) {
    std::vector<Frame> frames;
    std::optional<logic::FormulaId> value = begin(root, frames);
    while (!frames.empty()) {
      Frame& top = frames.back();
      if (value) {
        top.value = top.value ? pool_.binary(top.op, *top.value, *value) : *value;
        value.reset();
      }
      if (top.next < top.operands.size()) {
        value = begin(top.operands[top.next++], frames);
        continue;
      }
      value = ended(top);
      frames.pop_back();
    }
    return *value;
  }

  /// The value of an atom; for an operator, nothing, and a frame more.
  std::optional<logic::FormulaId> begin(pugi::xml_node element, std::vector<Frame>& frames) {
    const std::string_view name = XmlFile::name(element);
    if (name == "true" || name == "false") {
      return pool_.constant(name == "true");
    }
    if (name == "deadlock") {
      return pool_.atom("deadlock");
    }
    if (name == "is-fireable") {
      return read_fireable(element);
    }
    if (const ComparisonElement* comparison = find_row(kComparisons, name)) {
      return read_comparison(element, comparison->comparison);
    }
    if (name == "all-paths" || name == "exists-path") {
      frames.push_back({element,
                        name == "all-paths" ? logic::Op::A : logic::Op::E,
                        {xml_.only_element(element)},
                        0,
                        {}});
      return std::nullopt;
    }
    const bool is_quantified = std::ranges::any_of(frames, [](const Frame& frame) {
      return frame.op == logic::Op::A || frame.op == logic::Op::E;
    });
    if (const Connective* op = find_row(kPathOperators, name); op != nullptr && is_quantified) {
      frames.push_back(path_frame(element, op->op));
      return std::nullopt;
    }
    const Connective* connective = find_row(kConnectives, name);
    if (connective == nullptr) {
      xml_.fail(element, fmt::format("unknown element '{}', expected a state formula", name),
                base::Error::Kind::Unsupported);
    }
    Frame frame{element, connective->op, XmlFile::elements(element), 0, {}};
    const std::size_t count = frame.operands.size();
    const bool many = connective->op == logic::Op::And || connective->op == logic::Op::Or;
    if (connective->op == logic::Op::Not ? count != 1 : many ? count < 2 : count != 2) {
      xml_.fail(element, fmt::format("{} operands in '{}', expected {}", count, name,
                                     connective->op == logic::Op::Not ? "one"
                                     : many                           ? "two or more"
                                                                      : "two"));
    }
    frames.push_back(std::move(frame));
    return std::nullopt;
  }

  /// The formula of an element whose operands are read.
  logic::FormulaId ended(const Frame& frame) {
    if (frame.op == logic::Op::A || frame.op == logic::Op::E) {
      return logic::quantified(pool_, frame.op == logic::Op::A, *frame.value);
    }
    return logic::operand_count(frame.op) == 1 ? pool_.unary(frame.op, *frame.value) : *frame.value;
  }

  Frame path_frame(pugi::xml_node path, logic::Op op) {
    Frame frame{path, op, {}, 0, {}};
    if (logic::operand_count(frame.op) == 1) {
      frame.operands = {xml_.only_element(path)};
      return frame;
    }
    const std::vector<pugi::xml_node> sides = XmlFile::elements(path);
    if (sides.size() != 2 || XmlFile::name(sides[0]) != "before" ||
        XmlFile::name(sides[1]) != "reach") {
      xml_.fail(path, fmt::format("expected 'before' and 'reach' in '{}'", XmlFile::name(path)));
    }
    frame.operands = {xml_.only_element(sides[0]), xml_.only_element(sides[1])};
    return frame;
  }

  /// The names in the children, all of which must be `element`.
  std::vector<std::string> names_in(pugi::xml_node parent, std::string_view element) {
    std::vector<std::string> names;
    for (const pugi::xml_node child : XmlFile::elements(parent)) {
      if (XmlFile::name(child) != element || XmlFile::text(child).empty()) {
        xml_.fail(child,
                  fmt::format("expected the name of a {} in '{}'", element, XmlFile::name(parent)));
      }
      names.push_back(XmlFile::text(child));
    }
    if (names.empty()) {
      xml_.fail(parent, fmt::format("'{}' without a {}", XmlFile::name(parent), element));
    }
    return names;
  }

  logic::FormulaId read_fireable(pugi::xml_node element) {
    NetAtom atom;
    atom.transitions = names_in(element, "transition");
    return pool_.atom(to_text(atom));
  }

  logic::FormulaId read_comparison(pugi::xml_node element, NetAtom::Comparison comparison) {
    const std::vector<pugi::xml_node> sides = XmlFile::elements(element);
    if (sides.size() != 2) {
      xml_.fail(element, fmt::format("{} operands in '{}', expected two", sides.size(),
                                     XmlFile::name(element)));
    }
    NetAtom atom;
    atom.comparison = comparison;
    atom.left = {read_integer(sides[0])};
    atom.right = {read_integer(sides[1])};
    return pool_.atom(to_text(atom));
  }

  NetAtom::Term read_integer(pugi::xml_node element) {
    if (XmlFile::name(element) == "tokens-count") {
      return {1, names_in(element, "place")};
    }
    if (XmlFile::name(element) != "integer-constant") {
      xml_.fail(element,
                fmt::format("unknown element '{}', expected 'integer-constant' or "
                            "'tokens-count'",
                            XmlFile::name(element)),
                base::Error::Kind::Unsupported);
    }
    const std::string digits = XmlFile::text(element);
    NetAtom::Term term;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), term.factor);
    if (problem != std::errc() || end != digits.data() + digits.size() || term.factor < 0 ||
        term.factor > kMostNetAtomNumber) {
      xml_.fail(element,
                fmt::format("'{}', expected a number from 0 to {}", digits, kMostNetAtomNumber));
    }
    return term;
  }

  const base::Input& input_;
  XmlFile xml_;
  logic::FormulaPool& pool_;
};

}  // namespace

std::vector<logic::NamedFormula> read_mcc_formulas(const base::Input& input,
                                                   logic::FormulaPool& pool) {
  return MccReader(input, pool).read();
}

}  // namespace nestor::net
