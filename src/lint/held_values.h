#pragma once

#include "program/program.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace nestor::lint {

/// Where a program's functions hand on what they were given or have read, as arguments and as
/// results: whoever calls whom, and in whatever order.
class HeldValues {
 public:
  /// What a value of a function may be.
  struct Origins {
    std::set<std::uint32_t> parameters;
    std::set<program::VariableId> locations;  ///< what lies there was read
    std::set<program::FunctionId> callees;    ///< whose results it may be
    bool is_new = false;   ///< if what the parameters get is: nothing but what was made, or null
    bool is_made = false;  ///< it may be what a call gave
  };

  void pass(program::FunctionId caller, Origins value, program::FunctionId callee,
            std::uint32_t parameter) {
    given_[{callee, parameter}].push_back({caller, std::move(value)});
  }
  void give_back(program::FunctionId function, Origins value) {
    given_[{function, kResult}].push_back({function, std::move(value)});
  }
  /// The value is always what was made for it, by the function or by all that call it.
  bool is_new(program::FunctionId function, const Origins& value) const {
    return is_new(function, value, kMostLevels);
  }
  /// It may be something else than null.
  bool may_be_made(program::FunctionId function, const Origins& value) const {
    return may_be_made(function, value, kMostLevels);
  }
  /// Finds out what becomes of what lies in these places.
  void follow(const std::set<program::VariableId>& locations);
  /// Adds those of them where the value may have been read, by whomever.
  void add_locations(program::FunctionId function, const Origins& value,
                     std::set<program::VariableId>& locations) const;

 private:
  static constexpr std::uint32_t kResult = UINT32_MAX;  // as the number of a parameter
  static constexpr int kMostLevels = 3;                 // of callers
  using Place = std::pair<program::FunctionId, std::uint32_t>;
  struct Given {
    program::FunctionId by;
    Origins value;
  };

  bool is_new(program::FunctionId function, const Origins& value, int levels) const;
  bool may_be_made(program::FunctionId function, const Origins& value, int levels) const;
  static std::vector<Place> places_of(program::FunctionId function, const Origins& value);

  std::map<Place, std::vector<Given>> given_;
  std::map<Place, std::set<program::VariableId>> held_;
  std::set<program::VariableId> followed_;
};

}  // namespace nestor::lint
