#pragma once

#include "lint/branch_text.h"
#include "program/program.h"

#include <cstdint>
#include <set>
#include <vector>

namespace nestor::lint {

/// Where a function goes on, as far as the story of a path asks.
class FunctionStory {
 public:
  FunctionStory(const program::Program& program, const program::Function& function);

  const BranchText& text() const { return text_; }
  /// A statement that says what the function returns.
  bool is_return(std::uint32_t point) const { return returns_.count(point) != 0; }
  bool has_one_return() const { return returns_.size() == 1; }
  /// Points where an event of the rule happens, in whichever state, or a call leads to one.
  std::set<std::uint32_t> events;
  std::set<std::uint32_t> sites;  ///< the same for the site alone

  /// Which ends of the function are as good as events, where branches are compared.
  enum class Ends : std::uint8_t { None, Exits, ExitsAndHalt };

  /// Another way at this branch leads to other events or ends.
  bool matters(std::uint32_t branch, const std::set<std::uint32_t>& among, Ends ends) const;

  /// A shortest way to `to`, which is its last point: models leave out what does not matter.
  std::vector<std::uint32_t> between(std::uint32_t from, std::uint32_t to) const;

 private:
  std::set<std::uint32_t> next_shown(std::uint32_t from, const std::set<std::uint32_t>& among,
                                     bool counts_ends) const;
  void find_returns();

  const program::Function& function_;
  BranchText text_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::set<std::uint32_t> returns_;
};

}  // namespace nestor::lint
