// Symmetric nets of PNML (ISO/IEC 15909-2), as the Model Checking Contest has them. Guards are
// evaluated as soon as their variables have values, so that most bindings that cannot fire are
// never made; those that need a token which can never be there are dropped at the end.

#include "net/symmetric_net.h"

#include "base/limits.h"
#include "net/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

namespace nestor::net {

namespace {

constexpr std::size_t kMostBindings = 20'000'000;  // that are looked at
constexpr std::size_t kMostColours = 2'000'000;
constexpr std::size_t kMostBindingArcs = 3'000'000;
constexpr std::size_t kPrefix = 4096;

/// A tuple of numbers, each the place of a constant in its sort.
using Colour = std::vector<std::uint32_t>;
using Bag = std::map<Colour, std::int64_t>;

struct Sort {
  std::vector<std::string> names;  // of the constants of a simple sort
  std::vector<const Sort*> parts;  // of a product
  std::vector<const Sort*> simple() const {
    return parts.empty() ? std::vector<const Sort*>{this} : parts;
  }
};

struct Variable {
  std::string id;
  const Sort* sort = nullptr;
};

/// A term of an inscription or a guard.
struct Term {
  enum class Kind : std::uint8_t {
    Constant,
    Variable,
    Step,
    All,
    Tuple,
    Sum,
    Difference,
    Times,
    And,
    Or,
    Not,
    Implies,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual
  };
  Kind kind = Kind::Constant;
  const Sort* sort = nullptr;  // of single colours
  std::uint32_t number = 0;    // of a constant, a variable; of Step: how far; of Times
  std::vector<Term> operands;
};

using Binding = std::vector<std::uint32_t>;

std::uint32_t single(const Term& term, const Binding& binding) {
  switch (term.kind) {
    case Term::Kind::Variable:
      return binding[term.number];
    case Term::Kind::Step: {
      const auto size = static_cast<std::uint32_t>(term.sort->names.size());
      return (single(term.operands[0], binding) + term.number) % size;
    }
    default:
      return term.number;
  }
}

bool holds(const Term& guard, const Binding& binding) {
  const auto side = [&](std::size_t i) { return single(guard.operands[i], binding); };
  const auto here = [&](const Term& term) { return holds(term, binding); };
  switch (guard.kind) {
    case Term::Kind::And:
      return std::ranges::all_of(guard.operands, here);
    case Term::Kind::Or:
      return std::ranges::any_of(guard.operands, here);
    case Term::Kind::Not:
      return !here(guard.operands[0]);
    case Term::Kind::Implies:
      return !here(guard.operands[0]) || here(guard.operands[1]);
    case Term::Kind::Equal:
      return side(0) == side(1);
    case Term::Kind::NotEqual:
      return side(0) != side(1);
    case Term::Kind::Less:
      return side(0) < side(1);
    case Term::Kind::LessEqual:
      return side(0) <= side(1);
    case Term::Kind::Greater:
      return side(0) > side(1);
    case Term::Kind::GreaterEqual:
      return side(0) >= side(1);
    default:
      return true;
  }
}

Bag product(const Bag& left, const Bag& right) {
  Bag result;
  for (const auto& [a, m] : left) {
    for (const auto& [b, n] : right) {
      Colour both = a;
      both.insert(both.end(), b.begin(), b.end());
      result[both] += m * n;
    }
  }
  return result;
}

Bag all_of(const Sort& sort) {
  Bag result = {{{}, 1}};
  for (const Sort* part : sort.simple()) {
    Bag colours;
    for (std::uint32_t c = 0; c < part->names.size(); ++c) {
      colours[{c}] = 1;
    }
    result = product(result, colours);
  }
  return result;
}

Bag bag(const Term& term, const Binding& binding) {
  Bag result;
  const auto add = [&](const Bag& more, std::int64_t times) {
    for (const auto& [colour, count] : more) {
      result[colour] += times * count;
    }
  };
  switch (term.kind) {
    case Term::Kind::All:
      return all_of(*term.sort);
    case Term::Kind::Tuple:
      result = {{{}, 1}};
      for (const Term& operand : term.operands) {
        result = product(result, bag(operand, binding));
      }
      return result;
    case Term::Kind::Sum:
    case Term::Kind::Difference:
      for (std::size_t i = 0; i < term.operands.size(); ++i) {
        add(bag(term.operands[i], binding), term.kind == Term::Kind::Difference && i > 0 ? -1 : 1);
      }
      return result;
    case Term::Kind::Times:
      add(bag(term.operands[0], binding), term.number);
      return result;
    default:
      return {{{single(term, binding)}, 1}};
  }
}

void variables_in(const Term& term, std::set<std::uint32_t>& found) {
  if (term.kind == Term::Kind::Variable) {
    found.insert(term.number);
  }
  for (const Term& operand : term.operands) {
    variables_in(operand, found);
  }
}

struct Place {
  std::string id;
  const Sort* sort = nullptr;
  Bag marking;
};
struct ArcTerm {
  std::size_t place = 0;
  Term term;
};
struct Transition {
  std::string id;
  std::vector<Term> guards;  // all of them
  std::vector<ArcTerm> inputs;
  std::vector<ArcTerm> outputs;
};
struct SymmetricNet {
  std::vector<Place> places;
  std::vector<Transition> transitions;
  std::vector<Variable> variables;
};

class SymmetricReader {
 public:
  explicit SymmetricReader(const base::Input& input) : xml_(input) {}

