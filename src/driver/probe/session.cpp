#include "driver/probe/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostNames = 1000;  // of nodes are offered for completion

}  // namespace

ProbeSession::ProbeSession(StateGraph graph, const Streams& streams)
    : streams_(streams), graph_(std::move(graph)) {
  trail_ = {graph_.initial().front()};
  note(trail_);
}

bool ProbeSession::run(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos || line[first] == '#') {
    return true;
  }
  const std::size_t end = std::min(line.find_first_of(" \t\r", first), line.size());
  const std::string_view name = std::string_view(line).substr(first, end - first);
  std::string_view argument = std::string_view(line).substr(end);
  argument.remove_prefix(std::min(argument.find_first_not_of(" \t\r"), argument.size()));
  argument = argument.substr(0, argument.find_last_not_of(" \t\r") + 1);
  try {
    for (const Command& command : commands()) {
      if (command.name == name) {
        if (command.arguments.empty() && !argument.empty()) {
          throw Error(Error::Kind::Usage, fmt::format("'{}' takes no argument", name));
        }
        (this->*command.run)(argument);
        return !quit_;
      }
    }
    throw Error(Error::Kind::Usage,
                fmt::format("unknown command '{}'; 'help' lists the commands", name));
  } catch (const Error& error) {
    ++mistakes_;
    print(fmt::format("{}\n", error.what()));
  } catch (const Unknown& unknown) {
    print(fmt::format("unknown: {}\n", unknown.reason));
  } catch (const std::bad_alloc&) {
    print("unknown: out of memory\n");
  }
  return true;
}

Formula ProbeSession::read_formula(std::string_view text) {
  if (text.empty()) {
    throw Error(Error::Kind::Usage, "expected a formula");
  }
  return Formula::parse(text);
}

bool ProbeSession::holds(const Formula& formula, const State& state) {
  const Result result = graph_.check(formula, state);
  if (result.verdict == Verdict::Unknown) {
    throw Unknown{result.reason};
  }
  return result.verdict == Verdict::Holds;
}

std::size_t ProbeSession::read_number(std::string_view text, std::size_t most,
                                      std::string_view what) {
  if (text.empty() && most >= 1) {
    return 1;
  }
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
    throw Error(Error::Kind::Usage,
                most == 0 ? fmt::format("there is no {}", what)
                          : fmt::format("expected the number of a {}, 1 to {}", what, most));
  }
  return value;
}

std::vector<StateGraph::State> ProbeSession::note(std::vector<State> states) {
  seen_.insert(states.begin(), states.end());
  return states;
}

std::vector<std::string> ProbeSession::complete(const std::string& line,
                                                const std::string& word) const {
  std::vector<std::string> words;
  const auto offer = [&](std::string_view candidate) {
    if (candidate.starts_with(word)) {
      words.emplace_back(candidate);
    }
  };
  const std::size_t first = line.find_first_not_of(" \t");
  const bool at_command =
      first == std::string::npos || line.find_first_of(" \t", first) == std::string::npos;
  if (at_command || line.substr(first).starts_with("help ")) {
    for (const Command& command : commands()) {
      offer(command.name);
    }
    return words;
  }
  for (const std::string_view operation : {"EX", "EF", "EG", "AX", "AF", "AG", "true", "false"}) {
    offer(operation);
  }
  Model model = graph_.model();
  for (const std::string& name : model.propositions()) {
    offer(Formula::atom(name).to_string());
  }
  if (model.is_given_by_states()) {
    offer("tokens(");
    offer("fireable(");
  }
  if (model.sizes().plain_nodes <= kMostNames) {
    for (const Component& component : model.components()) {
      for (const Component::Node& node : component.nodes) {
        offer(node.name);
      }
    }
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace nestor::driver
