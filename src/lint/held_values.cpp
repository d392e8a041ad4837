#include "lint/held_values.h"

#include <algorithm>
#include <iterator>

namespace nestor::lint {

using program::FunctionId;
using program::VariableId;

std::vector<HeldValues::Place> HeldValues::places_of(FunctionId function, const Origins& value) {
  std::vector<Place> places;
  for (const std::uint32_t parameter : value.parameters) {
    places.emplace_back(function, parameter);
  }
  for (const FunctionId callee : value.callees) {
    places.emplace_back(callee, kResult);
  }
  return places;
}

void HeldValues::follow(const std::set<VariableId>& locations) {
  followed_ = locations;
  std::map<Place, std::vector<Place>> goes_to;
  std::vector<std::pair<Place, VariableId>> work;
  const auto add = [&](const Place& place, VariableId location) {
    if (held_[place].insert(location).second) {
      work.emplace_back(place, location);
    }
  };
  for (const auto& [to, all] : given_) {
    for (const Given& one : all) {
      for (const VariableId location : one.value.locations) {
        if (locations.count(location) != 0) {
          add(to, location);
        }
      }
      for (const Place& from : places_of(one.by, one.value)) {
        goes_to[from].push_back(to);
      }
    }
  }
  while (!work.empty()) {
    const auto [place, location] = work.back();
    work.pop_back();
    if (const auto found = goes_to.find(place); found != goes_to.end()) {
      for (const Place& to : found->second) {
        add(to, location);
      }
    }
  }
}

void HeldValues::add_locations(FunctionId function, const Origins& value,
                               std::set<VariableId>& locations) const {
  std::set_intersection(value.locations.begin(), value.locations.end(), followed_.begin(),
                        followed_.end(), std::inserter(locations, locations.end()));
  for (const Place& place : places_of(function, value)) {
    if (const auto found = held_.find(place); found != held_.end()) {
      locations.insert(found->second.begin(), found->second.end());
    }
  }
}

bool HeldValues::is_new(FunctionId function, const Origins& value, int levels) const {
  return value.is_new && (levels > 0 || value.parameters.empty()) &&
         std::all_of(
             value.parameters.begin(), value.parameters.end(), [&](std::uint32_t parameter) {
               const auto found = given_.find({function, parameter});
               return found != given_.end() &&
                      std::all_of(
                          found->second.begin(), found->second.end(),
                          [&](const Given& one) { return is_new(one.by, one.value, levels - 1); });
             });
}

bool HeldValues::may_be_made(FunctionId function, const Origins& value, int levels) const {
  return value.is_made ||
         (levels > 0 && std::any_of(value.parameters.begin(), value.parameters.end(),
                                    [&](std::uint32_t parameter) {
                                      const auto found = given_.find({function, parameter});
                                      return found != given_.end() &&
                                             std::any_of(found->second.begin(), found->second.end(),
                                                         [&](const Given& one) {
                                                           return may_be_made(one.by, one.value,
                                                                              levels - 1);
                                                         });
                                    }));
}

}  // namespace nestor::lint
