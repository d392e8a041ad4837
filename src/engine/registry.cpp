#include "engine/registry.h"

#include "base/error.h"
#include "engine/ctl_star/ctl_star.h"
#include "engine/finite/finite.h"
#include "engine/labelling/labelling.h"
#include "engine/mu/mu.h"
#include "engine/reference/reference.h"
#include "engine/rks/rks.h"
#include "engine/strategies/strategies.h"
#include "engine/summary/summary.h"

#include <fmt/format.h>

#include <array>

namespace nestor::engine {

namespace {
constexpr std::array kEngines{
    EngineInfo{"summary", "exit summaries, bit-parallel over formulas of one shape",
               "docs/engines.md, after Alur et al. 2005", summary::make_summary},
    EngineInfo{"summary-whole", "the same as summary, but never ends near the initial states",
               "docs/engines.md, after Alur et al. 2005", summary::make_summary_whole},
    EngineInfo{"summary-bounds", "the same as summary-whole, but tries bounds before any context",
               "docs/engines.md, after Dubslaff, Wienhöft, Fehnker 2024",
               summary::make_summary_bounds},
    EngineInfo{"labelling", "finite models: labelling by bit sets, also with fairness",
               "Clarke, Emerson, Sistla 1986; Emerson, Lei 1986", labelling::make_labelling},
    EngineInfo{"ctl-star", "LTL and CTL*: accepting paths of the product with Büchi automata",
               "docs/ltl.md, after Esparza et al. 2000, Alur et al. 2005, Couvreur 1999",
               ctl_star::make_ctl_star},
    EngineInfo{mu::kId, "the modal mu-calculus, by functions of what follows a return",
               "docs/mu.md, after Walukiewicz 2001 and Hague, Ong 2011", mu::make_mu},
    EngineInfo{"lazy", "ternary refinement, contexts only where they may decide the formula",
               "Dubslaff, Wienhöft, Fehnker 2024, Alg. 5-7", strategies::make_lazy},
    EngineInfo{"lazy-plain",
               "the same as lazy, its search as printed: for reading and small models",
               "Dubslaff, Wienhöft, Fehnker 2024, Alg. 5-7", strategies::make_lazy_plain},
    EngineInfo{"ternary", "ternary refinement, every context that can be refined in each round",
               "Dubslaff, Wienhöft, Fehnker 2024, Alg. 5", strategies::make_ternary},
    EngineInfo{"random", "ternary refinement, one context at random in each round",
               "Dubslaff, Wienhöft, Fehnker 2024, Alg. 5, section 7.4.1", strategies::make_random},
    EngineInfo{"eager", "every subformula in every context, bottom-up",
               "Dubslaff, Wienhöft, Fehnker 2024, Alg. 1-4", strategies::make_eager},
    EngineInfo{"rks", "knowledge base over call contexts; single-exit models",
               "thesis on recursive Kripke structures, chapter 3", rks::make_rks},
    EngineInfo{"rks-incremental",
               "the same as rks, only as far as the initial state needs it; single-exit models",
               "thesis on recursive Kripke structures, chapter 4", rks::make_rks_incremental},
    EngineInfo{"rks-split", "split and merge of recursive Kripke structures; single-exit models",
               "thesis on recursive Kripke structures, appendix A", rks::make_rks_split},
    EngineInfo{"naive", "finite models: rounds over all states until nothing changes",
               "Heljanko 1997, section 3.2.2", finite::make_naive},
    EngineInfo{"emc", "finite models: labelling in linear time, successors and predecessors",
               "Heljanko 1997, section 3.2.3, after Clarke, Emerson, Sistla 1986",
               finite::make_emc},
    EngineInfo{"almc", "finite models: top-down, only the states that matter; on the fly",
               "Heljanko 1997, section 3.3, after Vergauwen, Lewi 1993", finite::make_almc},
    EngineInfo{"local", "finite models: only the states that matter, the nearest first; on the fly",
               "docs/nets.md, after Vergauwen, Lewi 1993 and Dalsgaard et al. 2018",
               finite::make_local},
    EngineInfo{"dfs", "finite models: one depth-first pass with a father-state stack",
               "Heljanko 1997, section 4", finite::make_dfs},
    EngineInfo{"dfs-terminal",
               "finite models: dfs, terminal strong components first, for smaller search stacks",
               "Heljanko 1997, section 5", finite::make_dfs_terminal},
    EngineInfo{"reference", "the semantics by plain iteration over all contexts; small models only",
               "docs/semantics.md", reference::make_reference},
};
constexpr std::string_view kDefaultEngine = "summary";
constexpr std::string_view kFiniteEngine = "labelling";
constexpr std::string_view kPathEngine = "ctl-star";
}  // namespace

std::span<const EngineInfo> engine_registry() {
  return kEngines;
}

const EngineInfo& default_engine() {
  return find_engine(kDefaultEngine);
}

const EngineInfo& finite_engine() {
  return find_engine(kFiniteEngine);
}

const EngineInfo& path_engine() {
  return find_engine(kPathEngine);
}

const EngineInfo& find_engine(std::string_view id) {
  std::string known;
  for (const EngineInfo& info : kEngines) {
    if (info.id == id) {
      return info;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.id);
  }
  throw base::Error(base::Error::Kind::Usage,
                    fmt::format("unknown engine '{}', expected one of: {}", id, known));
}

}  // namespace nestor::engine
