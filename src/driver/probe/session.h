#pragma once

#include "driver/probe/configuration.h"
#include "driver/probe/oracle.h"
#include "driver/run.h"
#include "session/session.h"

#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::driver {

/// One walk through the states of a model, command by command.
class ProbeSession {
 public:
  /// `subject` is explored already, if it had to be.
  ProbeSession(session::Subject subject, session::Settings settings, const Streams& streams);

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
  void quit(std::string_view argument);

  const model::Rsm& model() const { return session_.subject().machine(); }
  const Configuration& here() const { return trail_.back(); }
  void print(std::string_view text) { streams_.out << text; }
  /// Sees to it that the model knows the formula's atoms. The normal form.
  logic::FormulaId read_formula(std::string_view text);
  /// A number from 1 to `most`; 1 if there is none.
  static std::size_t read_number(std::string_view text, std::size_t most, std::string_view what);
  void go(const Configuration& state);
  void show_state();
  void list(const std::vector<Configuration>& states, std::string_view none);
  /// The states of the whole graph, breadth first; for a recursive model, those seen so far.
  std::vector<Configuration> known_states();
  std::vector<Configuration> note(std::vector<Configuration> states);

  const Streams& streams_;
  session::Session session_;
  Oracle oracle_;
  std::vector<Configuration> trail_;     // the states walked through; the last one is the current
  std::set<Configuration> seen_;         // shown in some list
  std::vector<Configuration> evidence_;  // the path shown last, from where `follow` goes on
  std::size_t followed_ = 0;             // states of it that lie behind
  bool quit_ = false;
  std::size_t mistakes_ = 0;
};

}  // namespace nestor::driver
