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

constexpr std::size_t kEvidenceSamples = 6;

/// Makes something as text twice, the second time without strike. What it makes is `right` or
/// ended.
bool strike_text(const std::string& right, const Strike& strike, Report& report,
                 const std::function<std::string(const base::Limits&)>& make) {
  std::string text;
  const base::Limits limits = strike.limits();
  const Struck struck = run_under(strike, [&] { text = make(limits); });
  report.expect(struck.ended || text == right, [&] { return "another result"; });
  report.expect(make(base::Limits()) == right, [&] { return "another result afterwards"; });
  return struck.any;
}

/// Every value of a labelling.
std::string text_of(const explain::Labelling& labelling) {
  std::string text;
  for (const base::BitSet& values : labelling.values) {
    values.for_each([&](std::size_t row) { text += fmt::format(" {}", row); });
    text += '\n';
  }
  return text;
}

struct Question {
  const model::Rsm& model;
  logic::FormulaPool& pool;
  logic::FormulaId formula;
  logic::FormulaId normal;
};

std::string certificate(const Question& asked, const explain::Labelling& labelling,
                        const base::Limits& limits) {
  std::string text;
  base::LimitGuard guard(limits);
  explain::write_certificate(asked.model, asked.pool, labelling, std::string(64, '0'), guard,
                             [&](std::string_view part) { text += part; });
  return text;
}

void strike_engine(const engine::EngineInfo& info, const Question& asked, base::Random& random,
                   Report& report) {
  const std::unique_ptr<engine::Engine> engine = info.make();
  const auto limited = [&](const base::Limits& limits) {
    engine::Env env;
    env.limits = limits;
    env.jobs = 1;
    return env;
  };
  const auto label = [&](const base::Limits& limits) {
    engine::Env env = limited(limits);
    return engine->label(asked.model, asked.pool, asked.normal, env);
  };
  const std::optional<explain::Labelling> right = label({});
  if (!right) {
    return;
  }
  report.sweep(
      fmt::format("labels of {}", info.id), random, kEvidenceSamples, [&](const Strike& s) {
        return strike_text(text_of(*right), s, report,
                           [&](const base::Limits& limits) { return text_of(*label(limits)); });
      });
  const bool verdict = explain::holds(asked.model, *right);
  const auto witness = [&](const base::Limits& limits) {
    engine::Env env = limited(limits);
    std::optional<witness::Witness> own =
        engine->explain({asked.model, asked.pool, asked.formula, verdict}, env);
    witness::Witness found =
        own ? std::move(*own)
            : explain::extract_witness(asked.model, asked.pool, asked.formula, verdict, *right,
                                       std::string(info.id), limits);
    const check::Replay replayed =
        check::replay(asked.model, asked.pool, asked.formula, found, nullptr);
    report.expect(replayed.outcome != check::Replay::Outcome::Rejected,
                  [&] { return replayed.reason; });
    return witness::witness_text(asked.model, asked.pool, found);
  };
  const std::string shown = witness({});
  report.sweep(fmt::format("witness of {}", info.id), random, kEvidenceSamples,
               [&](const Strike& s) { return strike_text(shown, s, report, witness); });
  const std::string proof = certificate(asked, *right, {});
  report.sweep(fmt::format("certificate of {}", info.id), random, kEvidenceSamples,
               [&](const Strike& s) {
                 return strike_text(proof, s, report, [&](const base::Limits& limits) {
                   return certificate(asked, *right, limits);
                 });
               });
}

}  // namespace

void strike_evidence(base::Random& random, Report& report) {
  logic::FormulaPool pool;
  const Case made = make_case(pool, random.next(), 1);
  const logic::FormulaId normal = logic::existential_normal_form(pool, made.formulas[0]);
  const std::vector<logic::FormulaId> formulas = {normal};
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    if (info.make()->cannot_handle({made.model, pool, formulas}).empty()) {
      strike_engine(info, {made.model, pool, made.formulas[0], normal}, random, report);
    }
  }
}

}  // namespace nestor::test
