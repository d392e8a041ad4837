// Random models and formulas: every engine that makes a labelling certifies its verdict, and the
// verifier accepts the certificate. Then the certificate is damaged, in every way that
// certificate_damage.h knows, or held against another model: what the verifier still accepts must
// be true.
//
//   certificates [--pairs=N] [--seed=S] [--out=FOLDER]
//
// With --out, models and certificates, damaged ones too, are also written to FOLDER, and to
// FOLDER/list what the verifier says of each, with line and reason: for others to say the same.

#include "base/input.h"
#include "base/sha256.h"
#include "certificate_damage.h"
#include "check/certificate_reader.h"
#include "check/verify.h"
#include "engine/registry.h"
#include "explain/certificate.h"
#include "format/registry.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"
#include "run_options.h"

#include <fmt/format.h>

#include <map>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
using nestor::test::CertificateDamage;

constexpr std::size_t kFormulasPerModel = 4;
/// A labelling has each context that stacks have, which can be many; those are left out.
constexpr std::uint64_t kMostSteps = 5'000'000;
constexpr std::size_t kDamagesPerCertificate = 4;
constexpr std::size_t kMostFailures = 3;

void write_file(const std::string& path, std::string_view text) {
  base::OutputFile file(path);
  file.write(text);
  file.commit();
}

/// A model with what certificates name it by.
struct Subject {
  model::Rsm model;
  std::string hash;
  std::string file;  // its name in the folder
};

class Run {
 public:
  Run(std::uint64_t seed, std::string folder) : random_(seed), folder_(std::move(folder)) {}

  void check(test::Case random, logic::FormulaPool& pool, std::uint64_t number) {
    const std::string text = format::find_format("rsm", "").write(random.model);
    Subject subject{std::move(random.model), base::sha256_hex(text), fmt::format("{}.rsm", number)};
    write(subject.file, text);
    for (std::size_t k = 0; k < random.formulas.size(); ++k) {
      where_ = fmt::format("seed {}, {}", number, logic::to_string(pool, random.formulas[k]));
      const logic::FormulaId normal = logic::existential_normal_form(pool, random.formulas[k]);
      for (const engine::EngineInfo& engine : engine::engine_registry()) {
        const std::string certificate = certify(engine, subject, pool, random.formulas[k]);
        if (certificate.empty()) {
          continue;
        }
        ++certified_;
        where_ = fmt::format("seed {}, {}, {}", number, engine.id,
                             logic::to_string(pool, random.formulas[k]));
        stem_ = fmt::format("{}.{}.{}", number, k, engine.id);
        if (!accepts(certificate, subject, pool, normal)) {
          fail("a sound certificate is refused");
        }
        damage(certificate, subject, pool, normal);
        if (other_.model.node_count() > 0) {
          // The same claim about another model.
          std::string moved = certificate;
          moved.replace(moved.find(subject.hash), subject.hash.size(), other_.hash);
          stem_ += ".moved";
          logic::FormulaPool other_pool = pool;
          accepts(moved, other_, other_pool, normal);
        }
      }
    }
    other_ = std::move(subject);
  }

  /// Prints how often each kind of damage was noticed; false if one never was.
  bool report() const {
    bool all = true;
    for (const CertificateDamage& damage : test::certificate_damages()) {
      const auto found = damaged_.find(damage.name);
      const Count count = found == damaged_.end() ? Count{} : found->second;
      fmt::print("  {:<40} {:>6} of {:>6} refused\n", damage.name, count.refused, count.all);
      all = all && count.refused > 0;
    }
    return all;
  }
  void finish() {
    if (!folder_.empty()) {
      write("list", list_);
    }
  }
  std::size_t certified() const { return certified_; }
  std::size_t failures() const { return failures_; }

 private:
  struct Count {
    std::size_t all = 0;
    std::size_t refused = 0;
  };

  void fail(const std::string& why) {
    ++failures_;
    fmt::print("{}: {} ({})\n", where_, why, stem_);
  }

