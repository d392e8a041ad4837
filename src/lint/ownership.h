#pragma once

#include "lint/held_values.h"
#include "program/program_index.h"

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace nestor::lint {

/// Which members of structures and globals own what they hold, where such structures are released,
/// and where something else is written into them.
///
/// A member owns what it holds if all that the program stores in it was made for that (or is null),
/// by the function that stores it or by all that call it, nothing that is read from it is stored
/// anywhere else, whoever has been given it, and it is released somewhere, or nobody outside is
/// given it: where the only release is missing, there is none. One that is emptied where that is
/// done is not counted: whether it holds something is for others to know.
class Ownership {
 public:
  explicit Ownership(program::ProgramIndex& index);

  struct Release {
    std::uint32_t point = 0;  ///< the call that releases the structure
    std::uint32_t from = 0;   ///< where the function gets its address: a read, or kEntry
    std::uint32_t parameter = 0;
    std::map<program::VariableId, std::int64_t> members;  ///< that own something, and where
  };
  std::vector<Release> releases_in(program::FunctionId function) const;

  struct Replacement {
    std::uint32_t read = 0;   ///< where the function looks at what is held
    std::uint32_t write = 0;  ///< where it writes something else there
  };
  /// Of globals, and of members of structures that it has not made itself.
  std::vector<Replacement> replacements_in(program::FunctionId function) const;

 private:
  /// Where a value comes into its function: the points that bind it, and parameters.
  struct Sources {
    std::set<std::uint32_t> points;
    std::set<std::uint32_t> parameters;
    bool is_known = true;  ///< there are no others but null
    std::set<program::ValueId> seen;
  };
  /// A pointer and how many bytes further.
  static std::pair<program::ValueId, std::int64_t> base_of(const program::Function& in,
                                                           program::ValueId address);
  void trace(const program::Function& in, program::ValueId value, Sources& sources) const;
  bool is_fresh(const program::Function& in, program::ValueId value, Sources& sources) const;
  bool is_fresh_or_given(const program::Function& in, program::ValueId value,
                         Sources& sources) const;
  /// What the functions of the program do with what they read, and store.
  struct Uses;

  void find_returning();
  void find_makers();
  void find_ending();
  void find_uses(Uses& uses);
  void find_owning();
  void find_offsets();
  void note_call(program::FunctionId function, std::uint32_t point, Uses& uses) const;
  void note_write(program::FunctionId function, std::uint32_t point, Uses& uses) const;
  std::set<program::VariableId> links_among(const HeldValues& held) const;
  std::set<std::string_view> copied_structures() const;
  std::string_view structure_of(program::VariableId member) const;
  HeldValues::Origins origins_of(const program::Function& in, program::ValueId value,
                                 Sources& sources) const;
  bool is_release(const program::Function& in, std::uint32_t point, std::size_t argument) const;
  std::optional<std::size_t> released_argument(const program::Function& in,
                                               std::uint32_t point) const;
  static bool is_on_every_way(const program::Function& in, std::uint32_t parameter,
                              const std::vector<std::uint32_t>& points);
  bool is_released_by_caller(program::FunctionId function, program::VariableId member) const;
  std::vector<Release> releases_in(program::FunctionId function, bool looks_at_callees) const;
  bool is_same_place(const program::Function& in, std::uint32_t one, std::uint32_t other) const;
  bool is_private(program::VariableId location) const;
  std::optional<std::size_t> given_back(const program::Point& point) const;

  program::ProgramIndex& index_;
  const program::Program& program_;
  std::map<program::FunctionId, std::size_t> returning_;  ///< they return a parameter, or null
  std::set<program::FunctionId> makers_;  ///< what they return is always new, or null
  std::set<std::pair<program::FunctionId, std::uint32_t>> ending_;  ///< they release the parameter
  std::map<program::FunctionId, std::set<program::VariableId>> released_in_;
  std::map<program::VariableId, std::int64_t> offsets_;  ///< of members: the smallest
  std::map<program::VariableId, std::int64_t> owning_;
  std::set<program::VariableId> holding_;  ///< the same, and those emptied where they are released
};

}  // namespace nestor::lint