  SymmetricNet read() {
    const pugi::xml_node net = XmlFile::child(xml_.root(), "net");
    if (!net) {
      xml_.fail(xml_.root(), "expected an element 'net' in 'pnml'");
    }
    collect(net);
    for (const pugi::xml_node declarations : declarations_) {
      read_declarations(declarations);
    }
    for (const pugi::xml_node place : places_) {
      read_place(place);
    }
    for (const pugi::xml_node transition : transitions_) {
      read_transition(transition);
    }
    for (const pugi::xml_node arc : arcs_) {
      read_arc(arc);
    }
    return std::move(net_);
  }

  const std::map<std::string, Sort>& sorts() const { return sorts_; }

 private:
  void collect(pugi::xml_node net) {
    std::vector<pugi::xml_node> waiting = {net};
    while (!waiting.empty()) {
      const pugi::xml_node page = waiting.back();
      waiting.pop_back();
      for (const pugi::xml_node child : page.children()) {
        const std::string_view name = XmlFile::name(child);
        if (name == "page") {
          waiting.push_back(child);
        } else if (name == "place") {
          places_.push_back(child);
        } else if (name == "transition") {
          transitions_.push_back(child);
        } else if (name == "arc") {
          arcs_.push_back(child);
        } else if (name == "declaration") {
          declarations_.push_back(
              XmlFile::child(XmlFile::child(child, "structure"), "declarations"));
        } else if (name == "referencePlace" || name == "referenceTransition") {
          xml_.fail(child, fmt::format("'{}' in a symmetric net", name),
                    base::Error::Kind::Unsupported);
        }
      }
    }
  }

