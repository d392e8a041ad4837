// A model of the caller's own: the farmer, who brings a wolf, a goat and a cabbage over a river. No
// state is stored before it is asked about.

#include <array>
#include <iostream>
#include <nestor/nestor.h>

namespace {

class River : public nestor::States {
 public:
  // Bits 0 to 3: farmer, wolf, goat and cabbage are on the other bank.
  std::size_t words() const override { return 1; }
  void initial(nestor::StateSink& sink) override { sink.add(std::array{0U}); }
  void successors(State state, nestor::StateSink& sink) override {
    if (eaten(state[0])) {
      return;  // nothing goes on
    }
    for (unsigned item = 0; item < 4; ++item) {
      const bool is_here = ((state[0] >> item) & 1U) == (state[0] & 1U);
      if (is_here) {
        sink.add(std::array{state[0] ^ 1U ^ (item == 0 ? 0U : 1U << item)});
      }
    }
  }
  std::optional<std::uint32_t> proposition(std::string_view atom) override {
    return atom == "eaten"    ? std::optional(0U)
           : atom == "across" ? std::optional(1U)
                              : std::nullopt;
  }
  bool holds(std::uint32_t proposition, State state) const override {
    return proposition == 0 ? eaten(state[0]) : state[0] == 15;
  }
  std::string describe(State state) const override {
    std::string text;
    for (unsigned item = 0; item < 4; ++item) {
      text += ((state[0] >> item) & 1U) != 0 ? '-' : "FWGC"[item];
    }
    return text;
  }

 private:
  static bool eaten(std::uint32_t bits) {
    const auto bank = [bits](unsigned item) { return (bits >> item) & 1U; };
    return bank(2) != bank(0) && (bank(1) == bank(2) || bank(3) == bank(2));
  }
};

}  // namespace

int main() {
  nestor::Session session(nestor::Model::of(std::make_unique<River>(), "river"),
                          {.limits = {.seconds = 10}});
  const std::size_t question = session.ask("E [ !eaten U across ]");
  std::cout << to_string(session.verdict(question).verdict) << '\n';
  if (const auto witness = session.witness(question)) {
    for (const auto& step : witness->steps()) {
      std::cout << step.node << '\n';
    }
  }
}
