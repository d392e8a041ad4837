// Random models and formulas: every engine that makes a labelling certifies its verdict, and the
// verifier accepts the certificate.
//
//   certificates [--pairs=N] [--seed=S] [--out=FOLDER]
//
// With --out, models and certificates are also written to FOLDER, for another verifier to check.

#include "base/input.h"
#include "base/sha256.h"
#include "check/verify.h"
#include "engine/registry.h"
#include "explain/certificate.h"
#include "format/registry.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulasPerModel = 4;
/// A labelling has each context that stacks have, which can be many; those are left out.
constexpr double kMostSeconds = 1;

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

class Run {
 public:
  Run(std::uint64_t seed, std::string folder) : seed_(seed), folder_(std::move(folder)) {}

  void check(const Rsm& model, FormulaPool& pool, const std::vector<FormulaId>& formulas,
             std::uint64_t number) {
    const std::string text = find_format("rsm", "").write(model);
    const std::string hash = sha256_hex(text);
    const std::string stem = fmt::format("{}/{}", folder_, number);
    if (!folder_.empty()) {
      write_file(stem + ".rsm", text);
    }
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      const FormulaId normal = existential_normal_form(pool, formulas[k]);
      for (const EngineInfo& engine : engine_registry()) {
        const std::string certificate = certify(engine, model, pool, normal, hash);
        if (certificate.empty()) {
          continue;
        }
        ++certified_;
        const std::string why = wrong(certificate, model, pool, normal, hash);
        if (!why.empty()) {
          ++failures_;
          fmt::print("seed {}, {}, {}: {}\n", number, engine.id, to_string(pool, formulas[k]), why);
        }
        if (!folder_.empty()) {
          write_file(fmt::format("{}.{}.{}.cert", stem, k, engine.id), certificate);
        }
      }
    }
  }

  std::size_t certified() const { return certified_; }
  std::size_t failures() const { return failures_; }

 private:
  static std::string certify(const EngineInfo& engine, const Rsm& model, FormulaPool& pool,
                             FormulaId normal, std::string_view hash) {
    Env env;
    env.limits.seconds = kMostSeconds;
    std::string text;
    try {
      const std::optional<Labelling> labelling = engine.make()->label(model, pool, normal, env);
      if (labelling) {
        LimitGuard guard(env.limits);
        write_certificate(model, pool, *labelling, hash, guard,
                          [&](std::string_view piece) { text += piece; });
      }
    } catch (const LimitReached&) {
      return {};
    }
    return text;
  }

  static std::string wrong(const std::string& certificate, const Rsm& model, FormulaPool& pool,
                           FormulaId normal, std::string_view hash) {
    LineReader lines = LineReader::from_text("certificate", certificate);
    const Verification verification = verify(model, hash, lines, pool, normal);
    if (!verification.accepted) {
      return fmt::format("line {}: {}", verification.line, verification.why);
    }
    Env env;
    env.limits.seconds = kMostSeconds;
    const std::vector<FormulaId> one{normal};
    const Result right = find_engine("reference").make()->check({model, pool, one}, env)[0];
    if (right.verdict != Verdict::Unknown &&
        verification.holds != (right.verdict == Verdict::Holds)) {
      return "verified another verdict than that of reference";
    }
    return {};
  }

  std::uint64_t seed_;
  std::string folder_;
  std::size_t certified_ = 0;
  std::size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"random test of certificates"};
  std::size_t pairs = 4000;
  std::uint64_t seed = 1;
  std::string folder;
  app.add_option("--pairs", pairs);
  app.add_option("--seed", seed);
  app.add_option("--out", folder);
  CLI11_PARSE(app, argc, argv);
  Run run(seed, folder);
  for (std::size_t k = 0; k * kFormulasPerModel < pairs && run.failures() < 3; ++k) {
    FormulaPool pool;
    const test::Case random = test::make_case(pool, seed + k, kFormulasPerModel);
    run.check(random.model, pool, random.formulas, seed + k);
  }
  fmt::print("seed {}, {} pairs, {} certificates verified, {} failures\n", seed, pairs,
             run.certified(), run.failures());
  return run.failures() == 0 && run.certified() > pairs ? 0 : 1;
}
