#include "driver/report_page.h"

#include <filesystem>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostLabelledNodes = 3'000;
constexpr std::size_t kMostValues = 60'000;
constexpr std::size_t kMostLabelled = 100;         // formulas
constexpr std::size_t kMostWitness = 100'000'000;  // bytes; browsers cannot read much more

/// The folders whose files a page may show.
std::vector<std::string> source_folders(const Options& options) {
  if (options.no_sources) {
    return {};
  }
  std::vector<std::string> folders = {"."};
  std::vector<std::string> files = options.programs;
  files.push_back(options.model);
  for (const std::string& file : files) {
    if (!file.empty() && file != "-") {
      folders.push_back(std::filesystem::path(file).parent_path().string());
    }
  }
  if (!options.source_root.empty()) {
    folders.push_back(options.source_root);
  }
  return folders;
}

}  // namespace

std::string label_document(Session& session, std::size_t formula,
                           std::vector<Component>& components) {
  Model model = session.model();
  if (formula >= kMostLabelled || !model.is_explored() ||
      model.sizes().plain_nodes > kMostLabelledNodes) {
    return {};
  }
  const Answer<Labelling> found = session.labelling(formula);
  if (!found || found->rows() * found->size() > kMostValues) {
    return {};
  }
  if (components.empty()) {
    components = model.components();
  }
  std::string out;
  base::JsonWriter json(out);
  json.begin_object().member("formula", session.formula(formula).text());
  write_values(json, view_of(*found, components, {}, found->rows()), false);
  json.end_object();
  return out;
}

std::string check_document(const CheckReport& report) {
  CheckReport verdicts = report;
  verdicts.witnesses.clear();
  return verdict_json(verdicts);
}

ReportPage::ReportPage(const Options& options)
    : ReportPage(!options.html.empty(), source_folders(options)) {}

ReportPage::ReportPage(bool is_wanted, const std::vector<std::string>& folders)
    : is_wanted_(is_wanted), sources_(folders) {}

void ReportPage::add(Session& session, std::size_t formula, const Witness& witness) {
  if (!is_wanted_) {
    return;
  }
  const std::string json = witness.json();
  if (json.size() > kMostWitness) {
    return;
  }
  page_.add_to("witness", formula, json);
  looked_at_.add(witness);
  sources_.add(witness);
  if (const std::string label = label_document(session, formula, components_); !label.empty()) {
    page_.add_to("label", formula, label);
  }
}

std::string ReportPage::html(const CheckReport& report, const Model& model, bool live) {
  page_.add("check", check_document(report));
  if (const std::string document = view::model_document(model, looked_at_); !document.empty()) {
    page_.add("model", document);
  }
  if (!sources_.empty()) {
    page_.add("sources", sources_.document());
  }
  return page_.html(live);
}

std::string lint_page(const LintReport& report, const Options& options) {
  view::Page page;
  page.add("lint", report.json());
  view::Sources sources(source_folders(options));
  for (const LintReport::Warning& warning : report.warnings()) {
    sources.add(warning.file, warning.line);
    for (const LintReport::Step& step : warning.path) {
      sources.add(step.file, step.line);
    }
  }
  if (!sources.empty()) {
    page.add("sources", sources.document());
  }
  return page.html();
}

}  // namespace nestor::driver
