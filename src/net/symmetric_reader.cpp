#include "net/petri_net.h"
#include "net/symmetric_net.h"
#include "net/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace nestor::net {

namespace {

constexpr std::size_t kPrefix = 4096;

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

  [[noreturn]] void unsupported(pugi::xml_node element, std::string_view expected) {
    xml_.fail(element,
              fmt::format("unknown element '{}', expected {}", XmlFile::name(element), expected),
              base::Error::Kind::Unsupported);
  }

  void read_declarations(pugi::xml_node declarations) {
    // Products may stand before their parts.
    for (const bool products : {false, true}) {
      for (const pugi::xml_node declaration : XmlFile::elements(declarations)) {
        if (XmlFile::name(declaration) == "namedsort") {
          const pugi::xml_node what = xml_.only_element(declaration);
          if ((XmlFile::name(what) == "productsort") == products) {
            read_sort(declaration.attribute("id").value(), what);
          }
        }
      }
    }
    for (const pugi::xml_node declaration : XmlFile::elements(declarations)) {
      const std::string_view name = XmlFile::name(declaration);
      if (name == "variabledecl") {
        variables_[declaration.attribute("id").value()] =
            static_cast<std::uint32_t>(net_.variables.size());
        net_.variables.push_back(
            {declaration.attribute("id").value(), &sort_of(xml_.only_element(declaration))});
      } else if (name != "namedsort") {
        unsupported(declaration, "'namedsort' or 'variabledecl'");
      }
    }
  }

