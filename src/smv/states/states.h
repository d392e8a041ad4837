#pragma once

#include "base/bit_layout.h"
#include "base/limits.h"
#include "model/step_propositions.h"
#include "model/successor_function.h"
#include "smv/machine/machine.h"
#include "smv/machine/plan.h"
#include "smv/names/scopes.h"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::smv {

/// A file that was read, with what the terms and texts made of it refer to.
struct File {
  explicit File(const base::Input& input);

  /// The same as input.locate(), for many places: by a table of lines.
  base::SourceLocation locate(Place at) const;

  base::Input input;
  FileSyntax syntax;              ///< grows with the atoms of formulas that are read
  std::deque<base::Input> atoms;  ///< their texts
  std::vector<Place> line_begins;
};

/// The states of a module: the values of its variables, packed. Initial states and successors by
/// the plans, propositions by expressions.
class States final : public model::SuccessorFunction,
                     public model::StepPropositions,
                     public std::enable_shared_from_this<States> {
 public:
  /// `module` is the index of the module in the file. Throws Error.
  States(std::shared_ptr<File> file, std::size_t module, bool recursive);

  std::size_t state_words() const override { return layout_.words(); }
  std::size_t state_bits() const override { return layout_.bits(); }
  void initial_states(model::StateSink& sink) override;
  /// Looks for one. May throw LimitReached.
  bool has_initial_state(const base::Limits& limits);
  [[nodiscard]] bool successors(base::StateView state, model::StateSink& sink) override;
  Proposition find_proposition(std::string_view atom) override;
  bool is_of_steps(std::string_view atom) override;
  std::shared_ptr<SuccessorFunction> with_steps(std::span<const std::string> atoms) override;
  bool holds(std::uint32_t proposition, base::StateView state) const override;
  std::optional<Key> key(std::uint32_t proposition) const override;
  std::uint64_t part(std::uint32_t part, base::StateView state) const override;
  std::vector<std::string> propositions() const override;
  std::string describe(base::StateView state) const override;
  std::uint32_t mark_count() const override {
    return static_cast<std::uint32_t>(model().fairness.size());
  }

  FlatModel& model() const { return flattener_->model(); }
  Resolver& resolver() { return flattener_->resolver(); }
  const File& file() const { return *file_; }
  /// A boolean expression about one state, as a term. Throws Error.
  TermId resolve_condition(ExprId expression, InstanceId scope);
  /// The same; it may speak of a step as well, by inputs, `next` or `running`.
  TermId resolve_step_condition(ExprId expression, InstanceId scope);
  bool speaks_of_steps(TermId term) const {
    return model().terms[term].reads_next || model().terms[term].reads_input;
  }
  /// Gives the condition `term` the name `atom`.
  void add_proposition(const std::string& atom, TermId term);

  /// A condition that may speak of a step.
  struct StepCondition {
    std::string atom;
    bool is_own = true;  ///< it stands in the file
    bool reads_next = false;
    std::vector<std::uint32_t> entries = {};  ///< its code, by the process that runs
  };
  /// Of an atom of steps.
  StepCondition step_condition(const std::string& atom);
  /// What a step leads to, which fairness constraints it satisfies, and of each condition whether
  /// it holds.
  using VisitStep =
      std::function<void(base::StateView to, std::uint32_t marks, const std::vector<bool>& truths)>;
  /// Every step from `state`. `sink` is only told of the time that passes.
  void visit_steps(base::StateView state, std::span<const StepCondition> conditions,
                   model::StateSink& sink, const VisitStep& visit);
  /// Every choice of inputs in `state`, whether or not a step follows; conditions on the next state
  /// are false.
  void visit_inputs(base::StateView state, std::span<const StepCondition> conditions,
                    model::StateSink& sink, const VisitStep& visit);
  /// The condition as a proposition: a number for holds() and key().
  std::uint32_t number_of(TermId condition);
  /// The values of all variables.
  std::vector<std::int64_t> unpack(base::StateView state) const;
  /// Every variable has the value EXIT.
  bool is_exit(base::StateView state) const;

 private:
  struct Field {
    base::BitField low;
    base::BitField high;  // of types with more than 2^32 values
    bool wide = false;
    bool is_word = false;          // a wide one: it has parts instead
    std::uint32_t first_part = 0;  // in parts_, the lowest bits first
    std::uint32_t part_count = 0;
  };
  /// What is known of a condition: code, and more if it reads one variable only. Indices are the
  /// values' places in the variable's type.
  struct Condition {
    std::uint32_t entry = 0;
    std::string text;  // of an atom of a formula; its places are not the file's
    VariableId only;   // the variable that it reads, if it is one of not too many values
    // With which indices it holds, ascending, if the term says so.
    std::optional<std::vector<std::uint64_t>> holds_at;
    std::vector<std::uint8_t> table;  // else, for a small type, by index: what is known so far
  };

  void lay_out();
  void load(base::StateView state) const;
  std::uint64_t packed_index(const Field& field, base::StateView state) const;
  std::int64_t decoded(VariableId v, std::uint64_t index) const;
  std::int64_t packed_value(VariableId v, base::StateView state) const {
    const Field& field = fields_[v];
    return field.is_word ? packed_word(v, state) : decoded(v, packed_index(field, state));
  }
  std::int64_t packed_word(VariableId v, base::StateView state) const;
  void pack_word(VariableId v, std::int64_t value);
  std::int64_t wide_value_at(const Variable& variable, std::uint64_t index) const;
  std::int64_t value_at(VariableId v, std::uint64_t index) const;
  void set_value(const PlanStep& step, std::int64_t value);
  void run(const Plan& plan, model::StateSink& sink);
  void visit(const Plan& plan, std::size_t process, bool is_step,
             std::span<const StepCondition> conditions, model::StateSink& sink,
             const VisitStep& visit_step);
  bool find_choices(const PlanStep& step, std::size_t level);
  void compute_marks(const Plan& plan);
  TermId parse_condition(std::string_view text);
  VariableId only_variable(TermId term) const;
  std::uint64_t index_count(VariableId v) const;
  std::optional<std::uint64_t> index_of(VariableId v, std::int64_t value) const;
  std::optional<std::vector<std::uint64_t>> indices_where(TermId term, VariableId v) const;
  std::string current_state() const;
  [[noreturn]] void refuse(const EvaluationFailed& failed, const std::string& atom = {}) const;

  std::shared_ptr<File> file_;
  std::unique_ptr<Flattener> flattener_;
  Code code_;
  std::unique_ptr<Compiler> compiler_;
  std::vector<Plan> plans_;  // [0]: initial states; then one for each process
  mutable std::unique_ptr<Machine> machine_;
  base::BitLayout layout_;
  base::IdVector<VariableId, Field> fields_;
  std::vector<base::BitField> parts_;                            // of wide words
  std::unordered_map<std::string, std::uint32_t> propositions_;  // atom → condition
  mutable std::vector<Condition> conditions_;
  struct StepTerm {
    TermId term;
    bool is_own = true;
  };
  std::unordered_map<std::string, StepTerm> step_terms_;  // by atom, those of steps
  std::unordered_map<std::uint32_t, std::uint32_t> condition_of_term_;
  bool is_reading_ = false;  // an atom; still so afterwards: there was no memory to end it
  mutable std::vector<std::uint32_t> loaded_;  // the state in the machine; empty: none

  // Of the plan that is being carried out.
  std::vector<std::vector<std::int64_t>> candidates_;  // by step
  std::vector<std::uint64_t> chosen_;                  // by step: which of the values is tried
  std::vector<std::uint64_t> last_;                    // by step: which one is the last
  std::vector<bool> known_;  // by step: the candidates need not be found again
  std::vector<std::uint32_t> packed_;
  std::uint64_t made_ = 0;  // states handed to the sink
  std::uint32_t marks_ = 0;
  bool has_current_ = false;
};

}  // namespace nestor::smv