  static std::vector<pugi::xml_node> elements(pugi::xml_node parent) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() == pugi::node_element) {
        found.push_back(child);
      }
    }
    return found;
  }

  pugi::xml_node only(pugi::xml_node parent) {
    const std::vector<pugi::xml_node> children = elements(parent);
    if (children.size() != 1) {
      xml_.fail(parent, fmt::format("{} elements in '{}', expected one", children.size(),
                                    XmlFile::name(parent)));
    }
    return children[0];
  }

  [[noreturn]] void unsupported(pugi::xml_node element, std::string_view expected) {
    xml_.fail(element,
              fmt::format("unknown element '{}', expected {}", XmlFile::name(element), expected),
              base::Error::Kind::Unsupported);
  }

  void read_declarations(pugi::xml_node declarations) {
    // Products may stand before their parts.
    for (const bool products : {false, true}) {
      for (const pugi::xml_node declaration : elements(declarations)) {
        if (XmlFile::name(declaration) == "namedsort") {
          const pugi::xml_node what = only(declaration);
          if ((XmlFile::name(what) == "productsort") == products) {
            read_sort(declaration.attribute("id").value(), what);
          }
        }
      }
    }
    for (const pugi::xml_node declaration : elements(declarations)) {
      const std::string_view name = XmlFile::name(declaration);
      if (name == "variabledecl") {
        variables_[declaration.attribute("id").value()] =
            static_cast<std::uint32_t>(net_.variables.size());
        net_.variables.push_back(
            {declaration.attribute("id").value(), &sort_of(only(declaration))});
      } else if (name != "namedsort") {
        unsupported(declaration, "'namedsort' or 'variabledecl'");
      }
    }
  }

  void read_sort(const std::string& id, pugi::xml_node what) {
    Sort& sort = sorts_[id];
    const std::string_view name = XmlFile::name(what);
    if (name == "cyclicenumeration" || name == "finiteenumeration") {
      for (const pugi::xml_node constant : elements(what)) {
        constants_[constant.attribute("id").value()] = {
            &sort, static_cast<std::uint32_t>(sort.names.size())};
        sort.names.emplace_back(constant.attribute("name").value());
      }
    } else if (name == "finiteintrange") {
      const std::int64_t start = what.attribute("start").as_llong();
      const std::int64_t end = what.attribute("end").as_llong();
      if (end < start || end - start >= static_cast<std::int64_t>(kMostColours)) {
        xml_.fail(what, fmt::format("range from {} to {}", start, end));
      }
      for (std::int64_t i = start; i <= end; ++i) {
        sort.names.push_back(fmt::format("{}", i));
      }
    } else if (name == "dot") {
      sort.names = {"dot"};
    } else if (name == "productsort") {
      for (const pugi::xml_node part : elements(what)) {
        const Sort& of = sort_of(part);
        if (!of.parts.empty()) {
          xml_.fail(part, "product in a product", base::Error::Kind::Unsupported);
        }
        sort.parts.push_back(&of);
      }
    } else {
      unsupported(what, "a sort");
    }
    if (sort.names.empty() && sort.parts.empty()) {
      xml_.fail(what, "sort without constants");
    }
  }

  const Sort& sort_of(pugi::xml_node element) {
    const std::string_view name = XmlFile::name(element);
    if (name == "usersort") {
      const auto found = sorts_.find(element.attribute("declaration").value());
      if (found == sorts_.end()) {
        xml_.fail(element, fmt::format("sort '{}', which is not declared",
                                       element.attribute("declaration").value()));
      }
      return found->second;
    }
    const std::string made = fmt::format("<{}>", sorts_.size());
    const std::string id = name == "dot" ? "<dot>" : made;
    if (!sorts_.contains(id)) {
      read_sort(id, element);
    }
    return sorts_.at(id);
  }

  void declare(pugi::xml_node element, bool is_place, std::size_t number) {
    const std::string id = element.attribute("id").value();
    if (id.empty() || !nodes_.try_emplace(id, is_place, number).second) {
      xml_.fail(element, fmt::format("duplicate or missing id '{}'", id));
    }
  }

  void read_place(pugi::xml_node element) {
    declare(element, true, net_.places.size());
    Place place;
    place.id = element.attribute("id").value();
    const pugi::xml_node type = XmlFile::child(XmlFile::child(element, "type"), "structure");
    if (!type) {
      xml_.fail(element, "place without a type");
    }
    place.sort = &sort_of(only(type));
    if (const pugi::xml_node marking =
            XmlFile::child(XmlFile::child(element, "hlinitialMarking"), "structure")) {
      for (const pugi::xml_node term : elements(marking)) {
        for (const auto& [colour, count] : bag(read_term(term), Binding())) {
          place.marking[colour] += count;
        }
      }
    }
    check(place.marking, *place.sort, element);
    net_.places.push_back(std::move(place));
  }

  void check(const Bag& marking, const Sort& sort, pugi::xml_node at) {
    for (const auto& [colour, count] : marking) {
      if (colour.size() != sort.simple().size() || count < 0 || count > PetriNet::kMostTokens) {
        xml_.fail(at, "tokens that are not of the place's type");
      }
    }
  }

  void read_transition(pugi::xml_node element) {
    declare(element, false, net_.transitions.size());
    Transition transition;
    transition.id = element.attribute("id").value();
    if (const pugi::xml_node guard =
            XmlFile::child(XmlFile::child(element, "condition"), "structure")) {
      std::vector<Term> waiting = {read_guard(only(guard))};
      while (!waiting.empty()) {
        Term term = std::move(waiting.back());
        waiting.pop_back();
        if (term.kind == Term::Kind::And) {
          waiting.insert(waiting.end(), term.operands.begin(), term.operands.end());
        } else {
          transition.guards.push_back(std::move(term));
        }
      }
    }
    net_.transitions.push_back(std::move(transition));
  }

  std::vector<pugi::xml_node> subterms(pugi::xml_node element, std::size_t least,
                                       std::size_t most) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : elements(element)) {
      found.push_back(XmlFile::name(child) == "subterm" ? only(child) : child);
    }
    if (found.size() < least || found.size() > most) {
      xml_.fail(element, fmt::format("{} operands in '{}'", found.size(), XmlFile::name(element)));
    }
    return found;
  }

  // Terms are as deep as people write them; deeper ones are refused.
  Term read_guard(pugi::xml_node element, int depth = 0) {
    static const std::map<std::string_view, Term::Kind> kKinds = {
        {"and", Term::Kind::And},
        {"or", Term::Kind::Or},
        {"not", Term::Kind::Not},
        {"imply", Term::Kind::Implies},
        {"equality", Term::Kind::Equal},
        {"inequality", Term::Kind::NotEqual},
        {"lessthan", Term::Kind::Less},
        {"lessthanorequal", Term::Kind::LessEqual},
        {"greaterthan", Term::Kind::Greater},
        {"greaterthanorequal", Term::Kind::GreaterEqual},
    };
    const auto kind = kKinds.find(XmlFile::name(element));
    if (kind == kKinds.end() || depth > kMostDepth) {
      unsupported(element, "a guard");
    }
    Term term;
    term.kind = kind->second;
    const bool many = term.kind == Term::Kind::And || term.kind == Term::Kind::Or;
    const bool one = term.kind == Term::Kind::Not;
    for (const pugi::xml_node operand : subterms(element, many || one ? 1 : 2,
                                                 many  ? SIZE_MAX
                                                 : one ? 1
                                                       : 2)) {
      term.operands.push_back(term.kind >= Term::Kind::Equal ? read_single(operand)
                                                             : read_guard(operand, depth + 1));
    }
    if (term.kind >= Term::Kind::Equal && term.operands[0].sort != term.operands[1].sort) {
      xml_.fail(element, "comparison of colours of two sorts", base::Error::Kind::Unsupported);
    }
    return term;
  }

  Term read_single(pugi::xml_node element) {
    Term term = read_term(element);
    if (term.kind > Term::Kind::Step || term.sort == nullptr) {
      xml_.fail(element, "expected a single colour", base::Error::Kind::Unsupported);
    }
    return term;
  }

  Term read_term(pugi::xml_node element, int depth = 0) {
    const std::string_view name = XmlFile::name(element);
    if (depth > kMostDepth) {
      unsupported(element, "a term");
    }
    Term term;
    if (name == "variable") {
      const auto found = variables_.find(element.attribute("refvariable").value());
      if (found == variables_.end()) {
        xml_.fail(element, fmt::format("variable '{}', which is not declared",
                                       element.attribute("refvariable").value()));
      }
      term.kind = Term::Kind::Variable;
      term.number = found->second;
      term.sort = net_.variables[term.number].sort;
      if (!term.sort->parts.empty()) {
        xml_.fail(element, "variable of a product", base::Error::Kind::Unsupported);
      }
    } else if (name == "useroperator") {
      const auto found = constants_.find(element.attribute("declaration").value());
      if (found == constants_.end()) {
        xml_.fail(element, fmt::format("constant '{}', which is not declared",
                                       element.attribute("declaration").value()));
      }
      term.sort = found->second.first;
      term.number = found->second.second;
    } else if (name == "dotconstant") {
      term.sort = dot();
    } else if (name == "finiteintrangeconstant") {
      term = range_constant(element);
    } else if (name == "successor" || name == "predecessor") {
      term.kind = Term::Kind::Step;
      term.operands = {read_single(subterms(element, 1, 1)[0])};
      term.sort = term.operands[0].sort;
      term.number =
          name == "successor" ? 1 : static_cast<std::uint32_t>(term.sort->names.size() - 1);
    } else if (name == "all") {
      term.kind = Term::Kind::All;
      term.sort = &sort_of(only(element));
    } else if (name == "tuple" || name == "add" || name == "subtract") {
      term.kind = name == "tuple" ? Term::Kind::Tuple
                  : name == "add" ? Term::Kind::Sum
                                  : Term::Kind::Difference;
      for (const pugi::xml_node operand : subterms(element, 1, SIZE_MAX)) {
        term.operands.push_back(read_term(operand, depth + 1));
      }
    } else if (name == "numberof") {
      const std::vector<pugi::xml_node> sides = subterms(element, 1, 2);
      term.kind = Term::Kind::Times;
      term.number = sides.size() == 2 ? number(sides[0]) : 1;
      term.operands = {read_term(sides.back(), depth + 1)};
    } else {
      unsupported(element, "a term");
    }
    return term;
  }

  const Sort* dot() {
    for (const auto& [id, sort] : sorts_) {
      if (sort.names == std::vector<std::string>{"dot"}) {
        return &sort;
      }
    }
    sorts_["<dot>"].names = {"dot"};
    return &sorts_["<dot>"];
  }

  Term range_constant(pugi::xml_node element) {
    const std::string value = element.attribute("value").value();
    const pugi::xml_node range = XmlFile::child(element, "finiteintrange");
    for (const auto& [id, sort] : sorts_) {
      const auto found = std::ranges::find(sort.names, value);
      if (range && found != sort.names.end() &&
          sort.names.front() == range.attribute("start").value() &&
          sort.names.back() == range.attribute("end").value()) {
        Term term;
        term.sort = &sort;
        term.number = static_cast<std::uint32_t>(found - sort.names.begin());
        return term;
      }
    }
    xml_.fail(element, fmt::format("constant '{}' of no range that is declared", value));
  }

  std::uint32_t number(pugi::xml_node element) {
    const std::string digits = element.attribute("value").value();
    std::uint32_t value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (XmlFile::name(element) != "numberconstant" || problem != std::errc() ||
        end != digits.data() + digits.size()) {
      xml_.fail(element, fmt::format("'{}', expected a number", digits));
    }
    return value;
  }

  void read_arc(pugi::xml_node element) {
    const auto source = nodes_.find(element.attribute("source").value());
    const auto target = nodes_.find(element.attribute("target").value());
    if (source == nodes_.end() || target == nodes_.end() ||
        source->second.first == target->second.first) {
      xml_.fail(element, "arc that is not between a place and a transition");
    }
    const pugi::xml_node structure =
        XmlFile::child(XmlFile::child(element, "hlinscription"), "structure");
    if (!structure) {
      xml_.fail(element, "arc without an inscription");
    }
    const bool is_input = source->second.first;
    ArcTerm arc{is_input ? source->second.second : target->second.second,
                read_term(only(structure))};
    Transition& transition =
        net_.transitions[is_input ? target->second.second : source->second.second];
    (is_input ? transition.inputs : transition.outputs).push_back(std::move(arc));
  }

  static constexpr int kMostDepth = 100;

  XmlFile xml_;
  std::vector<pugi::xml_node> declarations_;
  std::vector<pugi::xml_node> places_;
  std::vector<pugi::xml_node> transitions_;
  std::vector<pugi::xml_node> arcs_;
  std::map<std::string, Sort> sorts_;  // nodes of a map stay where they are
  std::unordered_map<std::string, std::pair<const Sort*, std::uint32_t>> constants_;
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::unordered_map<std::string, std::pair<bool, std::size_t>> nodes_;  // is a place, number
  SymmetricNet net_;
};

