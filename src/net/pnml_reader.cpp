#include "net/pnml_reader.h"

#include "net/net_states.h"
#include "net/symmetric_net.h"
#include "net/xml.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>
#include <variant>

namespace nestor::net {

namespace {

/// What an arc can lead from and to.
using Node = std::variant<PlaceId, TransitionId>;

class PnmlReader {
 public:
  PnmlReader(const base::Input& input, const base::Limits& limits) : guard_(limits), xml_(input) {}

  PetriNet read() {
    read_page(net_element());
    resolve_references();
    for (const pugi::xml_node arc : arcs_) {
      read_arc(arc);
    }
    return std::move(net_);
  }

 private:
  pugi::xml_node net_element() {
    const pugi::xml_node root = xml_.root();
    if (XmlFile::name(root) != "pnml") {
      xml_.fail(root, fmt::format("expected the element 'pnml', found '{}'", XmlFile::name(root)));
    }
    pugi::xml_node found;
    for (const pugi::xml_node child : root.children()) {
      if (child.type() == pugi::node_element && XmlFile::name(child) == "net") {
        if (found) {
          xml_.fail(child, "second net in one file, expected one", base::Error::Kind::Unsupported);
        }
        found = child;
      }
    }
    if (!found) {
      xml_.fail(root, "expected an element 'net' in 'pnml'");
    }
    const std::string_view type = found.attribute("type").value();
    const std::string_view last = type.substr(type.find_last_of("/#") + 1);
    if (!type.empty() && last != "ptnet" && last != "PTNet" && last != "pnmlcoremodel") {
      xml_.fail(found,
                fmt::format("net of type '{}', expected a place/transition net (ptnet)", last),
                base::Error::Kind::Unsupported);
    }
    return found;
  }

  /// A net and its pages, which may hold pages. The pages that wait are on a list of their own.
  void read_page(pugi::xml_node net) {
    std::vector<pugi::xml_node> waiting = {net};
    while (!waiting.empty()) {
      const pugi::xml_node page = waiting.back();
      waiting.pop_back();
      for (const pugi::xml_node child : page.children()) {
        guard_.tick();
        const std::string_view name = XmlFile::name(child);
        if (name == "place") {
          declare(child, net_.add_place(id_of(child), tokens_of(child)));
        } else if (name == "transition") {
          declare(child, net_.add_transition(id_of(child)));
        } else if (name == "referencePlace" || name == "referenceTransition") {
          references_.push_back(child);
        } else if (name == "arc") {
          arcs_.push_back(child);
        } else if (name == "page") {
          waiting.push_back(child);
        }
      }
    }
  }

  std::string id_of(pugi::xml_node element) {
    const pugi::xml_attribute id = element.attribute("id");
    if (!id || *id.value() == '\0') {
      xml_.fail(element, fmt::format("{} without id", XmlFile::name(element)));
    }
    return id.value();
  }

  void declare(pugi::xml_node element, Node node) {
    const std::string id = id_of(element);
    if (!nodes_.try_emplace(id, node).second) {
      xml_.fail(element, fmt::format("duplicate id '{}'", id));
    }
  }

  /// A reference stands for what it refers to, which may be a reference again.
  void resolve_references() {
    std::unordered_map<std::string, pugi::xml_node> by_id;
    for (const pugi::xml_node reference : references_) {
      const std::string id = id_of(reference);
      if (nodes_.contains(id) || !by_id.try_emplace(id, reference).second) {
        xml_.fail(reference, fmt::format("duplicate id '{}'", id));
      }
    }
    for (const pugi::xml_node reference : references_) {
      std::string target = reference.attribute("ref").value();
      for (std::size_t steps = 0; by_id.contains(target); ++steps) {
        if (steps > by_id.size()) {
          xml_.fail(reference, fmt::format("'{}' refers to itself", id_of(reference)));
        }
        target = by_id[target].attribute("ref").value();
      }
      const auto found = nodes_.find(target);
      if (found == nodes_.end()) {
        xml_.fail(reference, fmt::format("reference to '{}', which does not exist", target));
      }
      if (std::holds_alternative<PlaceId>(found->second) !=
          (XmlFile::name(reference) == "referencePlace")) {
        xml_.fail(
            reference,
            fmt::format("'{}' is no {}", target,
                        XmlFile::name(reference) == "referencePlace" ? "place" : "transition"));
      }
      const Node node = found->second;
      nodes_.emplace(id_of(reference), node);
    }
  }

