#pragma once

#include <cstddef>
#include <cstdint>
#include <nestor/model.h>
#include <string>
#include <vector>

// Random models and formulas, for tests and benchmarks. The same options and seed give the same
// result on every machine; another release may give another. Sizes that are no use, or beyond a
// hundred million, are refused with Error (Usage).

namespace nestor {

/// A proposition and how much of the model carries it.
struct LabelShare {
  std::string name;
  double share = 0.5;
};

/// The random machines of Dubslaff, Wienhöft and Fehnker 2024, section 7.2, and what tests need
/// beyond them.
struct RandomRsmOptions {
  std::size_t components = 3;
  std::size_t boxes = 2;  ///< in each component
  std::size_t nodes = 6;  ///< plain ones, in each component
  double entries = 0.05;  ///< share of the nodes, at least one
  double exits = 0.05;    ///< share of the nodes, at least one
  double density = 0.2;   ///< of the possible transitions
  std::vector<LabelShare> labels = {{"a", 0.4}, {"b", 0.6}, {"c", 0.5}};  ///< of the nodes

  bool hierarchical = false;       ///< boxes call later components only, so nothing is recursive
  bool entries_may_exit = false;   ///< a node may be entry and exit
  bool into_entries = false;       ///< transitions may lead into entries
  bool exits_go_on = false;        ///< exits may have local successors
  bool some_never_exit = false;    ///< some components have no exits
  bool dead_ends = false;          ///< else every node but an exit gets a successor
  bool forward = false;            ///< no loops inside a component: paths end, return or recur
  bool any_initial_nodes = false;  ///< name some nodes as initial, not only entries
};
NESTOR_API Model random_rsm(const RandomRsmOptions& options, std::uint64_t seed);

/// Programs as compilers see them: procedures of sequences, branches, loops, calls and early
/// returns, every procedure called from an earlier one, some calls recursive.
struct RandomProgramOptions {
  std::size_t nodes = 1000;  ///< about this many in all, call and return nodes included
  std::size_t least_procedure = 5;
  std::size_t largest_procedure = 50;
  std::size_t most_exits = 3;
  double recursion = 0.2;  ///< share of the further calls that lead back to an earlier procedure
  std::vector<LabelShare> labels = {{"p", 0.1}, {"q", 0.05}};  ///< of the nodes
};
NESTOR_API Model random_program(const RandomProgramOptions& options, std::uint64_t seed);

/// Pushdown systems where every rule of every kind is equally likely. Initial is the first control
/// state over the first symbol.
struct RandomPushdownOptions {
  std::size_t controls = 2;
  std::size_t symbols = 5;
  std::size_t pops = 4;  ///< rules of each kind; the same one may be drawn twice
  std::size_t rewrites = 6;
  std::size_t pushes = 4;
  std::vector<LabelShare> labels = {{"a", 0.4}, {"b", 0.6}, {"c", 0.5}};  ///< of the heads
};
/// A text of the format `pds`.
NESTOR_API std::string random_pushdown(const RandomPushdownOptions& options, std::uint64_t seed);

/// Formulas with all of CTL's operators.
struct RandomFormulaOptions {
  std::size_t quantifier_depth = 2;  ///< exactly this many quantifiers on the deepest branch
  std::size_t width = 2;             ///< most connectives in a row between two quantifiers
  double negation = 0.3;             ///< share of the parts that are negated
  std::vector<std::string> propositions = {"a", "b", "c"};
};
NESTOR_API std::vector<Formula> random_formulas(std::size_t count,
                                                const RandomFormulaOptions& options,
                                                std::uint64_t seed);

/// For each variable V of a model labelled `def__V`, `use__V`, `usedef__V`, sorted, that what is
/// defined can be used: `AG ((def__V | usedef__V) -> EF (use__V | usedef__V))` (section 7.4 of the
/// same source). Nothing is explored.
NESTOR_API std::vector<Formula> use_def_formulas(const ModelSource& source);

}  // namespace nestor