[[noreturn]] void too_large(const std::string& what) {
  throw base::LimitReached{fmt::format("the unfolded net is too large: more than {}", what)};
}

class Unfolder {
 public:
  Unfolder(const SymmetricNet& net, const base::Limits& limits) : net_(net), guard_(limits) {}

  std::shared_ptr<NetStates> unfold() {
    number_places();
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      bind(t);
    }
    return build();
  }

 private:
  struct Arc {
    std::uint32_t place = 0;
    std::uint32_t weight = 0;
  };
  struct Instance {
    std::size_t transition = 0;
    std::vector<Arc> inputs;
    std::vector<Arc> outputs;
  };

  void number_places() {
    for (const Place& place : net_.places) {
      first_.push_back(colours_);
      std::size_t count = 1;
      for (const Sort* part : place.sort->simple()) {
        count *= part->names.size();
        if (count > kMostColours) {
          too_large(fmt::format("{} places", kMostColours));
        }
      }
      colours_ += count;
      if (colours_ > kMostColours) {
        too_large(fmt::format("{} places", kMostColours));
      }
    }
  }

  std::uint32_t number(std::size_t place, const Colour& colour) const {
    const std::vector<const Sort*> parts = net_.places[place].sort->simple();
    std::size_t number = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      number = number * parts[i]->names.size() + colour[i];
    }
    return static_cast<std::uint32_t>(first_[place] + number);
  }

  std::string colour_text(std::size_t place, std::size_t number) const {
    std::string text;
    const std::vector<const Sort*> parts = net_.places[place].sort->simple();
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      text = (*part)->names[number % (*part)->names.size()] + (text.empty() ? "" : ",") + text;
      number /= (*part)->names.size();
    }
    return text == "dot" ? "" : fmt::format("<{}>", text);
  }

  /// All bindings of the variables that occur, one variable after the other.
  void bind(std::size_t t) {
    const Transition& transition = net_.transitions[t];
    std::set<std::uint32_t> used;
    std::vector<std::set<std::uint32_t>> needs;
    for (const Term& guard : transition.guards) {
      variables_in(guard, needs.emplace_back());
      used.insert(needs.back().begin(), needs.back().end());
    }
    for (const auto* arcs : {&transition.inputs, &transition.outputs}) {
      for (const ArcTerm& arc : *arcs) {
        variables_in(arc.term, used);
      }
    }
    // Variables that guards speak of first.
    std::vector<std::uint32_t> order(used.begin(), used.end());
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t v) {
      return std::ranges::count_if(needs, [v](const auto& need) { return need.contains(v); });
    });
    std::vector<std::vector<const Term*>> ready(order.size() + 1);
    for (std::size_t g = 0; g < needs.size(); ++g) {
      std::size_t last = 0;
      for (std::size_t i = 0; i < order.size(); ++i) {
        last = needs[g].contains(order[i]) ? i + 1 : last;
      }
      ready[last].push_back(&transition.guards[g]);
    }
    Binding binding(net_.variables.size(), 0);
    std::vector<std::uint32_t> next(order.size() + 1, 0);
    std::size_t level = 0;
    const auto is_open = [&](std::size_t at) {
      return std::ranges::all_of(ready[at], [&](const Term* g) { return holds(*g, binding); });
    };
    if (!is_open(0)) {
      return;
    }
    if (order.empty()) {
      add_instance(t, binding);
      return;
    }
    while (true) {
      if (next[level] == net_.variables[order[level]].sort->names.size()) {
        if (level == 0) {
          return;
        }
        next[level] = 0;
        --level;
        continue;
      }
      guard_.tick();
      if (++bindings_ > kMostBindings) {
        too_large(fmt::format("{} bindings", kMostBindings));
      }
      binding[order[level]] = next[level]++;
      if (!is_open(level + 1)) {
        continue;
      }
      if (level + 1 == order.size()) {
        add_instance(t, binding);
      } else {
        ++level;
        next[level] = 0;
      }
    }
  }

  void add_instance(std::size_t t, const Binding& binding) {
    Instance instance;
    instance.transition = t;
    guard_.tick(4);
    const Transition& transition = net_.transitions[t];
    for (const bool input : {true, false}) {
      std::vector<Arc>& arcs = input ? instance.inputs : instance.outputs;
      for (const ArcTerm& arc : input ? transition.inputs : transition.outputs) {
        for (const auto& [colour, count] : bag(arc.term, binding)) {
          if (count < 0 || colour.size() != net_.places[arc.place].sort->simple().size() ||
              count > PetriNet::kMostTokens) {
            throw base::Error(base::Error::Kind::Unsupported,
                              fmt::format("an arc of transition '{}' takes or gives tokens that "
                                          "are not of the place's type",
                                          transition.id));
          }
          if (count > 0) {
            arcs.push_back({number(arc.place, colour), static_cast<std::uint32_t>(count)});
          }
        }
      }
    }
    arcs_ += instance.inputs.size() + instance.outputs.size();
    if (arcs_ > kMostBindingArcs) {
      too_large(fmt::format("{} arcs", kMostBindingArcs));
    }
    instances_.push_back(std::move(instance));
  }

  /// The instances that can get all tokens they take, if tokens are never used up.
  std::vector<bool> possible(const std::vector<std::uint32_t>& tokens) const {
    std::vector<std::vector<std::uint32_t>> takers(colours_);
    std::vector<std::size_t> missing;
    std::vector<std::uint32_t> fires;
    for (std::uint32_t i = 0; i < instances_.size(); ++i) {
      missing.push_back(instances_[i].inputs.size());
      for (const Arc& arc : instances_[i].inputs) {
        takers[arc.place].push_back(i);
      }
      if (missing[i] == 0) {
        fires.push_back(i);
      }
    }
    std::vector<bool> marked(colours_);
    const auto mark = [&](std::uint32_t p) {
      if (!marked[p]) {
        marked[p] = true;
        for (const std::uint32_t i : takers[p]) {
          if (--missing[i] == 0) {
            fires.push_back(i);
          }
        }
      }
    };
    for (std::uint32_t p = 0; p < colours_; ++p) {
      if (tokens[p] > 0) {
        mark(p);
      }
    }
    while (!fires.empty()) {
      const std::uint32_t i = fires.back();
      fires.pop_back();
      for (const Arc& arc : instances_[i].outputs) {
        mark(arc.place);
      }
    }
    std::vector<bool> result;
    for (const std::size_t m : missing) {
      result.push_back(m == 0);
    }
    return result;
  }

  std::shared_ptr<NetStates> build() {
    std::vector<std::uint32_t> tokens(colours_);
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      for (const auto& [colour, count] : net_.places[p].marking) {
        tokens[number(p, colour)] = static_cast<std::uint32_t>(count);
      }
    }
    const std::vector<bool> is_possible = possible(tokens);
    std::vector<bool> used(colours_);
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      for (const auto* arcs : {&instances_[i].inputs, &instances_[i].outputs}) {
        for (const Arc& arc : *arcs) {
          used[arc.place] = used[arc.place] || is_possible[i];
        }
      }
    }
    PetriNet net;
    std::vector<PlaceId> made(colours_);
    std::unordered_map<std::string, std::vector<PlaceId>> by_name;
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      const std::size_t end = p + 1 < first_.size() ? first_[p + 1] : colours_;
      std::vector<PlaceId>& all = by_name[net_.places[p].id];
      for (std::size_t c = first_[p]; c < end; ++c) {
        if (used[c] || tokens[c] > 0) {
          const std::string name = net_.places[p].id + colour_text(p, c - first_[p]);
          made[c] = net.add_place(name, tokens[c]);
          all.push_back(made[c]);
          if (name != net_.places[p].id) {
            by_name[name] = {made[c]};
          }
        }
      }
    }
    std::vector<std::vector<TransitionId>> of(net_.transitions.size());
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!is_possible[i]) {
        continue;
      }
      const std::size_t t = instances_[i].transition;
      const TransitionId id =
          net.add_transition(fmt::format("{}#{}", net_.transitions[t].id, of[t].size()));
      of[t].push_back(id);
      for (const Arc& arc : instances_[i].inputs) {
        (void)net.add_input(id, made[arc.place], arc.weight);
      }
      for (const Arc& arc : instances_[i].outputs) {
        (void)net.add_output(id, made[arc.place], arc.weight);
      }
    }
    auto states = std::make_shared<NetStates>(std::move(net));
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      states->name_transitions(net_.transitions[t].id, std::move(of[t]));
    }
    states->find_places_with([by_name = std::move(by_name)](
                                 std::string_view name) -> std::optional<std::vector<PlaceId>> {
      const auto found = by_name.find(std::string(name));
      return found == by_name.end() ? std::nullopt : std::optional(found->second);
    });
    return states;
  }

  const SymmetricNet& net_;
  base::LimitGuard guard_;
  std::vector<std::size_t> first_;  // by place: the number of its first colour
  std::size_t colours_ = 0;
  std::vector<Instance> instances_;
  std::size_t bindings_ = 0;
  std::size_t arcs_ = 0;
};

}  // namespace

bool is_symmetric_net(const base::Input& input) {
  return input.text().substr(0, kPrefix).find("grammar/symmetricnet") != std::string_view::npos;
}

std::shared_ptr<NetStates> read_symmetric_net(const base::Input& input,
                                              const base::Limits& limits) {
  SymmetricReader reader(input);
  const SymmetricNet net = reader.read();
  return Unfolder(net, limits).unfold();
}

}  // namespace nestor::net
