#include "cluster/state_check.h"

#include "base/limits.h"
#include "cluster/checkpoint.h"
#include "cluster/evidence.h"
#include "cluster/exploration.h"
#include "cluster/labelling.h"
#include "logic/infinite_paths.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "witness/witness_text.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nestor::cluster {

/// The graph's part of this process.
struct StateCheck::Graph {
  Graph(model::SuccessorFunction& model, int processes) : part(model, processes) {}

  GraphPart part;
  Predecessors predecessors;
};

StateCheck::StateCheck(Communicator& communicator, session::Subject& subject,
                       logic::FormulaPool& pool, const Settings& settings,
                       const ClusterOptions& options, std::string fingerprint)
    : communicator_(communicator),
      subject_(subject),
      pool_(pool),
      settings_(settings),
      options_(options),
      fingerprint_(std::move(fingerprint)),
      is_fair_(subject.states()->mark_count() > 0) {}

std::vector<FormulaAnswer> StateCheck::run(std::span<const StateQuestion> questions,
                                           WitnessWish wish) {
  std::vector<FormulaAnswer> answers(questions.size());
  Graph graph(*subject_.states(), communicator_.size());
  const base::Stopwatch watch;
  std::string reason;
  try {
    reason = explore(graph);
  } catch (const base::LimitReached& limit) {
    reason = limit.reason;
  }
  count(graph, watch.seconds());
  if (reason.empty()) {
    try {
      warn_of_dead_ends(graph);
      communicator_.within_limits([&] {
        base::LimitGuard guard(settings_.limits);
        if (!wish.any()) {
          graph.part.states.drop_index();
        }
        graph.part.parent = {};
        graph.part.parent_process = {};
        graph.predecessors =
            Predecessors(std::move(graph.part.edges), graph.part.states.size(), is_fair_, guard);
      });
      for (const bool all_paths : {false, true}) {
        label(graph, questions, wish, all_paths, answers);
      }
    } catch (const base::LimitReached& limit) {
      reason = limit.reason;
    }
  }
  for (FormulaAnswer& answer : answers) {
    if (answer.result.verdict == Verdict::Unknown && answer.result.reason.empty()) {
      answer.result.reason = reason;
    }
  }
  statistics_.raise("cluster.peak_bytes_largest",
                    communicator_.largest(base::peak_resident_bytes()));
  count_seconds();
  const std::uint64_t messages = communicator_.sum(communicator_.traffic().messages);
  const std::uint64_t bytes = communicator_.sum(communicator_.traffic().bytes);
  const std::uint64_t transitions =
      std::max<std::uint64_t>(1, statistics_.counters().at("explore.transitions"));
  statistics_.raise("cluster.messages", messages);
  statistics_.raise("cluster.bytes", bytes);
  statistics_.add_seconds("cluster.messages_per_transition",
                          static_cast<double>(messages) / static_cast<double>(transitions));
  statistics_.add_seconds("cluster.bytes_per_transition",
                          static_cast<double>(bytes) / static_cast<double>(transitions));
  return answers;
}

std::string StateCheck::explore(Graph& graph) {
  std::optional<Checkpoint> checkpoint;
  if (!options_.checkpoint.empty()) {
    checkpoint.emplace(communicator_, options_.checkpoint, fingerprint_);
    if (options_.resume) {
      checkpoint->read(graph.part);
      statistics_.raise("cluster.resumed_states", communicator_.sum(graph.part.states.size()));
    } else {
      checkpoint->prepare();
    }
  }
  base::Stopwatch since;
  ExploreHow how;
  how.dead_ends = subject_.dead_ends();
  how.limits = settings_.limits;
  if (communicator_.is_first()) {
    if (settings_.progress) {
      how.progress = [&](std::size_t states, std::size_t expanded) {
        settings_.progress({Progress::Work::Exploring, expanded, states});
      };
    }
    if (checkpoint) {
      how.wants_pause = [&] { return since.seconds() > options_.checkpoint_every; };
    }
  }
  Exploration exploration(communicator_, graph.part, how);
  std::string reason;
  while (reason.empty() && !exploration.is_complete()) {
    reason = exploration.go_on();
    if (checkpoint && exploration.can_go_on()) {
      checkpoint->write(graph.part);
      since = base::Stopwatch();
    }
  }
  if (checkpoint) {
    statistics_.raise("cluster.checkpoints", checkpoint->written());
  }
  return reason;
}

/// Of all processes, so that their work can be told from their waiting.
void StateCheck::count_seconds() {
  const auto microseconds = [](double seconds) {
    return static_cast<std::uint64_t>(std::max(seconds, 0.0) * 1e6);
  };
  const auto add = [&](const char* name, std::uint64_t value) {
    statistics_.add_seconds(name, static_cast<double>(value) / 1e6);
  };
  const Waiting& waiting = communicator_.waiting();
  const double processor = communicator_.processor_seconds();
  add("cluster.processor_seconds", communicator_.sum(microseconds(processor)));
  add("cluster.processor_seconds_waiting",
      communicator_.sum(microseconds(waiting.processor_seconds)));
  add("cluster.working_seconds_largest",
      communicator_.largest(microseconds(processor - waiting.processor_seconds)));
  add("cluster.waiting_seconds", communicator_.sum(microseconds(waiting.seconds)));
}

