#include "net/prod_names.h"

#include <fmt/format.h>

#include <charconv>

namespace nestor::net {

namespace {

/// Without the blanks and dots that may stand around the values of a tuple.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround = " .";
  const std::size_t first = text.find_first_not_of(kAround);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kAround) + 1 - first);
}

}  // namespace

ProdNames::ProdNames(const ProdNet& net, const std::vector<ProdConstant>& constants) {
  for (const ProdConstant& constant : constants) {
    constants_.emplace(constant.name, constant.value);
  }
  for (std::size_t p = 0; p < net.places.size(); ++p) {
    const ProdNet::Place& place = net.places[p];
    by_name_.emplace(place.name, p);
    places_.push_back(
        {place.name, place.width_known ? std::optional(place.width) : std::nullopt, place.macros});
    for (auto& macros : places_.back().macros) {
      // A macro that was defined anew stands for one value only, or two tuples had one name.
      std::erase_if(macros, [&](const auto& entry) {
        const auto last = constants_.find(entry.second);
        return last == constants_.end() || last->second != entry.first;
      });
    }
  }
  for (std::size_t t = 0; t < net.transitions.size(); ++t) {
    const ProdNet::Transition& transition = net.transitions[t];
    transition_by_name_.emplace(transition.name, t);
    transitions_.push_back({transition.name, transition.variables, {}});
    std::vector<std::optional<Field>>& fields = transitions_.back().fields;
    fields.resize(transition.variables.size());
    for (const auto* patterns : {&transition.inputs, &transition.outputs}) {
      for (const ProdNet::Pattern& pattern : *patterns) {
        for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
          if (pattern.fields[i].is_variable() && !fields[pattern.fields[i].variable()]) {
            fields[pattern.fields[i].variable()] = Field{pattern.place, i};
          }
        }
      }
    }
  }
}

std::optional<ProdNames::Named> ProdNames::find_place(std::string_view text) const {
  const std::size_t bracket = text.find('<');
  const auto found = by_name_.find(text.substr(0, bracket));
  if (found == by_name_.end()) {
    return std::nullopt;
  }
  Named named{found->second, std::nullopt};
  if (bracket != std::string_view::npos) {
    named.tuple = read_tuple(text.substr(bracket + 1));
    const std::optional<std::size_t> width = places_[named.place].width;
    if (!named.tuple || (width && named.tuple->size() != *width)) {
      return std::nullopt;
    }
  }
  return named;
}

std::optional<std::size_t> ProdNames::find_transition(std::string_view name) const {
  const auto found = transition_by_name_.find(name);
  return found == transition_by_name_.end() ? std::nullopt : std::optional(found->second);
}

/// `1,CS>`; `>` is the tuple without fields.
std::optional<ProdNet::Tuple> ProdNames::read_tuple(std::string_view text) const {
  ProdNet::Tuple tuple;
  if (!text.ends_with('>')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  if (trimmed(text).empty()) {
    return tuple;
  }
  for (;;) {
    const std::size_t end = text.find(',');
    const std::string_view field = trimmed(text.substr(0, end));
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (const auto constant = constants_.find(field); constant != constants_.end()) {
      value = constant->second;
    } else if (problem != std::errc() || stop != field.data() + field.size()) {
      return std::nullopt;
    }
    tuple.push_back(value);
    if (end == std::string_view::npos) {
      return tuple;
    }
    text.remove_prefix(end + 1);
  }
}

std::string ProdNames::field_text(const Field& field, std::int64_t value) const {
  const auto& macros = places_[field.place].macros;
  if (field.field < macros.size()) {
    if (const auto macro = macros[field.field].find(value); macro != macros[field.field].end()) {
      return macro->second;
    }
  }
  return fmt::format("{}", value);
}

std::string ProdNames::tuple_text(std::size_t place, std::span<const std::int64_t> tuple) const {
  std::string text = "<";
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += field_text({place, i}, tuple[i]);
  }
  return text + '>';
}

std::string ProdNames::text(std::size_t place, std::span<const std::int64_t> tuple) const {
  return tuple.empty() ? places_[place].name : places_[place].name + tuple_text(place, tuple);
}

model::StepName ProdNames::step_name(std::size_t transition, const ProdBinding& binding) const {
  const Transition& it = transitions_[transition];
  model::StepName step{it.name, {}};
  for (std::size_t v = 0; v < it.variables.size(); ++v) {
    if (binding[v]) {
      step.binding.push_back({it.variables[v], it.fields[v] ? field_text(*it.fields[v], *binding[v])
                                                            : fmt::format("{}", *binding[v])});
    }
  }
  return step;
}

}  // namespace nestor::net
