// Labellings, witnesses and certificates: a strike ends one, the next is as if there had been none.

#include "check/replay.h"
#include "engine/registry.h"
#include "explain/certificate.h"
#include "explain/extract.h"
#include "logic/normal_form.h"
#include "pair.h"
#include "strike.h"
#include "witness/witness_text.h"

#include <fmt/format.h>

#include <optional>

namespace nestor::test {

namespace {

constexpr std::size_t kSamples = 6;

/// Makes something as text twice, the second time without strike. What it makes is `right` or
/// ended.
bool strike_text(const std::string& right, const Strike& strike, Report& report,
                 const std::function<std::string(const Limits&)>& make) {
  std::string text;
  const Limits limits = strike.limits();
  const Struck struck = run_under(strike, [&] { text = make(limits); });
  report.expect(struck.ended || text == right, [&] { return "another result"; });
  report.expect(make(Limits()) == right, [&] { return "another result afterwards"; });
  return struck.any;
}

/// Every value of a labelling.
std::string text_of(const Labelling& labelling) {
  std::string text;
  for (const BitSet& values : labelling.values) {
    values.for_each([&](std::size_t row) { text += fmt::format(" {}", row); });
    text += '\n';
  }
  return text;
}

struct Question {
  const Rsm& model;
  FormulaPool& pool;
  FormulaId formula;
  FormulaId normal;
};

std::string certificate(const Question& asked, const Labelling& labelling, const Limits& limits) {
  std::string text;
  LimitGuard guard(limits);
  write_certificate(asked.model, asked.pool, labelling, std::string(64, '0'), guard,
                    [&](std::string_view part) { text += part; });
  return text;
}

void strike_engine(const EngineInfo& info, const Question& asked, Random& random, Report& report) {
  const std::unique_ptr<Engine> engine = info.make();
  const auto limited = [&](const Limits& limits) {
    Env env;
    env.limits = limits;
    env.jobs = 1;
    return env;
  };
  const auto label = [&](const Limits& limits) {
    Env env = limited(limits);
    return engine->label(asked.model, asked.pool, asked.normal, env);
  };
  const std::optional<Labelling> right = label({});
  if (!right) {
    return;
  }
  report.sweep(fmt::format("labels of {}", info.id), random, kSamples, [&](const Strike& s) {
    return strike_text(text_of(*right), s, report,
                       [&](const Limits& limits) { return text_of(*label(limits)); });
  });
  const bool verdict = holds(asked.model, *right);
  const auto witness = [&](const Limits& limits) {
    Env env = limited(limits);
    std::optional<Witness> own =
        engine->explain({asked.model, asked.pool, asked.formula, verdict}, env);
    Witness found = own ? std::move(*own)
                        : extract_witness(asked.model, asked.pool, asked.formula, verdict, *right,
                                          std::string(info.id), limits);
    const Replay replayed = replay(asked.model, asked.pool, asked.formula, found, nullptr);
    report.expect(replayed.outcome != Replay::Outcome::Rejected, [&] { return replayed.reason; });
    return witness_text(asked.model, asked.pool, found);
  };
  const std::string shown = witness({});
  report.sweep(fmt::format("witness of {}", info.id), random, kSamples,
               [&](const Strike& s) { return strike_text(shown, s, report, witness); });
  const std::string proof = certificate(asked, *right, {});
  report.sweep(fmt::format("certificate of {}", info.id), random, kSamples, [&](const Strike& s) {
    return strike_text(proof, s, report,
                       [&](const Limits& limits) { return certificate(asked, *right, limits); });
  });
}

}  // namespace

void strike_evidence(Random& random, Report& report) {
  FormulaPool pool;
  const Case made = make_case(pool, random.next(), 1);
  const FormulaId normal = existential_normal_form(pool, made.formulas[0]);
  const std::vector<FormulaId> formulas = {normal};
  for (const EngineInfo& info : engine_registry()) {
    if (info.make()->cannot_handle({made.model, pool, formulas}).empty()) {
      strike_engine(info, {made.model, pool, made.formulas[0], normal}, random, report);
    }
  }
}

}  // namespace nestor::test
