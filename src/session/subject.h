#pragma once

#include "base/input.h"
#include "base/statistics.h"
#include "format/registry.h"
#include "logic/read_model.h"
#include "model/explore.h"
#include "model/fairness.h"
#include "session/settings.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::session {

/// The model that questions are about: one or more machines, or states that become a machine when
/// they are explored, once.
class Subject {
 public:
  /// Reads a file, and its properties if a pool is given for them. Throws Error.
  static Subject read(const ModelSource& source, const Settings& settings,
                      logic::FormulaPool* properties = nullptr);
  /// The same of a text that is there; `source` names its path and format.
  static Subject read(const base::Input& input, const ModelSource& source, const Settings& settings,
                      logic::FormulaPool* properties = nullptr);
  Subject(std::string name, model::Rsm machine, model::DeadEnds dead_ends = model::DeadEnds::Keep);
  Subject(std::string name, logic::ReadModel::States states,
          model::DeadEnds dead_ends = model::DeadEnds::Keep);
  /// A machine of the caller's, which must outlive this.
  static Subject borrowed(const model::Rsm& machine);

  const std::string& name() const { return name_; }             ///< for messages
  const format::FormatInfo* format() const { return format_; }  ///< null if it was not read
  std::size_t input_bytes() const { return input_bytes_; }
  double read_seconds() const { return read_seconds_; }
  const std::vector<std::string>& warnings() const { return warnings_; }  ///< of the reader
  const std::vector<logic::ModelProperty>& properties() const { return properties_; }

  /// The same model with states that say which of `propositions` are true of the step that is made
  /// next (model::StepPropositions); null if none is of steps.
  std::shared_ptr<Subject> with_steps(std::span<const std::string> propositions) const;

  /// How the states change, if that is what the model is given by; else null.
  model::SuccessorFunction* states() const { return states_.get(); }
  /// False as long as the states are not explored.
  bool has_machine() const { return borrowed_ != nullptr || !machines_.empty(); }
  /// Why there is no machine and will be none: a limit was reached. Empty if none was.
  const std::string& unexplored() const { return unexplored_; }
  /// The next question explores anew if a limit was reached, with limits of its own.
  void forget_limits();
  /// The machine that a property with this number speaks of (ModelProperty::model).
  const model::Rsm& machine(std::size_t number = 0) const;
  std::size_t machine_count() const { return borrowed_ != nullptr ? 1 : machines_.size(); }
  const model::Fairness& fairness() const { return fairness_; }  ///< of the machine
  /// The model has no initial state: everything holds.
  bool is_empty() const { return is_empty_; }
  model::DeadEnds dead_ends() const { return dead_ends_; }  ///< what they mean
  /// True if there is a machine, without fairness constraints, that may have dead ends, and paths
  /// that end do not count.
  bool has_uncounted_dead_ends(std::size_t number = 0) const;

  /// Explores the states if that has not been done, and labels them with those of `propositions`
  /// that they know. Throws LimitReached, and Error (Input) for a dead end that is not allowed.
  void explore(std::span<const std::string> propositions, const Settings& settings,
               base::Statistics* statistics = nullptr);
  /// Explores a bit further, with limits that are a share of those of the settings; what was found
  /// is kept for the next time. True if there is a machine now.
  bool explore_further(std::span<const std::string> propositions, const Settings& settings,
                       const base::Limits& share, base::Statistics* statistics);
  /// What explore_further() has found is found anew the next time.
  void drop_exploration() { exploration_.reset(); }
  /// True if explore_further() may get further than it has.
  bool is_exploring() const { return exploration_.has_value(); }
  /// What makes questions about the states smaller; null if nothing does.
  const logic::Simplifier* simplifier() const { return simplifier_.get(); }
  /// The same; a limit that is reached, here or by the reader, is an Error.
  void explore_or_refuse(std::span<const std::string> propositions, const Settings& settings);

  /// What certificates name the model by: the SHA-256 of the RSM JSON file; for a model in another
  /// format, or one whose dead ends were made to loop, of the file that `nestor convert` writes.
  /// For states that were explored, of the one with `propositions` and no other labels.
  std::string sha256(std::vector<std::string> propositions) const;

 private:
  Subject() = default;

  void go_on_exploring(std::span<const std::string> propositions, const Settings& settings,
                       const base::Limits& limits, base::Statistics* statistics);
  std::string hash_of_file() const;

  std::string name_;
  const format::FormatInfo* format_ = nullptr;
  std::size_t input_bytes_ = 0;
  double read_seconds_ = 0;
  std::vector<std::string> warnings_;
  std::vector<logic::ModelProperty> properties_;
  std::shared_ptr<model::SuccessorFunction> states_;
  std::shared_ptr<const logic::Simplifier> simplifier_;
  std::optional<model::Exploration> exploration_;  // that is under way
  std::vector<model::Rsm> machines_;
  const model::Rsm* borrowed_ = nullptr;
  model::Fairness fairness_;
  model::DeadEnds dead_ends_ = model::DeadEnds::Keep;
  /// For what is found when it is first asked for, by whichever thread.
  std::unique_ptr<std::mutex> lazily_ = std::make_unique<std::mutex>();
  mutable std::vector<std::optional<bool>> has_dead_ends_;  // by machine
  std::string unexplored_;
  bool is_empty_ = false;       // ReadModel::is_empty
  mutable std::string sha256_;  // once it was asked for, or if the text will not be there later
  std::string hash_of_;         // the file that names the model, as it was when it was read
  std::filesystem::file_time_type hash_time_;
};

}  // namespace nestor::session
