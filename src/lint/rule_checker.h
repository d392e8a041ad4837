#pragma once

#include "lint/event_matcher.h"
#include "lint/handle_roots.h"
#include "lint/linter.h"
#include "lint/object_rule.h"
#include "lint/path.h"
#include "lint/path_judge.h"
#include "lint/rule_formula.h"
#include "lint/rule_labels.h"
#include "program/explored_callees.h"
#include "session/session.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace nestor::lint {

/// One rule on one program: finds the instances, slices a model for each, and asks the engine. The
/// formula is asked for all sites of a model together first, and only where it fails for each site.
class RuleChecker {
 public:
  /// `number` is that of the rule.
  RuleChecker(const LintTask& task, program::ProgramIndex& index, solver::BitVectorSolver& solver,
              std::size_t number, base::Statistics& statistics, Findings& findings);
  void run();

 private:
  /// Of functions that are looked at together, the numbers of those that this run is to look at.
  FunctionShare share_of(const std::vector<FunctionShare::Group>& groups) {
    return {task_.share, rule_, task_.program, groups, findings_.costs};
  }
  FunctionShare share_of_functions();
  /// What is found from now on belongs to this unit of work.
  void begin_unit(std::size_t unit) {
    unit_ = unit;
    nodes_for_paths_ = 0;
  }
  void run_whole();
  void run_from(const std::vector<program::ComponentKey>& roots);
  void run_functions();
  void run_variables();
  void run_handles();
  void run_objects();
  void run_shared();
  void run_pairs();
  /// What a function does with a parameter, as its own model shows; nothing if that is too large.
  std::optional<program::AfterRelease::Summary> summary_of(const program::HandleOrigin& parameter);
  std::vector<program::VariableId> shared_variables() const;
  /// Where the program begins, and each of its threads.
  std::vector<program::ComponentKey> program_roots() const;
  /// Whether the model shows a fault; `outlives` whether the object comes back to the caller.
  bool check_object(const program::HandleOrigin& origin, const ObjectOrigins& origins,
                    bool& outlives);
  void check_handle(const program::ComponentKey& root, const std::vector<std::uint8_t>* reaching,
                    const std::set<program::ComponentKey>& skipped);
  /// Every path through the function comes to a site of its parameter.
  bool surely_comes_to_site(const program::ComponentKey& key,
                            const std::set<program::ComponentKey>& skipped);

  /// A model of the program, and what is asked of it.
  struct Inquiry {
    explicit Inquiry(RuleChecker& checker, program::SlicedModel sliced);
    ~Inquiry();
    Inquiry(const Inquiry&) = delete;
    Inquiry& operator=(const Inquiry&) = delete;

    /// The rule's formula with its atoms renamed; the question's number.
    std::size_t ask(const RuleFormula::Rename& rename) { return ask(checker.formula_, rename); }
    std::size_t ask(const RuleFormula& formula, const RuleFormula::Rename& rename);

    const RuleChecker& checker;
    program::SlicedModel model;
    session::Session session;
    bool is_guess = false;  ///< it has paths that others rule out: one must be known to be possible
  };

  /// A model of what can happen to one value.
  struct ObjectModel {
    ObjectModel(RuleChecker& checker, ObjectEvents of, program::ExploredModel explored)
        : events(std::move(of)),
          outlives_root(explored.outlives_root),
          is_given(explored.is_given),
          is_stored(explored.is_stored),
          propositions(std::move(explored.propositions)),
          entered_at(std::move(explored.entered_at)) {
      if (!explored.is_settled) {
        inquiry.emplace(checker, std::move(explored.sliced));
      }
    }

