#pragma once

#include "driver/run.h"

#include <nestor/state_graph.h>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::driver {

/// Instead of an answer: a limit was reached.
struct Unknown {
  std::string reason;
};

/// One walk through the states of a model, command by command.
class ProbeSession {
 public:
  ProbeSession(StateGraph graph, const Streams& streams);

  /// Runs one line; false if it asks to quit. Mistakes are told and counted.
  bool run(const std::string& line);
  std::size_t mistakes() const { return mistakes_; }
  std::string prompt() const { return "probe> "; }
  /// Words that may stand where `word` begins, behind `line`.
  std::vector<std::string> complete(const std::string& line, const std::string& word) const;

  struct Command {
    std::string_view name;
    std::string_view arguments;
    std::string_view summary;
    std::string_view help;  ///< more than the summary
    void (ProbeSession::*run)(std::string_view argument);
  };
  static std::span<const Command> commands();

 private:
  void help(std::string_view argument);
  void state(std::string_view argument);
  void list_successors(std::string_view argument);
  void list_predecessors(std::string_view argument);
  void step(std::string_view argument);
  void back(std::string_view argument);
  void restart(std::string_view argument);
  void run_to(std::string_view argument);
  void ask(std::string_view argument);
  void why(std::string_view argument);
  void follow(std::string_view argument);
  void find(std::string_view argument);
  void components(std::string_view argument);
  void dot(std::string_view argument);
  void whole(std::string_view argument);
  void quit(std::string_view argument);

  using State = StateGraph::State;

  const State& here() const { return trail_.back(); }
  void print(std::string_view text) { streams_.out << text; }
  static Formula read_formula(std::string_view text);
  bool holds(const Formula& formula, const State& state);
  /// A number from 1 to `most`; 1 if there is none.
  static std::size_t read_number(std::string_view text, std::size_t most, std::string_view what);
  void go(const State& state);
  void show_state();
  void show_step();
  std::string part(const State& state, std::string_view name) const;
  std::string reached(const State& from, const State& to, std::string_view place) const;
  void list(const std::vector<State>& states, std::string_view none);
  template <class Describe>
  void list(const std::vector<State>& states, std::string_view none, Describe describe);
  /// The states of the whole graph, breadth first; for a recursive model, those seen so far.
  std::vector<State> known_states();
  std::vector<State> note(std::vector<State> states);

  const Streams& streams_;
  StateGraph graph_;
  std::vector<State> trail_;     // the states walked through; the last one is the current
  std::set<State> seen_;         // shown in some list
  std::vector<State> evidence_;  // the path shown last, from where `follow` goes on
  std::size_t followed_ = 0;     // states of it that lie behind
  bool quit_ = false;
  bool is_whole_ = false;  // states of a net are listed whole
  std::size_t mistakes_ = 0;
};

}  // namespace nestor::driver