  void read_sort(const std::string& id, pugi::xml_node what) {
    Sort& sort = net_.sorts[id];
    const std::string_view name = XmlFile::name(what);
    if (name == "cyclicenumeration" || name == "finiteenumeration") {
      for (const pugi::xml_node constant : XmlFile::elements(what)) {
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
      for (const pugi::xml_node part : XmlFile::elements(what)) {
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
      const auto found = net_.sorts.find(element.attribute("declaration").value());
      if (found == net_.sorts.end()) {
        xml_.fail(element, fmt::format("sort '{}', which is not declared",
                                       element.attribute("declaration").value()));
      }
      return found->second;
    }
    const std::string made = fmt::format("<{}>", net_.sorts.size());
    const std::string id = name == "dot" ? "<dot>" : made;
    if (!net_.sorts.contains(id)) {
      read_sort(id, element);
    }
    return net_.sorts.at(id);
  }

  void declare(pugi::xml_node element, bool is_place, std::size_t number) {
    const std::string id = element.attribute("id").value();
    if (id.empty() || !nodes_.try_emplace(id, is_place, number).second) {
      xml_.fail(element, fmt::format("duplicate or missing id '{}'", id));
    }
  }

  void read_place(pugi::xml_node element) {
    declare(element, true, net_.places.size());
    SymmetricNet::Place place;
    place.id = element.attribute("id").value();
    const pugi::xml_node type = XmlFile::child(XmlFile::child(element, "type"), "structure");
    if (!type) {
      xml_.fail(element, "place without a type");
    }
    place.sort = &sort_of(xml_.only_element(type));
    if (const pugi::xml_node marking =
            XmlFile::child(XmlFile::child(element, "hlinitialMarking"), "structure")) {
      for (const pugi::xml_node term : XmlFile::elements(marking)) {
        for (const auto& [colour, count] : bag(read_term(term), Binding())) {
          place.marking[colour] += count;
        }
      }
    }
    check(place.marking, *place.sort, element);
    net_.places.push_back(std::move(place));
  }

  void check(const ColourBag& marking, const Sort& sort, pugi::xml_node at) {
    for (const auto& [colour, count] : marking) {
      if (colour.size() != sort.simple().size() || count < 0 || count > PetriNet::kMostTokens) {
        xml_.fail(at, "tokens that are not of the place's type");
      }
    }
  }

  void read_transition(pugi::xml_node element) {
    declare(element, false, net_.transitions.size());
    SymmetricNet::Transition transition;
    transition.id = element.attribute("id").value();
    if (const pugi::xml_node guard =
            XmlFile::child(XmlFile::child(element, "condition"), "structure")) {
      std::vector<ColourTerm> waiting = {read_guard(xml_.only_element(guard))};
      while (!waiting.empty()) {
        ColourTerm term = std::move(waiting.back());
        waiting.pop_back();
        if (term.kind == ColourTerm::Kind::And) {
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
    for (const pugi::xml_node child : XmlFile::elements(element)) {
      found.push_back(XmlFile::name(child) == "subterm" ? xml_.only_element(child) : child);
    }
    if (found.size() < least || found.size() > most) {
      xml_.fail(element, fmt::format("{} operands in '{}'", found.size(), XmlFile::name(element)));
    }
    return found;
  }

  // Terms are as deep as people write them; deeper ones are refused.
  ColourTerm read_guard(pugi::xml_node element, int depth = 0) {
    static const std::map<std::string_view, ColourTerm::Kind> kKinds = {
        {"and", ColourTerm::Kind::And},
        {"or", ColourTerm::Kind::Or},
        {"not", ColourTerm::Kind::Not},
        {"imply", ColourTerm::Kind::Implies},
        {"equality", ColourTerm::Kind::Equal},
        {"inequality", ColourTerm::Kind::NotEqual},
        {"lessthan", ColourTerm::Kind::Less},
        {"lessthanorequal", ColourTerm::Kind::LessEqual},
        {"greaterthan", ColourTerm::Kind::Greater},
        {"greaterthanorequal", ColourTerm::Kind::GreaterEqual},
    };
    const auto kind = kKinds.find(XmlFile::name(element));
    if (kind == kKinds.end() || depth > kMostDepth) {
      unsupported(element, "a guard");
    }
    ColourTerm term;
    term.kind = kind->second;
    const bool many = term.kind == ColourTerm::Kind::And || term.kind == ColourTerm::Kind::Or;
    const bool one = term.kind == ColourTerm::Kind::Not;
    for (const pugi::xml_node operand : subterms(element, many || one ? 1 : 2,
                                                 many  ? SIZE_MAX
                                                 : one ? 1
                                                       : 2)) {
      term.operands.push_back(term.kind >= ColourTerm::Kind::Equal
                                  ? read_single(operand)
                                  : read_guard(operand, depth + 1));
    }
    if (term.kind >= ColourTerm::Kind::Equal && term.operands[0].sort != term.operands[1].sort) {
      xml_.fail(element, "comparison of colours of two sorts", base::Error::Kind::Unsupported);
    }
    return term;
  }

  ColourTerm read_single(pugi::xml_node element) {
    ColourTerm term = read_term(element);
    if (term.kind > ColourTerm::Kind::Step || term.sort == nullptr) {
      xml_.fail(element, "expected a single colour", base::Error::Kind::Unsupported);
    }
    return term;
  }

  ColourTerm read_term(pugi::xml_node element, int depth = 0) {
    const std::string_view name = XmlFile::name(element);
    if (depth > kMostDepth) {
      unsupported(element, "a term");
    }
    ColourTerm term;
    if (name == "variable") {
      const auto found = variables_.find(element.attribute("refvariable").value());
      if (found == variables_.end()) {
        xml_.fail(element, fmt::format("variable '{}', which is not declared",
                                       element.attribute("refvariable").value()));
      }
      term.kind = ColourTerm::Kind::Variable;
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
      term.kind = ColourTerm::Kind::Step;
      term.operands = {read_single(subterms(element, 1, 1)[0])};
      term.sort = term.operands[0].sort;
      term.number =
          name == "successor" ? 1 : static_cast<std::uint32_t>(term.sort->names.size() - 1);
    } else if (name == "all") {
      term.kind = ColourTerm::Kind::All;
      term.sort = &sort_of(xml_.only_element(element));
    } else if (name == "tuple" || name == "add" || name == "subtract") {
      term.kind = name == "tuple" ? ColourTerm::Kind::Tuple
                  : name == "add" ? ColourTerm::Kind::Sum
                                  : ColourTerm::Kind::Difference;
      for (const pugi::xml_node operand : subterms(element, 1, SIZE_MAX)) {
        term.operands.push_back(read_term(operand, depth + 1));
      }
    } else if (name == "numberof") {
      const std::vector<pugi::xml_node> sides = subterms(element, 1, 2);
      term.kind = ColourTerm::Kind::Times;
      term.number = sides.size() == 2 ? number(sides[0]) : 1;
      term.operands = {read_term(sides.back(), depth + 1)};
    } else {
      unsupported(element, "a term");
    }
    return term;
  }

  const Sort* dot() {
    for (const auto& [id, sort] : net_.sorts) {
      if (sort.names == std::vector<std::string>{"dot"}) {
        return &sort;
      }
    }
    net_.sorts["<dot>"].names = {"dot"};
    return &net_.sorts["<dot>"];
  }

  ColourTerm range_constant(pugi::xml_node element) {
    const std::string value = element.attribute("value").value();
    const pugi::xml_node range = XmlFile::child(element, "finiteintrange");
    for (const auto& [id, sort] : net_.sorts) {
      const auto found = std::ranges::find(sort.names, value);
      if (range && found != sort.names.end() &&
          sort.names.front() == range.attribute("start").value() &&
          sort.names.back() == range.attribute("end").value()) {
        ColourTerm term;
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
    SymmetricNet::Arc arc{is_input ? source->second.second : target->second.second,
                          read_term(xml_.only_element(structure))};
    SymmetricNet::Transition& transition =
        net_.transitions[is_input ? target->second.second : source->second.second];
    (is_input ? transition.inputs : transition.outputs).push_back(std::move(arc));
  }

  static constexpr int kMostDepth = 100;

  XmlFile xml_;
  std::vector<pugi::xml_node> declarations_;
  std::vector<pugi::xml_node> places_;
  std::vector<pugi::xml_node> transitions_;
  std::vector<pugi::xml_node> arcs_;
  std::unordered_map<std::string, std::pair<const Sort*, std::uint32_t>> constants_;
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::unordered_map<std::string, std::pair<bool, std::size_t>> nodes_;  // is a place, number
  SymmetricNet net_;
};

}  // namespace

bool is_symmetric_net(const base::Input& input) {
  return input.text().substr(0, kPrefix).find("grammar/symmetricnet") != std::string_view::npos;
}

SymmetricNet read_symmetric_net(const base::Input& input) {
  return SymmetricReader(input).read();
}

}  // namespace nestor::net
