// The commands of `nestor probe`.

#include "driver/output.h"
#include "driver/probe/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostListed = 20;
constexpr std::size_t kMostDrawn = 10'000;

const StateGraph::Path& known(const Answer<StateGraph::Path>& found) {
  if (!found) {
    throw Unknown{found.reason};
  }
  return *found;
}

std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace

std::span<const ProbeSession::Command> ProbeSession::commands() {
  using Self = ProbeSession;
  static constexpr std::array kCommands = {
      Command{"state", "[PLACE]", "show the current state",
              "Its name and the propositions that hold in it, as far as the model has them listed; "
              "of a net, what lies in a place, 'process' or 'process<1,CS>'.",
              &Self::state},
      Command{"succ", "[PLACE]", "list the successors of the current state",
              "The numbers are for 'step'. Of a net, which transition fires and what changes, or "
              "what lies in a place then; after 'whole on' all of it.",
              &Self::list_successors},
      Command{"pred", "", "list the predecessors of the current state",
              "In a recursive model, those among the states that were shown so far.",
              &Self::list_predecessors},
      Command{"step", "[N]", "go to a successor",
              "The Nth in the list of 'succ', the first unless given.", &Self::step},
      Command{"back", "[N]", "go back", "As many steps as N says, one unless given.", &Self::back},
      Command{"restart", "[N]", "go to an initial state",
              "The Nth initial state, the first unless given.", &Self::restart},
      Command{"run", "FORMULA", "go to a nearest state that satisfies a formula",
              "Along a shortest path, which is walked step by step: 'back' goes back along it.",
              &Self::run_to},
      Command{"ask", "FORMULA", "tell whether the current state satisfies a formula", "",
              &Self::ask},
      Command{
          "why", "FORMULA", "show a witness or counterexample from the current state",
          "A path that shows why the formula holds, or why it does not; 'follow' walks along it. "
          "What no single path can show is said.",
          &Self::why},
      Command{"follow", "[N]", "walk along the path that 'why' showed",
              "N steps, one unless given; 'back' goes back.", &Self::follow},
      Command{"find", "FORMULA", "list the states that satisfy a formula",
              "In a recursive model, those among the states that were shown so far.", &Self::find},
      Command{"scc", "", "list the strongly connected components",
              "Sizes, how many there are of each, and which cannot be left. For finite models.",
              &Self::components},
      Command{"dot", "FILE", "save the graph of the states for Graphviz",
              "The whole graph; in a recursive model, the states that were shown so far. '-' "
              "prints it.",
              &Self::dot},
      Command{"whole", "[on|off]", "list the states of a net whole, or by what changes",
              "On unless given. In the lists of 'succ' and 'why'.", &Self::whole},
      Command{"help", "[COMMAND]", "tell what the commands do", "", &Self::help},
      Command{"quit", "", "end", "So does the end of the input.", &Self::quit},
  };
  return kCommands;
}

void ProbeSession::help(std::string_view argument) {
  bool found = false;
  for (const Command& command : commands()) {
    if (!argument.empty() && command.name != argument) {
      continue;
    }
    found = true;
    print(fmt::format("{:<8} {:<10} {}\n", command.name, command.arguments, command.summary));
    if (!argument.empty() && !command.help.empty()) {
      print(fmt::format("{}\n", command.help));
    }
  }
  if (!found) {
    throw Error(Error::Kind::Usage, fmt::format("unknown command '{}'", argument));
  }
}

void ProbeSession::quit(std::string_view) {
  quit_ = true;
}

void ProbeSession::show_state() {
  print(fmt::format("{}\n", graph_.describe(here())));
}

/// Where a step has led, and what happened.
void ProbeSession::show_step() {
  const std::string step =
      trail_.size() < 2 ? std::string() : graph_.step(trail_[trail_.size() - 2], here());
  if (!step.empty()) {
    print(fmt::format("{}\n", step));
  }
  show_state();
}

std::string ProbeSession::part(const State& state, std::string_view name) const {
  if (const std::optional<std::string> found = graph_.part(state, name)) {
    return *found;
  }
  throw Error(Error::Kind::Usage, fmt::format("the states have no place '{}'", name));
}

