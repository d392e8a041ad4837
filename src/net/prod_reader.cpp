#include "net/prod_reader.h"

#include "net/net_states.h"
#include "net/prod_lexer.h"
#include "net/prod_unfold.h"

#include <charconv>
#include <optional>
#include <unordered_map>

namespace nestor::net {

namespace {

/// Finds the places that a formula speaks of: `p` for all tuples in p, `p<1,CS>` for one. A tuple
/// that never comes to lie there has no place, and no tokens.
class PlaceNames {
 public:
  PlaceNames(const ProdNet& net, std::vector<std::map<ProdNet::Tuple, PlaceId>> places,
             const std::vector<ProdConstant>& constants)
      : places_(std::move(places)) {
    for (std::size_t p = 0; p < net.places.size(); ++p) {
      by_name_.emplace(net.places[p].name, p);
      widths_.push_back(net.places[p].width_known ? std::optional(net.places[p].width)
                                                  : std::nullopt);
    }
    for (const ProdConstant& constant : constants) {
      constants_.emplace(constant.name, constant.value);
    }
  }

  std::optional<std::vector<PlaceId>> operator()(std::string_view text) const {
    const std::size_t bracket = text.find('<');
    const auto found = by_name_.find(std::string(text.substr(0, bracket)));
    if (found == by_name_.end()) {
      return std::nullopt;
    }
    const auto& tuples = places_[found->second];
    std::vector<PlaceId> result;
    if (bracket == std::string_view::npos) {
      for (const auto& [tuple, place] : tuples) {
        result.push_back(place);
      }
      return result;
    }
    const auto tuple = read_tuple(text.substr(bracket + 1));
    if (!tuple || (widths_[found->second] && tuple->size() != *widths_[found->second])) {
      return std::nullopt;
    }
    if (const auto place = tuples.find(*tuple); place != tuples.end()) {
      result.push_back(place->second);
    }
    return result;
  }

 private:
  /// `1,CS>`
  std::optional<ProdNet::Tuple> read_tuple(std::string_view text) const {
    ProdNet::Tuple tuple;
    while (!text.empty()) {
      const std::size_t end = text.find_first_of(",>");
      if (end == std::string_view::npos) {
        return std::nullopt;
      }
      const std::string_view field = text.substr(0, end);
      std::int64_t value = 0;
      const auto [stop, problem] =
          std::from_chars(field.data(), field.data() + field.size(), value);
      if (const auto constant = constants_.find(std::string(field)); constant != constants_.end()) {
        value = constant->second;
      } else if (problem != std::errc() || stop != field.data() + field.size()) {
        return std::nullopt;
      }
      tuple.push_back(value);
      if (text[end] == '>') {
        return end + 1 == text.size() ? std::optional(tuple) : std::nullopt;
      }
      text.remove_prefix(end + 1);
    }
    return std::nullopt;
  }

  std::vector<std::map<ProdNet::Tuple, PlaceId>> places_;
  std::vector<std::optional<std::size_t>> widths_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, std::int64_t> constants_;
};

}  // namespace

std::shared_ptr<NetStates> read_prod(const base::Input& input) {
  const ProdNet net = parse_prod(input);
  UnfoldedNet unfolded = unfold(net, input);
  auto states = std::make_shared<NetStates>(std::move(unfolded.net));
  for (std::size_t t = 0; t < net.transitions.size(); ++t) {
    states->name_transitions(net.transitions[t].name, std::move(unfolded.transitions[t]));
  }
  states->find_places_with(PlaceNames(net, std::move(unfolded.places), read_prod_constants(input)));
  return states;
}

}  // namespace nestor::net
