// Models whose states are explored: what a strike leaves of the states, of the model's own tables
// and of the propositions it knows is used by what comes afterwards.

#include "engine/registry.h"
#include "generate/random_formula.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "net/net_states.h"
#include "net/prod_states.h"
#include "smv/reader.h"
#include "strike.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::test {

namespace {

constexpr std::size_t kExploredFormulas = 6;
constexpr std::size_t kExploredSamples = 50;

/// A model, made anew for each strike, with formulas and their verdicts.
struct Subject {
  std::string name;
  std::function<std::shared_ptr<model::SuccessorFunction>()> make;
  std::vector<std::string> atoms;
  std::vector<logic::FormulaId> formulas;
  std::vector<engine::Verdict> right;
  model::ExploreSizes sizes;
};

/// Each place's tokens are worth half of those of the place before, and transitions keep the value:
/// so the net is bounded, and the last places need more and more bits.
net::PetriNet growing_net(base::Random& random) {
  net::PetriNet net;
  const std::uint64_t places = random.between(2, 4);
  for (std::uint64_t p = 0; p < places; ++p) {
    const std::uint64_t tokens = p > 0 ? 0 : random.between(2, places == 4 ? 3 : 9);
    net.add_place(fmt::format("p{}", p), static_cast<std::uint32_t>(tokens));
  }
  for (std::uint64_t p = 0; p + 1 < places; ++p) {
    const net::TransitionId down = net.add_transition(fmt::format("down{}", p));
    (void)net.add_input(down, net::PlaceId(p), 1);
    (void)net.add_output(down, net::PlaceId(p + 1), 2);
    if (random.chance(0.7)) {
      const net::TransitionId up = net.add_transition(fmt::format("up{}", p));
      (void)net.add_input(up, net::PlaceId(p + 1), 2);
      (void)net.add_output(up, net::PlaceId(p), 1);
    }
  }
  return net;
}

/// What all tokens together are worth, which no firing changes.
std::string value_of(const net::PetriNet& net) {
  std::string sum;
  std::uint64_t worth = std::uint64_t{1} << net.place_count();
  const std::uint64_t value = worth * net.place(net::PlaceId(0)).tokens;
  for (const net::PlaceId p : net.places()) {
    sum += fmt::format("{}{} * tokens({})", sum.empty() ? "" : " + ", worth, net.place(p).name);
    worth /= 2;
  }
  return fmt::format("{} = {}", sum, value);
}

/// The same with colours: a token counts down to zero, and each step leaves tokens elsewhere.
std::string growing_prod_net(base::Random& random) {
  return fmt::format(
      "#place count lo(<.0.>) hi(<.{0}.>) mk(<.{0}.>)\n#place left mk({1}<..>)\n#place done\n"
      "#trans step\nin {{ count: <.x.>; left: <..>; }}\n"
      "out {{ count: <.x-1.>; done: {2}<..>; }}\ngate x > 0;\n#endtr\n"
      "#trans again\nin {{ done: {2}<..>; count: <.0.>; }}\nout {{ left: <..>; count: <.{0}.>; }}\n"
      "#endtr\n",
      random.between(2, 5), random.between(3, 9), random.between(2, 5));
}

std::string random_smv(base::Random& random) {
  const std::uint64_t end = random.between(2, 9);
  return fmt::format(
      "MODULE main\nVAR\n  a : 0..{0};\n  b : boolean;\n  s : {{idle, busy, done}};\n"
      "{1}DEFINE\n  high := a > {2};\nASSIGN\n  init(a) := 0;\n"
      "  next(a) := case b : (a + 1) mod {3}; s = busy : {{0, a}}; TRUE : a; esac;\n"
      "  next(s) := case high{4} : {{busy, done}}; s = done : idle; TRUE : s; esac;\n",
      end, random.chance(0.5) ? "IVAR\n  go : boolean;\n" : "", random.below(end), end + 1,
      random.chance(0.5) ? " & b" : "");
}

logic::FormulaId make_formula(logic::FormulaPool& pool, base::Random& random,
                              const std::vector<std::string>& atoms) {
  generate::RandomFormulaOptions options;
  options.quantifier_depth = random.between(1, 3);
  options.propositions.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    options.propositions.push_back(atoms[random.below(atoms.size())]);
  }
  return logic::existential_normal_form(pool, generate::random_formula(pool, options, random));
}

Subject make_subject(logic::FormulaPool& pool, base::Random& random) {
  Subject subject;
  std::string invariant;
  switch (random.below(3)) {
    case 0: {
      subject.name = "SMV";
      const std::string text = random_smv(random);
      subject.make = [text] {
        return smv::read_smv(base::Input::from_text("random.smv", text), {}).states();
      };
      subject.atoms = {"high", "b", "s = busy", "a = 1", "a + 1 > 2 & !b", "s in {idle, done}"};
      break;
    }
    case 1: {
      subject.name = "P/T net";
      const net::PetriNet net = growing_net(random);
      subject.make = [net] { return std::make_shared<net::NetStates>(net); };
      subject.atoms = {"deadlock",        "tokens(p0) = 0",
                       "tokens(p1) >= 2", "tokens(p1) > tokens(p0)",
                       "fireable(down0)", "2 * tokens(p0) + tokens(p1) < 7"};
      invariant = value_of(net);
      break;
    }
    default: {
      subject.name = "PROD net";
      const std::string text = growing_prod_net(random);
      subject.make = [text] {
        return std::make_shared<net::ProdStates>(
            std::make_shared<const net::ProdModel>(base::Input::from_text("random.net", text)));
      };
      subject.atoms = {"deadlock",         "tokens(done) > 3",
                       "tokens(left) = 0", "tokens(done) > tokens(left)",
                       "fireable(step)",   "fireable(again)"};
      invariant = "tokens(count) = 1";
    }
  }
  for (std::size_t i = 0; i < kExploredFormulas; ++i) {
    subject.formulas.push_back(make_formula(pool, random, subject.atoms));
  }
  if (!invariant.empty()) {  // a state that has become another one shows there
    const logic::FormulaId always = pool.unary(logic::Op::AG, pool.atom(invariant));
    subject.formulas.push_back(logic::existential_normal_form(pool, always));
    subject.atoms.push_back(invariant);
  }
  return subject;
}

