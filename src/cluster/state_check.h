#pragma once

#include "base/statistics.h"
#include "cluster/answers.h"
#include "cluster/communicator.h"
#include "cluster/options.h"
#include "logic/formula.h"
#include "session/subject.h"

#include <nestor/settings.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nestor::cluster {

/// A formula of CTL about a model that is given by states.
struct StateQuestion {
  logic::FormulaId formula;
  bool all_paths = false;  ///< logic::ModelProperty::all_paths
  std::string text = {};   ///< as the user wrote it; empty: as it is printed
};

/// Formulas about a model whose states the processes have together.
class StateCheck {
 public:
  StateCheck(Communicator& communicator, session::Subject& subject, logic::FormulaPool& pool,
             const Settings& settings, const ClusterOptions& options, std::string fingerprint);

  /// One answer a question, in all processes; all call it. Throws Error.
  std::vector<FormulaAnswer> run(std::span<const StateQuestion> questions, WitnessWish wish);

  /// What is odd about the model, as one process says it; after run().
  const std::vector<std::string>& warnings() const { return warnings_; }
  const base::Statistics& statistics() const { return statistics_; }

 private:
  struct Graph;

  std::string explore(Graph& graph);
  void count(const Graph& graph, double seconds);
  void count_seconds();
  void warn_of_dead_ends(Graph& graph);
  void label(Graph& graph, std::span<const StateQuestion> questions, WitnessWish wish,
             bool all_paths, std::vector<FormulaAnswer>& answers);
  logic::FormulaId asked(const StateQuestion& question);

  Communicator& communicator_;
  session::Subject& subject_;
  logic::FormulaPool& pool_;
  const Settings& settings_;
  const ClusterOptions& options_;
  std::string fingerprint_;
  bool is_fair_;
  std::uint64_t dead_ends_ = 0;
  std::vector<std::string> warnings_;
  base::Statistics statistics_;
};

}  // namespace nestor::cluster