void StateCheck::count(const Graph& graph, double seconds) {
  const std::uint64_t own = graph.part.states.size();
  const std::uint64_t states = communicator_.sum(own);
  const std::uint64_t most = communicator_.largest(own);
  std::uint64_t edges = 0;
  for (const EdgeStream& stream : graph.part.edges) {
    edges += stream.size();
  }
  const auto processes = static_cast<std::uint64_t>(communicator_.size());
  statistics_.raise("explore.states", states);
  statistics_.raise("explore.transitions", communicator_.sum(edges));
  statistics_.raise("explore.bits_per_state",
                    communicator_.largest(subject_.states()->state_bits()));
  statistics_.raise("explore.states_bytes", communicator_.sum(graph.part.states.memory_bytes()));
  statistics_.add_seconds("explore.seconds", seconds);
  statistics_.raise("cluster.processes", processes);
  statistics_.raise("cluster.states_largest", most);
  statistics_.add_seconds("cluster.states_largest_over_mean",
                          states == 0 ? 1.0
                                      : static_cast<double>(most) * static_cast<double>(processes) /
                                            static_cast<double>(states));
}

/// As session/warnings.cpp; the first one is not that of one process, which finds them in another
/// order, but the one whose form is the smallest, whatever the number of processes.
void StateCheck::warn_of_dead_ends(Graph& graph) {
  std::vector<Word> first;
  std::uint64_t own = 0;
  for (Word s = 0; s < graph.part.out_degree.size(); ++s) {
    if (graph.part.out_degree[s] == 0) {
      ++own;
      std::vector<Word> form;
      graph.part.states.write_portable(s, form);
      if (first.empty() || form < first) {
        first = std::move(form);
      }
    }
  }
  dead_ends_ = communicator_.sum(own);
  for (const std::vector<Word>& other : communicator_.gather(first)) {
    if (!other.empty() && (first.empty() || other < first)) {
      first = other;
    }
  }
  if (dead_ends_ > 0) {
    base::LimitGuard guard({});
    const std::string name = subject_.states()->describe(graph.part.states.decode(first, guard));
    const bool may_end = subject_.dead_ends() != model::DeadEnds::Infinite && !is_fair_;
    warnings_.push_back(fmt::format(
        "{} dead end{} ({}), first: {}; see --dead-ends", dead_ends_, dead_ends_ == 1 ? "" : "s",
        may_end ? "paths end there" : "only infinite paths count", name));
  }
}

logic::FormulaId StateCheck::asked(const StateQuestion& question) {
  const bool may_end =
      subject_.dead_ends() == model::DeadEnds::Infinite && !is_fair_ && dead_ends_ > 0;
  return may_end && !question.all_paths ? logic::on_infinite_paths(pool_, question.formula)
                                        : question.formula;
}

void StateCheck::label(Graph& graph, std::span<const StateQuestion> questions, WitnessWish wish,
                       bool all_paths, std::vector<FormulaAnswer>& answers) {
  const bool is_fair = is_fair_ && !all_paths;
  std::vector<std::size_t> numbers;
  std::vector<logic::FormulaId> formulas;
  std::vector<logic::FormulaId> normal;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    // Without fairness all are labelled together.
    if ((questions[q].all_paths && is_fair_) == all_paths) {
      numbers.push_back(q);
      formulas.push_back(asked(questions[q]));
      normal.push_back(logic::existential_normal_form(pool_, formulas.back()));
    }
  }
  if (numbers.empty()) {
    return;
  }
  const base::Stopwatch watch;
  const LabelledPart part{graph.part.states, graph.part.initial, graph.part.out_degree,
                          graph.predecessors};
  std::optional<Labelling> labelling;
  communicator_.within_limits(
      [&] { labelling.emplace(communicator_, part, pool_, settings_.limits); });
  labelling->run(normal, is_fair);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Result& result = answers[numbers[i]].result;
    result.verdict = labelling->holds(normal[i]) ? Verdict::Holds : Verdict::Fails;
    result.contexts = 1;
  }
  for (const std::size_t q : numbers) {
    answers[q].result.seconds = watch.seconds() / static_cast<double>(numbers.size());
  }
  for (std::size_t i = 0; i < numbers.size() && wish.any(); ++i) {
    FormulaAnswer& answer = answers[numbers[i]];
    try {
      EvidenceFinder finder(communicator_, part, *labelling, pool_, subject_.dead_ends(),
                            settings_.limits);
      const EvidenceFinder::Found found =
          finder.find(formulas[i], answer.result.verdict == Verdict::Holds);
      const StateQuestion& question = questions[numbers[i]];
      const bool is_as_written = !question.text.empty() && formulas[i] == question.formula;
      if (wish.text) {
        answer.witness.text =
            witness::witness_text(*found.machine, pool_, found.witness, wish.whole_states);
      }
      if (wish.json) {
        answer.witness.json = witness::witness_json(
            *found.machine, pool_, found.witness,
            is_as_written ? question.text : logic::to_string(pool_, formulas[i]));
      }
    } catch (const base::LimitReached& limit) {
      answer.without_witness = limit.reason;
    }
  }
}

}  // namespace nestor::cluster
