// Random machines and formulas of LTL and CTL*: the certificate of each verdict is accepted. Then
// it is damaged, line by line and field by field, or held against a machine that differs a bit:
// what the verifier still accepts must be true.
//
//   path_certificates [--pairs=N] [--seed=S] [--out=FOLDER]
//
// With --out, machines and certificates, damaged ones too, are also written to FOLDER, and to
// FOLDER/list what the verifier says of each, with line and reason: for others to say the same.

#include "base/input.h"
#include "base/random.h"
#include "base/sha256.h"
#include "check/path_certificate.h"
#include "check/verify.h"
#include "draft.h"
#include "engine/registry.h"
#include "format/registry.h"
#include "logic/path_normal_form.h"
#include "logic/printer.h"
#include "path_case.h"
#include "path_certificate_damage.h"
#include "run_options.h"

#include <fmt/format.h>

#include <map>
#include <string>

namespace nestor::test {
namespace {

constexpr std::size_t kFormulasPerModel = 4;
constexpr std::uint64_t kMostSteps = 3'000'000;
constexpr std::size_t kDamagesPerCertificate = 11;
constexpr std::size_t kMostFailures = 3;

/// A model with what certificates name it by.
struct Subject {
  model::Rsm model;
  std::string hash;
  std::string file;  // its name in the folder
};

/// A machine with one label or transition more or less.
std::optional<model::Rsm> varied(const model::Rsm& model, base::Random& random) {
  Draft draft = draft_of(model);
  Draft::Component& c = draft.components[random.below(draft.components.size())];
  if (random.below(2) == 0) {
    std::vector<std::string>& labels = c.nodes[random.below(c.nodes.size())].labels;
    const std::string label(1, static_cast<char>('a' + random.below(3)));
    if (std::erase(labels, label) == 0) {
      labels.push_back(label);
    }
  } else if (!c.transitions.empty()) {
    const std::size_t t = random.below(c.transitions.size());
    if (random.below(2) == 0) {
      c.transitions.erase(c.transitions.begin() + static_cast<std::ptrdiff_t>(t));
    } else {
      c.transitions[t].to = c.transitions[random.below(c.transitions.size())].to;
    }
  }
  try {
    return build(draft);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

class Run {
 public:
  Run(std::uint64_t seed, std::string folder) : random_(seed), folder_(std::move(folder)) {}

  void check(std::uint64_t seed) {
    std::mt19937_64 coin(seed);
    logic::FormulaPool pool;
    const Subject subject = make_subject(random_path_machine(seed), fmt::format("{}.rsm", seed));
    for (std::size_t k = 0; k < kFormulasPerModel; ++k) {
      const logic::FormulaId formula = random_path_question(pool, coin, k % 2 == 0);
      where_ = fmt::format("seed {}, {}", seed, logic::to_string(pool, formula));
      stem_ = fmt::format("{}.{}", seed, k);
      engine::Env env;
      env.limits.steps = kMostSteps;
      const std::unique_ptr<engine::Engine> engine = engine::path_engine().make();
      const engine::Verdict verdict =
          engine->check({subject.model, pool, {&formula, 1}}, env)[0].verdict;
      if (verdict == engine::Verdict::Unknown) {
        continue;
      }
      std::string text;
      try {
        engine->certify({subject.model, pool, formula, verdict == engine::Verdict::Holds},
                        subject.hash, env, [&](std::string_view piece) { text += piece; });
      } catch (const base::LimitReached&) {
        continue;
      }
      ++certified_;
      const logic::FormulaId normal = logic::path_normal_form(pool, formula);
      if (!accepts(text, subject, pool, normal)) {
        fail("a sound certificate is refused");
      }
      damage(text, subject, pool, normal);
    }
  }

  /// Prints how often each kind of damage was noticed; false if one never was.
  bool report() const {
    bool all = true;
    for (const auto& [name, count] : damaged_) {
      fmt::print("  {:<40} {:>6} of {:>6} refused\n", name, count.refused, count.all);
      all = all && count.refused > 0;
    }
    return all && damaged_.size() >= path_certificate_damages().size();
  }
  void finish() const { write("list", list_); }
  std::size_t certified() const { return certified_; }
  std::size_t failures() const { return failures_; }

 private:
  struct Count {
    std::size_t all = 0;
    std::size_t refused = 0;
  };

  Subject make_subject(model::Rsm model, std::string file) const {
    const std::string text = format::find_format("rsm", "").write(model);
    write(file, text);
    return {std::move(model), base::sha256_hex(text), std::move(file)};
  }

  void fail(const std::string& why) {
    ++failures_;
    fmt::print("{}: {} ({})\n", where_, why, stem_);
  }

  void write(const std::string& name, std::string_view text) const {
    if (!folder_.empty()) {
      base::OutputFile file(fmt::format("{}/{}", folder_, name));
      file.write(text);
      file.commit();
    }
  }

  /// Whether the verifier accepts a certificate; it fails if that is wrong. The formula that the
  /// certificate is about may have been damaged too: then it is that which must have the verdict.
  bool accepts(const std::string& certificate, const Subject& subject, logic::FormulaPool& pool,
               logic::FormulaId normal) {
    const auto verify = [&](logic::FormulaId formula) {
      base::LineReader lines = base::LineReader::from_text("certificate", certificate);
      return check::verify(subject.model, subject.hash, lines, pool, formula);
    };
    const check::Verification found = verify(logic::FormulaId());
    if (!folder_.empty()) {
      write(stem_ + ".cert", certificate);
      list_ += fmt::format("{} {}.cert {}\n", subject.file, stem_,
                           !found.accepted ? fmt::format("refused {}: {}", found.line, found.why)
                                           : (found.holds ? "holds" : "fails"));
    }
    const bool of_formula = verify(normal).accepted;
    if (!found.accepted) {
      if (of_formula || found.line == 0 || found.why.empty()) {
        fail("accepted for a formula but not without, or refused without line or reason");
      }
      return false;
    }
    base::LineReader lines = base::LineReader::from_text("certificate", certificate);
    check::certificate_version(lines);
    const logic::FormulaId claimed =
        check::read_path_certificate(lines, subject.model, pool).formulas.back().id;
    if (of_formula != (logic::path_normal_form(pool, claimed) == normal)) {
      fail("accepted for another formula, or refused for its own");
    }
    engine::Env env;
    env.limits.steps = kMostSteps;
    const engine::Result right =
        engine::path_engine().make()->check({subject.model, pool, {&claimed, 1}}, env)[0];
    if (right.verdict != engine::Verdict::Unknown &&
        found.holds != (right.verdict == engine::Verdict::Holds)) {
      fail("a wrong verdict is accepted");
    }
    return true;
  }

  void damage(const std::string& certificate, const Subject& subject, logic::FormulaPool& pool,
              logic::FormulaId normal) {
    const std::string stem = stem_;
    for (std::size_t k = 0; k < kDamagesPerCertificate; ++k) {
      const PathCertificateDamage& damage =
          path_certificate_damages()[next_damage_++ % path_certificate_damages().size()];
      const std::string damaged = damage.apply(certificate, random_);
      if (damaged != certificate) {
        stem_ = fmt::format("{}.{}", stem, k);
        try_one(damage.name, damaged, subject, pool, normal);
      }
    }
    for (int k = 0; k < 2; ++k) {
      std::optional<model::Rsm> other = varied(subject.model, random_);
      if (!other) {
        continue;
      }
      stem_ = fmt::format("{}.moved{}", stem, k);
      const Subject moved = make_subject(std::move(*other), stem_ + ".rsm");
      std::string damaged = certificate;
      damaged.replace(damaged.find(subject.hash), subject.hash.size(), moved.hash);
      try_one("another model", damaged, moved, pool, normal);
    }
  }

  void try_one(std::string_view name, const std::string& damaged, const Subject& subject,
               const logic::FormulaPool& pool, logic::FormulaId normal) {
    Count& count = damaged_[name];
    ++count.all;
    logic::FormulaPool copy = pool;  // damaged formulas are no concern of others
    count.refused += accepts(damaged, subject, copy, normal) ? 0 : 1;
  }

  base::Random random_;
  std::string folder_;
  std::string where_;
  std::string stem_;
  std::string list_;
  std::size_t next_damage_ = 0;
  std::map<std::string_view, Count> damaged_;
  std::size_t certified_ = 0;
  std::size_t failures_ = 0;
};

}  // namespace
}  // namespace nestor::test

int main(int argc, char** argv) {
  using nestor::test::Run;
  const auto [pairs, seed, folder] =
      nestor::test::read_options(argc, argv, "--pairs", {4000, 1, ""});
  Run run(seed, folder);
  for (std::size_t k = 0;
       k * nestor::test::kFormulasPerModel < pairs && run.failures() < nestor::test::kMostFailures;
       ++k) {
    run.check(seed + k);
  }
  run.finish();
  const bool all_noticed = run.report();
  fmt::print("seed {}, {} pairs, {} certificates verified, {} failures\n", seed, pairs,
             run.certified(), run.failures());
  return run.failures() == 0 && run.certified() > pairs / 2 && all_noticed ? 0 : 1;
}
