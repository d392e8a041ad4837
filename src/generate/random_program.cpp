#include "generate/random_program.h"

#include "model/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::generate {

namespace {

using Ref = model::ModelBuilder::Ref;

/// A procedure is a chain of statements. A branch or a loop spans a stretch of the chain, properly
/// nested: a branch adds a way round it, a loop a way back.
struct Procedure {
  std::size_t statements = 0;
  std::size_t exits = 0;
  std::vector<std::size_t> must_call;  // so that every procedure is reachable
};

class ProgramGenerator {
 public:
  ProgramGenerator(const RandomProgramOptions& options, base::Random& random)
      : options_(options), random_(random), builder_("") {}

  model::Rsm run() {
    plan();
    for (std::size_t p = 0; p < procedures_.size(); ++p) {
      build(p);
    }
    builder_.initial_component("p0");
    return builder_.finish();
  }

 private:
  /// Of five statements one is a call, which has a call node and about two return nodes.
  static constexpr double kNodesPerStatement = 1.45;
  // Most calls stay in the neighbourhood, as in programs made of files and modules.
  static constexpr std::size_t kNearby = 30;
  static constexpr double kShareNearby = 0.8;

  void plan() {
    double planned = 0;
    do {
      Procedure procedure;
      procedure.statements = random_.between(options_.least_procedure, options_.largest_procedure);
      procedure.exits = random_.between(1, options_.most_exits);
      planned += kNodesPerStatement * static_cast<double>(procedure.statements);
      const std::size_t p = procedures_.size();
      if (p > 0) {
        const std::size_t first = random_.chance(kShareNearby) && p > kNearby ? p - kNearby : 0;
        procedures_[random_.between(first, p - 1)].must_call.push_back(p);
      }
      procedures_.push_back(std::move(procedure));
    } while (planned < static_cast<double>(options_.nodes));
    for (Procedure& procedure : procedures_) {
      procedure.statements = std::max(procedure.statements, 2 * procedure.must_call.size() + 2);
    }
  }

  struct Span {
    std::size_t from = 0;
    bool loop = false;
  };

  void build(std::size_t p) {
    const Procedure& procedure = procedures_[p];
    builder_.component(fmt::format("p{}", p));
    // The last `exits` statements are the exits; the chain before them is the body.
    const std::size_t body = procedure.statements;
    for (std::size_t s = 0; s < body + procedure.exits; ++s) {
      name_.clear();
      fmt::format_to(std::back_inserter(name_), "s{}", s);
      builder_.node({.name = name_, .is_entry = s == 0, .is_exit = s >= body});
      for (const LabelShare& label : options_.labels) {
        if (random_.chance(label.share)) {
          builder_.label(label.name);
        }
      }
    }
    place_calls(p);
    std::vector<Span> open;
    for (std::size_t s = 0; s < body; ++s) {
      connect(s);
      if (random_.chance(0.2)) {
        open.push_back({s, random_.chance(0.4)});
      } else if (!open.empty() && random_.chance(0.25)) {
        close(open.back(), s);
        open.pop_back();
      }
      if (random_.chance(0.05)) {  // early return
        edge(s, body + random_.below(procedure.exits));
      }
    }
    for (std::size_t x = 1; x < procedure.exits; ++x) {  // every exit has a way to it
      edge(body - 1, body + x);
    }
  }

  void place_calls(std::size_t p) {
    const Procedure& procedure = procedures_[p];
    callee_at_.assign(procedure.statements, procedures_.size());
    for (std::size_t k = 0; k < procedure.must_call.size(); ++k) {
      callee_at_[2 * k + 1] = procedure.must_call[k];
    }
    for (std::size_t s = 1; s < procedure.statements; ++s) {
      if (callee_at_[s] == procedures_.size() && random_.chance(0.1)) {
        const bool back = random_.chance(options_.recursion);
        const bool near = random_.chance(kShareNearby);
        const std::size_t first = !back ? p : near && p > kNearby ? p - kNearby : 0;
        const std::size_t end = procedures_.size() - 1;
        const std::size_t last = back ? p : near ? std::min(p + kNearby, end) : end;
        callee_at_[s] = random_.between(first, last);
      }
      if (callee_at_[s] != procedures_.size()) {
        builder_.box(fmt::format("b{}", s), fmt::format("p{}", callee_at_[s]));
      }
    }
  }

  /// From statement s to the next, through a call if there is one.
  void connect(std::size_t s) {
    if (callee_at_[s] == procedures_.size()) {
      edge(s, s + 1);
      return;
    }
    const Procedure& callee = procedures_[callee_at_[s]];
    const std::string box = fmt::format("b{}", s);
    builder_.transition(Ref::node(fmt::format("s{}", s)), Ref::box_node(box, "s0"));
    for (std::size_t x = 0; x < callee.exits; ++x) {
      builder_.transition(Ref::box_node(box, fmt::format("s{}", callee.statements + x)),
                          Ref::node(fmt::format("s{}", s + 1)));
    }
  }

  void close(const Span& span, std::size_t s) {
    if (span.loop) {
      edge(s, span.from);
    } else {
      edge(span.from, s + 1);
    }
  }

  void edge(std::size_t from, std::size_t to) {
    builder_.transition(Ref::node(fmt::format("s{}", from)), Ref::node(fmt::format("s{}", to)));
  }

  const RandomProgramOptions& options_;
  base::Random& random_;
  model::ModelBuilder builder_;
  std::vector<Procedure> procedures_;
  std::vector<std::size_t> callee_at_;
  std::string name_;
};

}  // namespace

model::Rsm random_program(const RandomProgramOptions& options, base::Random& random) {
  return ProgramGenerator(options, random).run();
}

}  // namespace nestor::generate
