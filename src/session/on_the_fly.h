#pragma once

#include "base/limits.h"
#include "base/statistics.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "logic/formula.h"
#include "logic/simplifier.h"
#include "session/settings.h"
#include "session/subject.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nestor::session {

/// Decides formulas about a model whose questions can be made smaller, without exploring the model
/// first: each formula by itself with a share of the limits, in rounds with larger and larger
/// shares; between the rounds the whole model is explored a bit further. The seconds of the limits
/// are for all formulas together, the steps for each.
class OnTheFly {
 public:
  /// `spent`: seconds that were used for the same questions before.
  OnTheFly(const Settings& settings, Subject& subject, const logic::FormulaPool& pool,
           base::Statistics& statistics, double spent);

  /// One result a formula. If the model is explored in the end, those that are still unknown are
  /// for whoever labels it.
  std::vector<engine::Result> decide(std::span<const logic::FormulaId> formulas,
                                     std::span<const std::string> atoms);

  /// Likewise for a model whose questions stay as they are, all on the same states.
  std::vector<engine::Result> decide_as_they_are(logic::FormulaPool& pool,
                                                 std::span<const logic::FormulaId> formulas,
                                                 std::span<const std::string> atoms);

  /// Likewise for formulas beyond CTL, as they are: loops that decide them are sought, in rounds
  /// with more and more steps, between which the model is explored a bit further.
  std::vector<engine::Result> decide_paths(logic::FormulaPool& pool,
                                           std::span<const logic::FormulaId> formulas,
                                           std::span<const std::string> atoms);

  /// Of the time, for evidence after the verdicts, if that is wanted.
  static constexpr double kShareForEvidence = 0.25;

  /// Of the settings' seconds, those that are left for verdicts.
  std::optional<double> seconds_left() const;
  /// Nothing more can be decided within the limits.
  bool is_over() const;

  /// Begins to explore with a small share of the limits. True if that was enough.
  static bool explore_a_bit(Subject& subject, std::span<const std::string> atoms,
                            const Settings& settings, base::Statistics& statistics);

 private:
  /// A formula, or a part of one: a tree whose leaves are questions.
  struct Part {
    std::size_t formula = 0;
    std::optional<std::size_t> whole;  // the part it is a part of
    bool needs_all = false;            // of its parts
    std::size_t left = 0;              // parts that are still open
    bool is_decided = false;
  };
  struct Open {
    std::size_t number = 0;  // of the formula
    logic::SmallerQuestion question;
    std::size_t part = 0;
    bool is_worth_more = true;  // what ended the last search was its share
    engine::Result result = {};
  };

  template <class Work>
  void in_parallel(std::size_t count, Work work) const;
  base::Limits share(double part, std::size_t count) const;
  void simplify(std::span<const logic::FormulaId> formulas);
  void search(std::uint64_t steps);
  void label_sets();
  void label_sets(const std::vector<std::size_t>& group, base::Limits limits);
  void add_question(std::size_t formula, std::optional<std::size_t> whole,
                    logic::SmallerQuestion question);
  void decide_part(std::size_t part, bool value, const engine::Result& by);
  void settle();
  void drop_decided();
  bool explore_further(std::uint64_t steps, std::span<const std::string> atoms);
  void search_as_it_is(const engine::EngineInfo& engine, logic::FormulaPool& pool,
                       std::span<const logic::FormulaId> formulas, std::uint64_t steps);
  void give_reasons();

  const Settings& settings_;
  Subject& subject_;
  const logic::FormulaPool& pool_;
  base::Statistics& statistics_;
  std::chrono::steady_clock::time_point start_;
  double spent_;
  std::vector<engine::Result> results_;
  std::vector<Part> parts_;
  std::vector<Open> open_;
};

}  // namespace nestor::session