  /// The number in `element`/text; `otherwise` if there is no such element.
  std::uint32_t number_in(pugi::xml_node parent, std::string_view element,
                          std::uint32_t otherwise) {
    const pugi::xml_node child = XmlFile::child(parent, element);
    if (!child) {
      return otherwise;
    }
    const pugi::xml_node text = XmlFile::child(child, "text");
    if (!text) {
      xml_.fail(child, fmt::format("{} without an element 'text'", element));
    }
    const std::string digits = XmlFile::text(text);
    std::uint32_t value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size()) {
      xml_.fail(text, fmt::format("{} '{}', expected a number from 0 to {}", element, digits,
                                  PetriNet::kMostTokens));
    }
    return value;
  }

  std::uint32_t tokens_of(pugi::xml_node place) { return number_in(place, "initialMarking", 0); }

  const Node& end_of(pugi::xml_node arc, const char* attribute) {
    const std::string id = arc.attribute(attribute).value();
    const auto found = nodes_.find(id);
    if (found == nodes_.end()) {
      xml_.fail(arc, fmt::format("arc with {} '{}', which is neither place nor transition",
                                 attribute, id));
    }
    return found->second;
  }

  void read_arc(pugi::xml_node arc) {
    guard_.tick();
    // Inhibitor, reset and test arcs are no part of PNML, but of some tools' files.
    const pugi::xml_node type = XmlFile::child(arc, "type");
    if (type && std::string_view(type.attribute("value").value()) != "normal") {
      xml_.fail(type,
                fmt::format("arc of type '{}', expected an ordinary one",
                            type.attribute("value").value()),
                base::Error::Kind::Unsupported);
    }
    const std::uint32_t weight = number_in(arc, "inscription", 1);
    if (weight == 0) {
      xml_.fail(arc, "arc of weight 0, expected at least 1");
    }
    const Node& source = end_of(arc, "source");
    const Node& target = end_of(arc, "target");
    if (source.index() == target.index()) {
      xml_.fail(arc,
                fmt::format("arc between two {}, expected a place and a transition",
                            std::holds_alternative<PlaceId>(source) ? "places" : "transitions"));
    }
    const bool fits =
        std::holds_alternative<PlaceId>(source)
            ? net_.add_input(std::get<TransitionId>(target), std::get<PlaceId>(source), weight)
            : net_.add_output(std::get<TransitionId>(source), std::get<PlaceId>(target), weight);
    if (!fits) {
      xml_.fail(arc,
                fmt::format("arcs with a weight of more than {} together", PetriNet::kMostTokens));
    }
  }

  base::LimitGuard guard_;  // begins with the file
  XmlFile xml_;
  PetriNet net_;
  std::unordered_map<std::string, Node> nodes_;
  std::vector<pugi::xml_node> references_;
  std::vector<pugi::xml_node> arcs_;
};

}  // namespace

PetriNet parse_pnml(const base::Input& input, const base::Limits& limits) {
  base::Limits time = limits;
  time.steps.reset();  // those are for questions
  return PnmlReader(input, time).read();
}

std::shared_ptr<NetStates> read_pnml(const base::Input& input, const base::Limits& limits) {
  return is_symmetric_net(input) ? unfold(read_symmetric_net(input), limits)
                                 : std::make_shared<NetStates>(parse_pnml(input, limits));
}

}  // namespace nestor::net