    ObjectEvents events;
    bool outlives_root = false;
    bool is_given = false;   // as in ExploredModel
    bool is_stored = false;  // likewise
    std::set<std::string, std::less<>> propositions;
    std::map<program::FunctionId, std::uint32_t> entered_at;
    std::optional<Inquiry> inquiry;  ///< none: the formula holds for want of events
  };
  /// Null if it is too large.
  std::unique_ptr<ObjectModel> explored(const program::HandleOrigin& origin,
                                        const program::Tracking& tracking,
                                        const std::string& family, program::States how);
  /// The model that shows the fault; null if there is none, or the model is too large. `outlives`
  /// is whether the object comes back to the caller.
  std::unique_ptr<ObjectModel> failing_model(const program::HandleOrigin& origin,
                                             program::Tracking& tracking, const std::string& family,
                                             bool& outlives);

  /// The verdict. That it is unknown is noted.
  engine::Verdict verdict(Inquiry& inquiry, std::size_t question);
  /// Warns of those sites whose own formula fails; `rename` gives the atoms for a site, and
  /// `whole_model` the same model with all points, for the paths, if that is small.
  /// Whether there was anything to warn of.
  bool report_sites(Inquiry& inquiry, std::span<const Site> sites,
                    std::span<const std::size_t> which,
                    const std::function<std::string(std::string_view, std::size_t)>& rename,
                    const std::function<program::SlicedModel()>& whole_model = {});
  /// The same for all of them, where the model has a `site_k` for each.
  bool report_all(Inquiry& inquiry, const std::vector<Site>& sites,
                  const std::function<program::SlicedModel()>& whole_model = {});
  /// The rule's formula fails, at whatever site.
  bool fails(Inquiry& inquiry) { return fails(inquiry, formula_); }
  bool fails(Inquiry& inquiry, const RuleFormula& formula) {
    return verdict(inquiry, inquiry.ask(formula, unchanged)) == engine::Verdict::Fails;
  }
  RuleView rule_view() const {
    return {task_.program, matcher_, named_, formula_.reduction(),
            rule_.scope == Rule::Scope::Handle && looks_only_at_sure(rule_, matcher_)};
  }
  /// The same, of models that leave nothing out.
  RuleView whole_view() const {
    RuleView view = rule_view();
    view.reduction = program::Reduction::Nothing;
    return view;
  }
  void warn(const Site& site, std::vector<PathStep> path = {});
  std::string name_without_variable(const Site& site) const;
  /// The path that shows why a formula fails; empty if it takes too long. Nothing if no run of the
  /// program can take such a path.
  std::optional<std::vector<PathStep>> find_path(Inquiry& inquiry, std::size_t question,
                                                 const RuleFormula::Rename& rename, bool is_whole);
  bool can_be_refuted() const;
  program::TraceQuestion trace_question() const;
  /// A path that a run can take fulfils what the rule is not to speak of. If only others do, they
  /// are left out of `model`, which is empty otherwise.
  bool is_excused(Inquiry& inquiry, const std::function<program::SlicedModel()>& whole_model,
                  std::optional<program::SlicedModel>& model);
  /// The labels that the rule's formula speaks of.
  std::vector<TellingLabel> telling_labels(const RuleFormula::Rename& rename) const;
  /// A site in a function that the handle was passed to, as the call where that began.
  Site seen_from(const program::ComponentKey& root, const HandleLabels& labels,
                 const Site& site) const;
  void note_unknown(const std::string& reason);

  const LintTask& task_;
  program::ProgramIndex& index_;
  solver::BitVectorSolver& solver_;
  const Rule& rule_;
  std::size_t number_;
  base::Statistics& statistics_;
  Findings& findings_;
  EventMatcher matcher_;
  RuleFormula formula_;
  RuleFormula universal_part_;         // of formula_
  std::optional<RuleFormula> excuse_;  // Rule::unless
  NamedPoints named_;
  std::map<std::string, program::ExploredCallees> callees_;  // by family of the handle
  std::size_t unit_ = 0;                                     // that is being looked at
  std::size_t nodes_for_paths_ = 0;  // of its models that paths were looked for in
};

}  // namespace nestor::lint