std::vector<engine::Result> on_the_fly(model::SuccessorFunction& states, logic::FormulaPool& pool,
                                       const Subject& subject, engine::Env& env) {
  return engine::find_engine("almc").make()->check_on_the_fly(
      {states, model::DeadEnds::Keep, pool, subject.formulas}, env);
}

std::vector<engine::Result> by_labelling(const model::Rsm& model, logic::FormulaPool& pool,
                                         const Subject& subject) {
  engine::Env env;
  return engine::finite_engine().make()->check({model, pool, subject.formulas}, env);
}

void compare(const std::vector<engine::Result>& results, const Subject& subject,
             bool may_be_unknown, std::string_view when, Report& report) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool unknown = may_be_unknown && results[i].verdict == engine::Verdict::Unknown;
    report.expect(unknown || results[i].verdict == subject.right[i], [&] {
      return fmt::format("{}: formula {} {} {}, expected {}", when, i,
                         engine::to_string(results[i].verdict), results[i].reason,
                         engine::to_string(subject.right[i]));
    });
  }
}

/// The verdicts of what a strike has left, on the fly and explored anew. A model that had no memory
/// to read an atom has none for others either.
void check_afterwards(const std::shared_ptr<model::SuccessorFunction>& states,
                      logic::FormulaPool& pool, const Subject& subject, bool memory,
                      Report& report) {
  engine::Env env;
  compare(on_the_fly(*states, pool, subject, env), subject, memory, "then on the fly", report);
  try {
    model::ExploreSizes sizes;
    model::ExploreOptions options;
    options.sizes = &sizes;
    const model::Rsm model = model::explore(states, subject.atoms, options);
    report.expect(
        sizes.states == subject.sizes.states && sizes.transitions == subject.sizes.transitions,
        [&] {
          return fmt::format("then {} states, expected {}", sizes.states, subject.sizes.states);
        });
    compare(by_labelling(model, pool, subject), subject, false, "then explored", report);
  } catch (const std::bad_alloc&) {
    report.expect(memory, [] { return "no memory afterwards"; });
  }
}

/// As the commands do, atoms may be read before anything else.
void read_atoms(model::SuccessorFunction& states, const Subject& subject) {
  for (const std::string& atom : subject.atoms) {
    states.find_proposition(atom);
  }
}

bool strike_on_the_fly(logic::FormulaPool& pool, const Subject& subject, bool atoms_first,
                       const Strike& strike, Report& report) {
  const std::shared_ptr<model::SuccessorFunction> states = subject.make();
  if (atoms_first) {
    read_atoms(*states, subject);
  }
  engine::Env env;
  env.limits = strike.limits();
  env.progress = [&env](std::size_t) { env.limits.steps.reset(); };  // the first formula only
  std::vector<engine::Result> results;
  bool struck = run_under(strike, [&] { results = on_the_fly(*states, pool, subject, env); }).any;
  const bool memory = strike.kind == Strike::Kind::Memory;
  for (std::size_t i = 0; i < results.size(); ++i) {
    struck = struck || results[i].verdict == engine::Verdict::Unknown;
    report.expect(i == 0 || memory || results[i].verdict != engine::Verdict::Unknown,
                  [&] { return fmt::format("formula {} {}", i, results[i].reason); });
  }
  compare(results, subject, true, "struck on the fly", report);
  check_afterwards(states, pool, subject, memory && !atoms_first, report);
  return struck;
}

bool strike_exploring(logic::FormulaPool& pool, const Subject& subject, bool atoms_first,
                      const Strike& strike, Report& report) {
  const std::shared_ptr<model::SuccessorFunction> states = subject.make();
  if (atoms_first) {
    read_atoms(*states, subject);
  }
  model::Fairness fairness;
  fairness.constraints = 7;  // of another graph
  model::ExploreOptions options;
  options.limits = strike.limits();
  options.fairness = &fairness;
  const Struck struck = run_under(strike, [&] { model::explore(states, subject.atoms, options); });
  report.expect(struck.ended == (fairness.constraints == 7),
                [] { return "the fairness of a graph that is not there"; });
  const bool memory = strike.kind == Strike::Kind::Memory;
  check_afterwards(states, pool, subject, memory && !atoms_first, report);
  return struck.any;
}

}  // namespace

void strike_explored(base::Random& random, Report& report) {
  logic::FormulaPool pool;
  Subject subject = make_subject(pool, random);
  model::ExploreOptions options;
  options.sizes = &subject.sizes;
  const model::Rsm model = model::explore(subject.make(), subject.atoms, options);
  for (const engine::Result& result : by_labelling(model, pool, subject)) {
    subject.right.push_back(result.verdict);
  }
  const bool atoms_first = random.chance(0.7);
  report.sweep(subject.name + " on the fly", random, kExploredSamples, [&](const Strike& s) {
    return strike_on_the_fly(pool, subject, atoms_first, s, report);
  });
  report.sweep(subject.name + " explored", random, kExploredSamples, [&](const Strike& s) {
    return strike_exploring(pool, subject, atoms_first, s, report);
  });
}

}  // namespace nestor::test