  void write(const std::string& name, std::string_view text) const {
    if (!folder_.empty()) {
      write_file(fmt::format("{}/{}", folder_, name), text);
    }
  }

  static std::string certify(const engine::EngineInfo& engine, const Subject& subject,
                             logic::FormulaPool& pool, logic::FormulaId formula) {
    engine::Env env;
    env.limits.steps = kMostSteps;
    std::string text;
    try {
      const std::optional<explain::Labelling> labelling =
          engine.make()->label(subject.model, pool, formula, env);
      if (labelling) {
        base::LimitGuard guard(env.limits);
        explain::write_certificate(subject.model, pool, *labelling, subject.hash, guard,
                                   [&](std::string_view piece) { text += piece; });
      }
    } catch (const base::LimitReached&) {
      return {};
    }
    return text;
  }

  /// Whether the verifier accepts a certificate; it fails if that is wrong. The formula that the
  /// certificate is about may have been damaged too: then it is that which must have the verdict.
  bool accepts(const std::string& certificate, const Subject& subject, logic::FormulaPool& pool,
               logic::FormulaId normal) {
    base::LineReader lines = base::LineReader::from_text("certificate", certificate);
    const check::Verification found =
        check::verify(subject.model, subject.hash, lines, pool, logic::FormulaId());
    if (!folder_.empty()) {
      write(stem_ + ".cert", certificate);
      list_ += fmt::format("{} {}.cert {}\n", subject.file, stem_,
                           !found.accepted ? fmt::format("refused {}: {}", found.line, found.why)
                                           : (found.holds ? "holds" : "fails"));
    }
    base::LineReader again = base::LineReader::from_text("certificate", certificate);
    const bool of_formula =
        check::verify(subject.model, subject.hash, again, pool, normal).accepted;
    if (!found.accepted) {
      if (of_formula) {
        fail("accepted for a formula, but not without");
      }
      if (found.line == 0 || found.why.empty()) {
        fail("refused without line or reason");
      }
      return false;
    }
    base::LineReader third = base::LineReader::from_text("certificate", certificate);
    check::certificate_version(third);
    const check::Certificate read = check::read_certificate(third, subject.model, pool);
    const logic::FormulaId claimed = logic::existential_normal_form(pool, read.formulas.back().id);
    if (of_formula != (claimed == normal)) {
      fail("accepted for another formula, or refused for its own");
    }
    engine::Env env;
    env.limits.steps = kMostSteps;
    const std::vector<logic::FormulaId> one{claimed};
    const engine::Result right =
        engine::find_engine("reference").make()->check({subject.model, pool, one}, env)[0];
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
      const CertificateDamage& damage =
          test::certificate_damages()[next_damage_++ % test::certificate_damages().size()];
      const std::string damaged = damage.apply(certificate, random_);
      if (damaged == certificate) {
        continue;
      }
      stem_ = fmt::format("{}.{}", stem, k);
      Count& count = damaged_[damage.name];
      ++count.all;
      logic::FormulaPool copy = pool;  // damaged formulas are no concern of others
      count.refused += accepts(damaged, subject, copy, normal) ? 0 : 1;
    }
  }

  base::Random random_;
  std::string folder_;
  Subject other_;
  std::string where_;
  std::string stem_;
  std::string list_;
  std::size_t next_damage_ = 0;
  std::map<std::string_view, Count> damaged_;
  std::size_t certified_ = 0;
  std::size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {4000, 1, ""});
  Run run(seed, folder);
  for (std::size_t k = 0; k * kFormulasPerModel < pairs && run.failures() < kMostFailures; ++k) {
    logic::FormulaPool pool;
    run.check(test::make_case(pool, seed + k, kFormulasPerModel), pool, seed + k);
  }
  run.finish();
  const bool all_noticed = run.report();
  fmt::print("seed {}, {} pairs, {} certificates verified, {} failures\n", seed, pairs,
             run.certified(), run.failures());
  return run.failures() == 0 && run.certified() > pairs && all_noticed ? 0 : 1;
}
