#include "net/net_way_back.h"

#include "base/error.h"

#include <algorithm>
#include <optional>

namespace nestor::net {

namespace {

// Tokens that a path is written down with, at the most.
constexpr std::size_t kMostNumbers = 50'000'000;

bool is_enabled(const PetriNet& net, TransitionId t, const logic::GivenState& tokens) {
  return std::ranges::all_of(net.transition(t).inputs, [&](const PetriNet::Arc& arc) {
    return tokens[arc.place.value()] >= arc.weight;
  });
}

/// False if there would be too many tokens. Must be enabled.
bool fire(const PetriNet& net, TransitionId t, logic::GivenState& tokens) {
  for (const PetriNet::Arc& arc : net.transition(t).inputs) {
    tokens[arc.place.value()] -= arc.weight;
  }
  for (const PetriNet::Arc& arc : net.transition(t).outputs) {
    if (tokens[arc.place.value()] > PetriNet::kMostTokens - arc.weight) {
      return false;
    }
    tokens[arc.place.value()] += arc.weight;
  }
  return true;
}

std::optional<TransitionId> find_firing(const PetriNet& net, const logic::GivenState& from,
                                        const logic::GivenState& to, base::LimitGuard& guard) {
  for (const TransitionId t : net.transitions()) {
    guard.tick();
    if (is_enabled(net, t, from)) {
      guard.tick(from.size() / 64);
      logic::GivenState tokens = from;
      if (fire(net, t, tokens) && tokens == to) {
        return t;
      }
    }
  }
  return std::nullopt;
}

class PathMaker {
 public:
  PathMaker(const PetriNet& net, base::LimitGuard& guard) : net_(net), guard_(guard) {
    logic::GivenState tokens;
    for (const PlaceId p : net.places()) {
      tokens.push_back(net.place(p).tokens);
    }
    path_.states.push_back(std::move(tokens));
  }

  void fire_all(const std::vector<TransitionId>& transitions) {
    for (const TransitionId t : transitions) {
      NESTOR_CHECK(is_enabled(net_, t, path_.states.back()));  // the rules of reduction say so
      go(t);
    }
  }

  void end_step() { path_.places.push_back(path_.states.size() - 1); }

  void go_on_to_the_end() {
    const auto goes_on = [&] {
      for (const TransitionId t : net_.transitions()) {
        guard_.tick();
        if (is_enabled(net_, t, path_.states.back())) {
          go(t);
          return true;
        }
      }
      return false;
    };
    while (goes_on()) {
    }
  }

  logic::WayBack::Path take() { return std::move(path_); }

 private:
  void go(TransitionId t) {
    logic::GivenState tokens = path_.states.back();
    guard_.tick(1 + tokens.size() / 64);
    if ((path_.states.size() + 1) * tokens.size() > kMostNumbers || !fire(net_, t, tokens)) {
      throw base::LimitReached{"the path is too long to be written down"};
    }
    path_.states.push_back(std::move(tokens));
  }

  const PetriNet& net_;
  base::LimitGuard& guard_;
  logic::WayBack::Path path_;
};

}  // namespace

logic::WayBack::Path NetWayBack::given_path(std::span<const std::vector<std::uint32_t>> smaller,
                                            bool to_the_end, base::LimitGuard& guard) const {
  PathMaker path(given_->net(), guard);
  path.fire_all(history_.initially(guard));
  path.end_step();
  std::vector<logic::GivenState> tokens;
  for (const std::vector<std::uint32_t>& state : smaller) {
    tokens.emplace_back();
    for (const PlaceId p : reduced_->net().places()) {
      tokens.back().push_back(reduced_->tokens(state, p));
    }
  }
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::optional<TransitionId> t =
        find_firing(reduced_->net(), tokens[i - 1], tokens[i], guard);
    NESTOR_CHECK(t.has_value());
    path.fire_all(history_.expanded(history_.of(*t), guard));
    path.end_step();
  }
  if (to_the_end) {
    path.go_on_to_the_end();
  }
  return path.take();
}

std::string describe(const PetriNet& net, const logic::GivenState& tokens) {
  std::string text = "{";
  for (const PlaceId p : net.places()) {
    append_tokens(text, net.place(p).name, tokens[p.value()]);
  }
  return text + "}";
}

}  // namespace nestor::net
