#include "reducible_net.h"

#include <fmt/format.h>

namespace nestor::test {

net::PetriNet reducible_net(base::Random& random) {
  net::PetriNet net;
  const std::uint64_t places = random.between(2, 9);
  const bool safe = random.chance(0.4);
  for (std::uint64_t p = 0; p < places; ++p) {
    const std::uint64_t tokens = random.chance(0.6) ? 0 : random.between(1, safe ? 1 : 3);
    net.add_place(fmt::format("p{}", p), static_cast<std::uint32_t>(tokens));
  }
  const auto place = [&] { return net::PlaceId(random.below(places)); };
  const auto weight = [&] { return static_cast<std::uint32_t>(random.chance(0.85) ? 1 : 2); };
  for (std::uint64_t t = random.between(1, 10); t > 0; --t) {
    const net::TransitionId id = net.add_transition(fmt::format("t{}", t));
    if (random.chance(0.6)) {
      (void)net.add_input(id, place(), 1);
      (void)net.add_output(id, place(), 1);
    }
    for (std::uint64_t a = random.below(3); a > 0; --a) {
      (void)net.add_input(id, place(), weight());
    }
    for (std::uint64_t a = random.below(3); a > 0; --a) {
      (void)net.add_output(id, place(), weight());
    }
    if (random.chance(0.2)) {  // only looks at it
      const net::PlaceId p = place();
      (void)net.add_input(id, p, 1);
      (void)net.add_output(id, p, 1);
    }
  }
  return net;
}

std::string random_atom(const net::PetriNet& net, base::Random& random) {
  const auto place = [&] { return fmt::format("tokens(p{})", random.below(net.place_count())); };
  switch (random.below(6)) {
    case 0:
      return fmt::format("fireable(t{})", random.between(1, net.transition_count()));
    case 1:
      return random.chance(0.3) ? "deadlock" : fmt::format("{} = {}", place(), random.below(3));
    case 2:
      return fmt::format("{} <= {}", place(), place());
    case 3:
      return fmt::format("{} + {} != 2*{} + {}", place(), place(), place(), random.below(3));
    default:
      return fmt::format("{} > {}", place(), random.below(3));
  }
}

logic::FormulaId wrapped(logic::FormulaPool& pool, logic::FormulaId f,
                         const std::vector<std::string>& atoms, base::Random& random) {
  const auto atom = [&] { return pool.atom(atoms[random.below(atoms.size())]); };
  switch (random.below(8)) {
    case 0:
      return pool.unary(logic::Op::EF, pool.binary(logic::Op::And, f, atom()));
    case 1:
      return pool.unary(logic::Op::AG, pool.binary(logic::Op::Or, f, atom()));
    case 2:
      return pool.unary(logic::Op::AF, pool.binary(logic::Op::And, f, atom()));
    case 3:
      return pool.unary(logic::Op::EX, pool.unary(logic::Op::AX, f));
    case 4:  // for stubborn sets
      return pool.unary(logic::Op::EF, pool.binary(logic::Op::And, atom(), atom()));
    case 5:
      return pool.unary(logic::Op::AG, pool.binary(logic::Op::Or, atom(), atom()));
    case 6:
      return pool.unary(logic::Op::AG, pool.unary(logic::Op::EF, f));
    default:
      return f;
  }
}

std::size_t failures_on_nets(
    const RunOptions& options,
    const std::function<std::string(const net::PetriNet& net, base::Random& random)>& problem_of) {
  fmt::print("seed {}, {} cases\n", options.seed, options.count);
  std::size_t failures = 0;
  for (std::size_t k = 0; k < options.count && failures < 3; ++k) {
    base::Random random(options.seed + k);
    const net::PetriNet net = reducible_net(random);
    const std::string problem = problem_of(net, random);
    if (!problem.empty()) {
      fmt::print("seed {}: {}\n{}\n", options.seed + k, problem, to_text(net));
      ++failures;
    }
  }
  return failures;
}

std::string to_text(const net::PetriNet& net) {
  std::string text;
  for (const net::PlaceId p : net.places()) {
    text += fmt::format("{}: {}\n", net.place(p).name, net.place(p).tokens);
  }
  for (const net::TransitionId t : net.transitions()) {
    text += net.transition(t).name + ":";
    for (const auto& arc : net.transition(t).inputs) {
      text += fmt::format(" {}*{}", arc.weight, net.place(arc.place).name);
    }
    text += " ->";
    for (const auto& arc : net.transition(t).outputs) {
      text += fmt::format(" {}*{}", arc.weight, net.place(arc.place).name);
    }
    text += "\n";
  }
  return text;
}

}  // namespace nestor::test
