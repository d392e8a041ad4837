#include "small_nets.h"

#include <fmt/format.h>

namespace nestor::test {

namespace {
constexpr std::int64_t kValues = kProdValues;
}  // namespace

net::PetriNet random_petri_net(base::Random& random) {
  net::PetriNet net;
  const std::uint64_t places = random.between(1, 5);
  for (std::uint64_t p = 0; p < places; ++p) {
    net.add_place(fmt::format("p{}", p), static_cast<std::uint32_t>(random.below(4)));
  }
  for (std::uint64_t t = random.between(1, 5); t > 0; --t) {
    const net::TransitionId id = net.add_transition(fmt::format("t{}", t));
    // As many tokens taken as given, more often than not: else nearly all nets are unbounded.
    std::uint64_t give = 0;
    for (std::uint64_t a = random.between(random.chance(0.9) ? 1 : 0, 2); a > 0; --a) {
      const auto weight = static_cast<std::uint32_t>(random.chance(0.8) ? 1 : 2);
      give += weight;
      (void)net.add_input(id, net::PlaceId(random.below(places)), weight);
    }
    give = random.chance(0.7) ? give : random.below(3);
    while (give-- > 0) {
      (void)net.add_output(id, net::PlaceId(random.below(places)), 1);
    }
  }
  return net;
}

std::string random_prod_net(base::Random& random) {
  const bool has_mistakes = random.chance(0.15);
  const auto field = [&](bool output) -> std::string {
    switch (random.below(output ? 7 : 6)) {
      case 0:
        return fmt::format("{}", random.below(kValues));
      case 1:
      case 2:
        return random.chance(0.5) ? "x" : "y";
      case 3:
        return fmt::format("(x + {}) % 3", random.between(1, 2));
      case 4:
        return "z";
      case 5:
        return has_mistakes && random.chance(0.3) ? "2 / y" : "(x * y + 1) % 3";
      default:
        return has_mistakes ? "x + y" : "(x + y) % 3";
    }
  };
  const auto count = [&]() -> std::string {
    switch (random.below(12)) {
      case 0:
        return "2";
      case 1:
        return "x";  // possibly none
      case 2:
        return "(y + 1)";
      case 3:
        return has_mistakes ? "(x - y)" : "1 + 0 * x";
      default:
        return "";
    }
  };
  const auto tuple = [&](bool two, bool output) {
    return two ? fmt::format("{}<.{},{}.>", count(), field(output), field(output))
               : fmt::format("{}<.{}.>", count(), field(output));
  };
  std::string text = fmt::format(
      "#define ONE 1\n#place a lo(<.0.>) hi(<.2.>) mk(<.0..ONE.>+<.2.>)\n"
      "#place b lo(<.0,0.>) hi(<.2,2.>) mk(<.0,ONE.>+{}<.1,2.>)\n#place c mk({}<..>)\n",
      random.between(1, 2), random.between(1, 3));
  for (std::uint64_t t = random.between(1, 3); t > 0; --t) {
    // Both variables get their values here, whatever else there is.
    text += fmt::format("#trans t{}\n  in {{ ", t);
    if (random.chance(0.6)) {
      text += fmt::format("a: {}; ", tuple(false, false));
    }
    text += random.chance(0.5) ? "b: <.x,y.>; " : "b: <.y,x.>; ";
    if (random.chance(0.3)) {
      text += fmt::format("b: {}; ", tuple(true, false));
    }
    if (random.chance(0.3)) {
      text += fmt::format("c: {}<..>; ", count());
    }
    text += fmt::format("}}\n  out {{ b: {}; ", tuple(true, true));
    if (random.chance(0.6)) {
      text += fmt::format("a: {}+{}; ", tuple(false, true), tuple(false, true));
    }
    if (random.chance(0.3)) {
      text += fmt::format("c: {}<..>; ", count());
    }
    text += fmt::format("}}\n  comp {{ z = x > y ? x - y : {};{} }}\n", random.below(kValues),
                        random.chance(0.2) ? " z = (z + x) % 3;" : "");
    if (random.chance(0.5)) {
      text += fmt::format("  gate x != {} || y == z{};\n", random.below(kValues),
                          has_mistakes ? ", 3 % x == 0" : "");
    }
    text += "#endtr\n";
  }
  return text;
}

}  // namespace nestor::test
