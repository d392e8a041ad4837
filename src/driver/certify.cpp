#include "driver/certify.h"

#include "base/error.h"
#include "driver/atoms.h"
#include "engine/registry.h"
#include "explain/certificate.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>

namespace nestor {

Certifier::Certifier(const Options& options, const Streams& streams, std::size_t formulas)
    : options_(options), streams_(streams), formulas_(formulas) {
  if (!options.certificate.empty()) {
    if (formulas != 1) {
      throw Error(Error::Kind::Usage,
                  fmt::format("--certificate is for one formula, there are {}: use "
                              "--certificate-dir",
                              formulas));
    }
    if (!options.certificate_dir.empty()) {
      throw Error(Error::Kind::Usage, "--certificate and --certificate-dir exclude each other");
    }
    if (options.certificate == "-") {
      throw Error(Error::Kind::Usage, "--certificate needs a file, not standard output");
    }
    only_file_.emplace(options.certificate);
  }
  if (!options.certificate_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.certificate_dir, error);
    if (error) {
      throw Error(Error::Kind::System, fmt::format("cannot make the folder '{}': {}",
                                                   options.certificate_dir, error.message()));
    }
  }
}

/// Formulas are counted from 1, as people do, with leading zeros so that the files sort.
std::string Certifier::path_of(std::size_t formula) const {
  return only_file_ ? options_.certificate
                    : fmt::format("{}/{:0{}}.cert", options_.certificate_dir, formula + 1,
                                  fmt::formatted_size("{}", formulas_));
}

void Certifier::write(Engine& engine, const LoadedModel& loaded, FormulaPool& pool, Env& env,
                      CheckReport& report) {
  report.certificates.resize(report.results.size());
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const Verdict verdict = report.results[i].verdict;
    const std::string path = path_of(i);
    std::string reason =
        verdict == Verdict::Unknown ? "the verdict is unknown" : loaded.not_provable(i);
    if (reason.empty()) {
      const FormulaId formula = report.formulas[i].formula;
      try {
        std::optional<TextWriter> own;
        TextWriter& file = only_file_ ? *only_file_ : own.emplace(path);
        if (loaded.states == nullptr) {
          write_one(engine, loaded, pool, formula, verdict, env, file);
        } else {
          const LoadedModel explored =
              explored_with(loaded, atoms_of(pool, formula), options_, streams_);
          write_one(engine, explored, pool, formula, verdict, env, file);
        }
        file.commit();
        report.certificates[i] = path;
        continue;
      } catch (const LimitReached& limit) {
        reason = limit.reason;
      } catch (const std::bad_alloc&) {
        reason = "out of memory";
      }
      release_free_memory();
    }
    report.warnings.push_back(fmt::format("no certificate '{}': {}", path, reason));
  }
}

void Certifier::write_one(Engine& engine, const LoadedModel& loaded, FormulaPool& pool,
                          FormulaId formula, Verdict verdict, Env& env, TextWriter& file) {
  const Stopwatch label_watch;
  std::optional<Labelling> labelling = engine.label(loaded.model, pool, formula, env);
  if (!labelling) {
    // The engine knows no more than its verdict: the default engine finds the values.
    labelling = default_engine().make()->label(loaded.model, pool, formula, env);
  }
  NESTOR_CHECK(labelling.has_value());
  // Two ways to the same answer, for engines that label another way than they check.
  NESTOR_CHECK(holds(loaded.model, *labelling) == (verdict == Verdict::Holds));
  env.statistics->add_seconds("certify.label.seconds", label_watch.seconds());
  LimitGuard guard(env.limits);
  write_certificate(loaded.model, pool, *labelling, loaded.sha256, guard,
                    [&file](std::string_view text) { file.write(text); });
}

}  // namespace nestor
