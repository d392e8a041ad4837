// Bytes as a net of PROD. They are refused with an Error or read; then some markings are explored,
// by binding and, if the net stays small, unfolded: both find as many. Steps between them are
// named.

#include "base/input.h"
#include "base/limits.h"
#include "model/explore.h"
#include "model/state_space.h"
#include "net/prod_states.h"
#include "net/prod_unfold.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::uint64_t kStates = 100;
constexpr std::uint64_t kSteps = 20'000;

base::Limits limits() {
  base::Limits limits;
  limits.states = kStates;
  limits.steps = kSteps;
  return limits;
}

/// Nothing if there are too many, or the net is wrong.
std::optional<std::size_t> count(const std::shared_ptr<model::SuccessorFunction>& states) {
  try {
    model::ExploreOptions options;
    options.limits = limits();
    return model::explore(states, states->propositions(), options).node_count();
  } catch (const base::Error&) {
  } catch (const base::LimitReached&) {
  }
  return std::nullopt;
}

/// Every step that is found has a name.
void name_steps(net::ProdStates& states) {
  base::LimitGuard guard(limits());
  model::StateSpace space(states, model::DeadEnds::Keep, limits());
  const model::NodeId first = space.initial(guard).front();
  const auto next = space.successors(first, guard);
  for (const model::NodeId n : std::vector<model::NodeId>(next.begin(), next.end())) {
    if (!states.find_step(space.state(first), space.state(n))) {
      std::abort();
    }
    states.describe_change(space.state(first), space.state(n));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto model =
        std::make_shared<const net::ProdModel>(base::Input::from_text("fuzz.net", text));
    const auto states = std::make_shared<net::ProdStates>(model);
    const std::optional<std::size_t> bound = count(states);
    base::LimitGuard guard(limits());
    const std::optional<std::size_t> unfolded = count(net::unfolded_states(model, 1000, guard));
    if (bound && unfolded && bound != unfolded) {
      std::abort();
    }
    name_steps(*states);
  } catch (const base::Error&) {
  } catch (const base::LimitReached&) {
  }
  return 0;
}