/// A state by what happens on the way there, if that has a name.
std::string ProbeSession::reached(const State& from, const State& to,
                                  std::string_view place) const {
  const std::string step = graph_.step(from, to);
  if (!place.empty()) {
    return fmt::format("{}{}{}", step, step.empty() ? "" : ": ", part(to, place));
  }
  if (step.empty()) {
    return graph_.describe(to);
  }
  const std::string change = graph_.change(from, to);
  return fmt::format("{}: {}", step,
                     is_whole_        ? graph_.describe(to)
                     : change.empty() ? "(nothing changes)"
                                      : change);
}

void ProbeSession::whole(std::string_view argument) {
  if (!argument.empty() && argument != "on" && argument != "off") {
    throw Error(Error::Kind::Usage, fmt::format("expected 'on' or 'off', not '{}'", argument));
  }
  is_whole_ = argument != "off";
}

void ProbeSession::state(std::string_view argument) {
  if (!argument.empty()) {
    print(fmt::format("{}\n", part(here(), argument)));
    return;
  }
  show_state();
  std::string labels;
  for (const std::string& label : graph_.labels(here())) {
    labels += fmt::format("{}{}", labels.empty() ? "  " : ", ", label);
  }
  print(labels.empty() ? "" : labels + "\n");
}

void ProbeSession::list(const std::vector<State>& states, std::string_view none) {
  list(states, none, [&](std::size_t i) { return graph_.describe(states[i]); });
}

template <class Describe>
void ProbeSession::list(const std::vector<State>& states, std::string_view none,
                        Describe describe) {
  note(states);
  if (states.empty()) {
    print(fmt::format("{}\n", none));
  }
  for (std::size_t i = 0; i < std::min(states.size(), kMostListed); ++i) {
    print(fmt::format("{:>3} {}\n", i + 1, describe(i)));
  }
  if (states.size() > kMostListed) {
    print(fmt::format("    and {} more\n", states.size() - kMostListed));
  }
}

void ProbeSession::list_successors(std::string_view argument) {
  const std::vector<State> next = graph_.successors(here());
  if (!argument.empty()) {
    part(here(), argument);  // refuses what is no place, also in a dead end
  }
  list(next, "none: a dead end", [&](std::size_t i) { return reached(here(), next[i], argument); });
}

void ProbeSession::list_predecessors(std::string_view) {
  std::vector<State> found;
  if (graph_.is_flat()) {
    found = graph_.predecessors(here());
  } else {
    for (const State& state : seen_) {
      const std::vector<State> next = graph_.successors(state);
      if (std::ranges::find(next, here()) != next.end()) {
        found.push_back(state);
      }
    }
  }
  list(found, "none");
}

void ProbeSession::go(const State& state) {
  trail_.push_back(state);
  seen_.insert(state);
}

void ProbeSession::step(std::string_view argument) {
  const std::vector<State> next = note(graph_.successors(here()));
  go(next[read_number(argument, next.size(), "successor") - 1]);
  show_step();
}

void ProbeSession::back(std::string_view argument) {
  trail_.resize(trail_.size() - read_number(argument, trail_.size() - 1, "step to go back"));
  show_state();
}

void ProbeSession::restart(std::string_view argument) {
  const std::vector<State> initial = graph_.initial();
  trail_ = {initial[read_number(argument, initial.size(), "initial state") - 1]};
  show_state();
}

void ProbeSession::run_to(std::string_view argument) {
  const std::vector<State> path =
      known(graph_.shortest_path(here(), read_formula(argument))).states;
  if (path.empty()) {
    print("no such state can be reached\n");
    return;
  }
  std::for_each(path.begin() + 1, path.end(), [&](const State& s) { go(s); });
  print(fmt::format("{} step{}\n", path.size() - 1, path.size() == 2 ? "" : "s"));
  show_state();
}

void ProbeSession::ask(std::string_view argument) {
  const Formula formula = read_formula(argument);
  print(holds(formula, here()) ? "holds\n" : "fails\n");
}

