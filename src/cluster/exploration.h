#pragma once

#include "base/error.h"
#include "base/limits.h"
#include "cluster/communicator.h"
#include "cluster/edges.h"
#include "cluster/local_states.h"
#include "model/builder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nestor::cluster {

struct ExploreHow {
  model::DeadEnds dead_ends = model::DeadEnds::Keep;
  base::Limits limits;  ///< states and steps are those of all processes together
  /// Called now and then in the first process, with what is known to it of all.
  std::function<void(std::size_t states, std::size_t expanded)> progress = {};
  /// Asked after each expanded state: true if everybody is to pause, for pause() to be called.
  std::function<bool()> wants_pause = {};
};

/// The part of a state graph that one process has: the states that hash to it, how many successors
/// each has, and the transitions into it.
struct GraphPart {
  explicit GraphPart(model::SuccessorFunction& model, int processes);

  LocalStates states;
  std::vector<Word> initial;      ///< of them, ascending
  std::vector<Word> out_degree;   ///< of those that are expanded: the first ones
  std::vector<EdgeStream> edges;  ///< into these states, by the process that they come from
  std::vector<Word> parent;       ///< by state: who found it, itself if it is initial
  std::vector<std::uint16_t> parent_process;
};

/// Exploring a model together. States go to the process that owns them, in batches, with the number
/// of the state they come from; what is found twice is sent twice, since the edge is new.
class Exploration {
 public:
  Exploration(Communicator& communicator, GraphPart& part, const ExploreHow& how);

  /// Finds states until there are no more, or everybody pauses. Empty and is_complete(), empty for
  /// a pause, or the limit that was reached. Throws Error if the model has a mistake. In all
  /// processes alike.
  std::string go_on();
  bool is_complete() const { return complete_; }
  /// True if nothing that was found was lost, so that one may go on.
  bool can_go_on() const { return !lost_; }
  std::uint64_t steps() const { return guard_.steps(); }

 private:
  /// States and steps of another process, as it has said last.
  struct Known {
    std::uint64_t states = 0;
    std::uint64_t steps = 0;
  };
  enum Kind : Word { kFixed, kVarious, kCovering };

  void find_initial();
  void work();
  void expand_next();
  void hand_out(Word number);
  void end_dead(Word number);
  void send(Word from, const SuccessorList::Item& item);
  void begin_batch(int to, Kind kind);
  void take(int from, std::span<const Word> batch);
  void take_states(int from, Kind kind, std::span<const Word> items);
  void add_edge(int from_process, const Edge& edge, bool is_new);
  std::string passed_limit(const Known& total) const;
  void look_at_totals();
  // Whether there are infinitely many states.
  void look_for_covering(Word expanded);
  void follow(std::vector<Word> search);
  void compare(std::span<const Word> search, Word number);

  Communicator& communicator_;
  GraphPart& part_;
  model::SuccessorFunction& model_;
  const ExploreHow& how_;
  Owners owners_;
  base::LimitGuard guard_;
  SuccessorList successors_;
  std::vector<Known> known_;  // by process
  std::size_t fixed_words_;
  bool various_ = false;  // this process has sent states of another length
  bool marked_;
  bool complete_ = false;
  bool lost_ = false;
  bool pausing_ = false;
  std::optional<base::Error> problem_;
  std::vector<std::vector<Word>> searches_;  // for states that others cover, to be gone on with
};

}  // namespace nestor::cluster
