#include "driver/evidence_files.h"

#include "base/error.h"
#include "base/input.h"
#include "base/statistics.h"
#include "logic/printer.h"
#include "witness/witness_dot.h"
#include "witness/witness_text.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <filesystem>

namespace nestor::driver {

namespace {

/// Formulas of the model's file may be written in the file's own language, and where only infinite
/// paths count another formula is decided.
std::string formula_text(session::Session& session, std::size_t formula) {
  const std::size_t own = session.question_count() - session.subject().properties().size();
  const logic::NamedFormula& named = session.formula(formula);
  const logic::FormulaId asked = session.asked(formula);
  return formula < own && asked == named.formula ? named.text
                                                 : logic::to_string(session.pool(), asked);
}

}  // namespace

void EvidenceFiles::open(std::size_t formulas) {
  formulas_ = formulas;
  if (!options_.certificate.empty()) {
    if (formulas != 1) {
      throw base::Error(base::Error::Kind::Usage,
                        fmt::format("--certificate is for one formula, there are {}: use "
                                    "--certificate-dir",
                                    formulas));
    }
    if (!options_.certificate_dir.empty()) {
      throw base::Error(base::Error::Kind::Usage,
                        "--certificate and --certificate-dir exclude each other");
    }
    if (options_.certificate == "-") {
      throw base::Error(base::Error::Kind::Usage,
                        "--certificate needs a file, not standard output");
    }
    only_file_.emplace(options_.certificate);
  }
  if (!options_.certificate_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options_.certificate_dir, error);
    if (error) {
      throw base::Error(base::Error::Kind::System,
                        fmt::format("cannot make the folder '{}': {}", options_.certificate_dir,
                                    error.message()));
    }
  }
}

/// Formulas are counted from 1, as people do, with leading zeros so that the files sort.
std::string EvidenceFiles::path_of(std::size_t formula) const {
  return only_file_ ? options_.certificate
                    : fmt::format("{}/{:0{}}.cert", options_.certificate_dir, formula + 1,
                                  fmt::formatted_size("{}", formulas_));
}

void EvidenceFiles::make(session::Session& session, CheckReport& report) {
  if (wants_certificates()) {
    report.certificates.resize(session.question_count());
  }
  if (wants_witnesses()) {
    report.witnesses.resize(session.question_count());
  }
  std::vector<std::string> without_witness;
  // Formula by formula, since both are read off the same values.
  for (std::size_t i = 0; i < session.question_count(); ++i) {
    if (wants_certificates()) {
      const base::Stopwatch watch;
      certify(session, i, report);
      session.statistics().add_seconds("certify.seconds", watch.seconds());
    }
    if (wants_witnesses() && report.results[i].verdict != engine::Verdict::Unknown) {
      const base::Stopwatch watch;
      const std::string reason = show(session, i, report.witnesses[i]);
      session.statistics().add_seconds("witness.seconds", watch.seconds());
      if (!reason.empty()) {
        without_witness.push_back(fmt::format("no witness for formula {}: {}", i + 1, reason));
      }
    }
  }
  report.warnings.insert(report.warnings.end(), without_witness.begin(), without_witness.end());
}

void EvidenceFiles::certify(session::Session& session, std::size_t formula, CheckReport& report) {
  const std::string path = path_of(formula);
  std::string reason = session.not_certifiable(formula);
  if (reason.empty()) {
    std::optional<base::TextWriter> own;
    base::TextWriter& file = only_file_ ? *only_file_ : own.emplace(path);
    reason = session.certificate(formula, [&file](std::string_view text) { file.write(text); });
    if (reason.empty()) {
      file.commit();
      report.certificates[formula] = path;
      return;
    }
  }
  report.warnings.push_back(fmt::format("no certificate '{}': {}", path, reason));
}

std::string EvidenceFiles::show(session::Session& session, std::size_t formula,
                                WitnessTexts& texts) {
  const session::Answer<witness::Witness> witness = session.witness(formula);
  if (!witness) {
    return witness.reason;
  }
  const model::Rsm& machine = session.machine(formula);
  if (wants_text()) {
    texts.text = witness::witness_text(machine, session.pool(), *witness);
  }
  if (wants_json()) {
    texts.json =
        witness::witness_json(machine, session.pool(), *witness, formula_text(session, formula));
  }
  if (!options_.witness_dot.empty()) {
    dot_ += witness::witness_dot(machine, *witness, session.formula(formula).text);
  }
  return {};
}

void EvidenceFiles::write_witnesses(const CheckReport& report) const {
  const auto write = [](const std::string& path, std::string_view text) {
    base::OutputFile file(path);
    file.write(text);
    file.commit();
  };
  if (!options_.witness.empty() && options_.witness != "-") {
    write(options_.witness, verdict_json(report));
  }
  if (!options_.witness_dot.empty()) {
    write(options_.witness_dot, dot_);
  }
}

}  // namespace nestor::driver