void ProbeSession::why(std::string_view argument) {
  const Formula formula = read_formula(argument);
  print(holds(formula, here()) ? "holds\n" : "fails\n");
  StateGraph::Path shown = known(graph_.explain(formula, here()));
  print(fmt::format("{}\n", shown.says));
  if (shown.states.size() > 1) {
    list(shown.states, "", [&](std::size_t i) {
      return i == 0 ? graph_.describe(shown.states[0])
                    : reached(shown.states[i - 1], shown.states[i], {});
    });
  }
  evidence_ = std::move(shown.states);
  followed_ = 1;
}

void ProbeSession::follow(std::string_view argument) {
  if (evidence_.empty() || evidence_[followed_ - 1] != here()) {
    throw Error(Error::Kind::Usage, "there is no path from here; 'why' finds one");
  }
  std::size_t steps = read_number(argument, evidence_.size() - followed_, "step of the path");
  for (; steps > 0; --steps) {
    go(evidence_[followed_++]);
  }
  show_step();
}

std::vector<StateGraph::State> ProbeSession::known_states() {
  return graph_.is_flat() ? graph_.reachable() : std::vector<State>(seen_.begin(), seen_.end());
}

void ProbeSession::find(std::string_view argument) {
  const Formula formula = read_formula(argument);
  std::vector<State> states = known_states();
  const std::size_t all = states.size();
  std::erase_if(states, [&](const State& s) { return !holds(formula, s); });
  print(fmt::format("{} of {} states{}\n", states.size(), all,
                    graph_.is_flat() ? "" : " shown so far"));
  if (!states.empty()) {
    list(states, "");
  }
}

void ProbeSession::components(std::string_view) {
  const std::vector<StateGraph::StrongComponent> all = graph_.strong_components();
  std::map<std::size_t, std::size_t, std::greater<>> counts;
  std::vector<StateGraph::StrongComponent> terminal;
  for (const StateGraph::StrongComponent& component : all) {
    ++counts[component.size];
    if (!component.is_left) {
      terminal.push_back(component);
    }
  }
  print(fmt::format("{} strongly connected component{}\n", all.size(), all.size() == 1 ? "" : "s"));
  for (const auto& [size, count] : counts) {
    print(fmt::format("{:>8} of {} state{}\n", count, size, size == 1 ? "" : "s"));
  }
  print(fmt::format("{} cannot be left:\n", terminal.size()));
  std::ranges::sort(terminal, {}, &StateGraph::StrongComponent::first);
  for (std::size_t i = 0; i < std::min(terminal.size(), kMostListed); ++i) {
    const StateGraph::StrongComponent& c = terminal[i];
    print(fmt::format(
        "{:>3} {}: {}\n", i + 1,
        !c.is_loop ? "a dead end" : fmt::format("{} state{}", c.size, c.size == 1 ? "" : "s"),
        graph_.describe(c.first)));
  }
  if (terminal.size() > kMostListed) {
    print(fmt::format("    and {} more\n", terminal.size() - kMostListed));
  }
}

void ProbeSession::dot(std::string_view argument) {
  if (argument.empty()) {
    throw Error(Error::Kind::Usage, "expected the name of a file, or '-'");
  }
  const std::vector<State> states = known_states();
  if (states.size() > kMostDrawn) {
    throw Error(Error::Kind::Unsupported,
                fmt::format("{} states, at most {} are drawn", states.size(), kMostDrawn));
  }
  std::map<State, std::size_t> numbers;
  std::string text = "digraph states {\n";
  for (const State& state : states) {
    const std::size_t number = numbers.emplace(state, numbers.size()).first->second;
    text += fmt::format("  s{} [label={}{}];\n", number, dot_string(graph_.describe(state)),
                        state == here() ? ", style=bold" : "");
  }
  for (const State& state : states) {
    for (const State& next : graph_.successors(state)) {
      if (const auto to = numbers.find(next); to != numbers.end()) {
        const std::string step = graph_.step(state, next);
        text += fmt::format("  s{} -> s{}{};\n", numbers[state], to->second,
                            step.empty() ? "" : fmt::format(" [label={}]", dot_string(step)));
      }
    }
  }
  text += "}\n";
  write_output(std::string(argument), text, streams_);
  if (argument != "-") {
    print(fmt::format("{} states\n", states.size()));
  }
}

}  // namespace nestor::driver
