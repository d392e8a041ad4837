#include "driver/evidence_files.h"

#include "base/input.h"
#include "base/statistics.h"

#include <fmt/format.h>

#include <filesystem>

namespace nestor::driver {

void EvidenceFiles::open(std::size_t formulas) {
  formulas_ = formulas;
  if (!options_.certificate.empty()) {
    if (formulas != 1) {
      throw Error(Error::Kind::Usage,
                  fmt::format("--certificate is for one formula, there are {}: use "
                              "--certificate-dir",
                              formulas));
    }
    if (!options_.certificate_dir.empty()) {
      throw Error(Error::Kind::Usage, "--certificate and --certificate-dir exclude each other");
    }
    if (options_.certificate == "-") {
      throw Error(Error::Kind::Usage, "--certificate needs a file, not standard output");
    }
    only_file_.emplace(options_.certificate);
  }
  if (!options_.certificate_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options_.certificate_dir, error);
    if (error) {
      throw Error(Error::Kind::System, fmt::format("cannot make the folder '{}': {}",
                                                   options_.certificate_dir, error.message()));
    }
  }
}

/// Formulas are counted from 1, as people do, with leading zeros so that the files sort.
std::string EvidenceFiles::path_of(std::size_t formula) const {
  return only_file_ ? options_.certificate
                    : fmt::format("{}/{:0{}}.cert", options_.certificate_dir, formula + 1,
                                  fmt::formatted_size("{}", formulas_));
}

void EvidenceFiles::make(Session& session, std::size_t formula, CheckReport& report) {
  if (wants_certificates()) {
    report.certificates.resize(session.question_count());
    const base::Stopwatch watch;
    certify(session, formula, report);
    certify_seconds_ += watch.seconds();
  }
  if (wants_witnesses()) {
    report.witnesses.resize(session.question_count());
    if (report.results[formula].verdict != Verdict::Unknown) {
      const base::Stopwatch watch;
      report.witnesses[formula].reason = show(session, formula, report.witnesses[formula]);
      witness_seconds_ += watch.seconds();
    }
  }
}

void EvidenceFiles::finish(CheckReport& report, Statistics& statistics) const {
  warn_of_missing_witnesses(report);
  if (wants_certificates()) {
    statistics.seconds["certify.seconds"] += certify_seconds_;
  }
  if (wants_witnesses()) {
    statistics.seconds["witness.seconds"] += witness_seconds_;
  }
}

void EvidenceFiles::certify(Session& session, std::size_t formula, CheckReport& report) {
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

std::string EvidenceFiles::show(Session& session, std::size_t formula, WitnessTexts& texts) {
  const Answer<Witness> witness = session.witness(formula);
  if (!witness) {
    return witness.reason;
  }
  if (wants_text()) {
    texts.text = witness->text(options_.whole_states);
  }
  if (wants_json()) {
    texts.json = witness->json();
  }
  if (!options_.witness_dot.empty()) {
    dot_ += witness->dot(session.formula(formula).text());
  }
  page_.add(session, formula, *witness);
  return {};
}

void EvidenceFiles::write_witnesses(const CheckReport& report, const Model& model) {
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
  if (page_.is_wanted()) {
    write(options_.html, page_.html(report, model));
  }
}

}  // namespace nestor::driver
