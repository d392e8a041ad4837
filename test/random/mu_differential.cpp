// Mu properties on random finite graphs: what `.pdmu` files with them are found to satisfy, against
// the fixpoints computed as they are defined. The witness of each verdict is replayed.
//
//   mu_differential [--cases=N] [--seed=S]

#include "base/random.h"
#include "engine/registry.h"
#include "format/pds/pdmu_reader.h"
#include "run_options.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

using Set = std::vector<bool>;

struct Graph {
  std::vector<std::vector<std::size_t>> successors;
  Set p;
  Set q;
};

Graph random_graph(base::Random& random) {
  Graph graph;
  const std::size_t size = random.between(1, 6);
  for (std::size_t n = 0; n < size; ++n) {
    graph.p.push_back(random.chance(0.7));
    graph.q.push_back(random.chance(0.2));
    graph.successors.emplace_back();
    for (std::size_t m = 0; m < size; ++m) {
      if (random.chance(0.25)) {
        graph.successors[n].push_back(m);
      }
    }
  }
  return graph;
}

bool diamond(const Graph& graph, const Set& set, std::size_t n) {
  for (const std::size_t m : graph.successors[n]) {
    if (set[m]) {
      return true;
    }
  }
  return false;
}

bool box(const Graph& graph, const Set& set, std::size_t n) {
  for (const std::size_t m : graph.successors[n]) {
    if (!set[m]) {
      return false;
    }
  }
  return true;
}

/// A fixpoint by its definition, at node 0.
bool fixpoint(const Graph& graph, bool greatest,
              const std::function<bool(const Set&, std::size_t)>& body) {
  Set now(graph.successors.size(), greatest);
  for (bool changed = true; changed;) {
    Set next(now.size());
    for (std::size_t n = 0; n < now.size(); ++n) {
      next[n] = body(now, n);
    }
    changed = next != now;
    now = next;
  }
  return now[0];
}

struct Shape {
  const char* text;
  bool greatest;
  bool (*body)(const Graph& g, const Set& x, std::size_t n);
};

const Shape kShapes[] = {
    {"mu X. q | p & <>X", false,
     [](const Graph& g, const Set& x, std::size_t n) {
       return g.q[n] || (g.p[n] && diamond(g, x, n));
     }},
    {"mu X. q | p & []X", false,
     [](const Graph& g, const Set& x, std::size_t n) {
       return g.q[n] || (g.p[n] && box(g, x, n));
     }},
    {"nu X. q | p & <>X", true,
     [](const Graph& g, const Set& x, std::size_t n) {
       return g.q[n] || (g.p[n] && diamond(g, x, n));
     }},
    {"nu X. q | p & []X", true,
     [](const Graph& g, const Set& x, std::size_t n) {
       return g.q[n] || (g.p[n] && box(g, x, n));
     }},
    {"nu X. p & <>X", true,
     [](const Graph& g, const Set& x, std::size_t n) { return g.p[n] && diamond(g, x, n); }},
    {"mu X. (q | <>X) & (p => !!<>X)", false,
     [](const Graph& g, const Set& x, std::size_t n) {
       return (g.q[n] || diamond(g, x, n)) && (!g.p[n] || diamond(g, x, n));
     }},
    {"nu X. (p & q | []X) & (p | []X)", true,
     [](const Graph& g, const Set& x, std::size_t n) {
       return ((g.p[n] && g.q[n]) || box(g, x, n)) && (g.p[n] || box(g, x, n));
     }},
};

std::string pdmu(const Graph& graph, const char* property) {
  std::string text = "Rules:\n";
  for (std::size_t n = 0; n < graph.successors.size(); ++n) {
    for (const std::size_t m : graph.successors[n]) {
      text += fmt::format("s n{} -> s n{};\n", n, m);
    }
  }
  text += "Interesting Configurations:\ns n0;\nPropositions:\n";
  for (std::size_t n = 0; n < graph.successors.size(); ++n) {
    text += fmt::format("s n{}{}{};\n", n, graph.p[n] ? " p" : "", graph.q[n] ? " q" : "");
  }
  return text + fmt::format("Mu Property:\n{}\n", property);
}

bool agrees(const Graph& graph, const Shape& shape, std::uint64_t seed) {
  const base::Input input = base::Input::from_text("case.pdmu", pdmu(graph, shape.text));
  const model::Rsm model = format::read_pdmu(input, model::DeadEnds::Keep);
  logic::FormulaPool pool;
  const std::vector<logic::ModelProperty> properties = format::read_pdmu_properties(input, pool);
  const logic::FormulaId formula = properties.at(0).formula.formula;
  const std::vector<logic::FormulaId> formulas{formula};
  engine::Env env;
  const engine::Verdict verdict =
      engine::find_engine("reference").make()->check({model, pool, formulas}, env)[0].verdict;
  const bool right = fixpoint(graph, shape.greatest,
                              [&](const Set& x, std::size_t n) { return shape.body(graph, x, n); });
  if (verdict == (right ? engine::Verdict::Holds : engine::Verdict::Fails)) {
    const std::string fault = test::witness_fault(model, pool, formula, verdict);
    if (!fault.empty()) {
      fmt::print("seed {}: {}: {}\n{}", seed, shape.text, fault, input.text());
    }
    return fault.empty();
  }
  fmt::print("seed {}: {} is {} but should be {}\n{}", seed, shape.text, engine::to_string(verdict),
             right, input.text());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  std::size_t failures = 0;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    base::Random random(seed + k);
    const Graph graph = random_graph(random);
    for (const Shape& shape : kShapes) {
      failures += agrees(graph, shape, seed + k) ? 0 : 1;
    }
  }
  fmt::print("seed {}, {} cases, {} failures\n", seed, cases, failures);
  return failures == 0 ? 0 : 1;
}
