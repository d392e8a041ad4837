// nestor serve: the page of a report, live. What is asked there is answered here, each question
// within limits of its own; nothing is read but what the command line names.

#include "base/input.h"
#include "base/json_document.h"
#include "driver/commands.h"
#include "driver/deadline.h"
#include "driver/report_page.h"
#include "driver/settings.h"
#include "view/server.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>

namespace nestor::driver {

namespace {

constexpr double kSeconds = 10;             // for a question
constexpr std::uint64_t kMegabytes = 2000;  // for all
constexpr std::uint64_t kStates = 1'000'000;
constexpr std::size_t kMostFormulas = 200;  // of one question
constexpr std::size_t kMostText = 100'000;  // bytes of a model that is shown as text

std::string field(const view::Request& request, const std::string& name) {
  const auto found = request.fields.find(name);
  return found == request.fields.end() ? std::string() : found->second;
}

view::Response refusal(int status, const std::string& message, const SourceLocation& where = {}) {
  view::Response response;
  response.status = status;
  base::JsonWriter json(response.body);
  json.begin_object().begin_object("error").member("message", message);
  json.member("file", where.file).member("line", where.line).member("column", where.column);
  json.end_object().end_object();
  return response;
}

/// What a session has to say about formulas, decided and explained.
class Answered {
 public:
  Answered(Session& session, const std::vector<Formula>& formulas) : session_(session) {
    for (const Formula& formula : formulas) {
      session.ask(formula);
    }
    report_.model = session.model().name();
    report_.engine = session.engine();
    report_.warnings = session.warnings();
    for (std::size_t q = 0; q < formulas.size(); ++q) {
      report_.formulas.push_back({formulas[q].name(), formulas[q].text()});
      report_.results.push_back(session.verdict(q));
      witnesses_.push_back(session.witness(q));
      if (!witnesses_[q] && report_.results[q].verdict != Verdict::Unknown) {
        report_.warnings.push_back(
            fmt::format("no witness for formula {}: {}", q + 1, witnesses_[q].reason));
      }
    }
    report_.statistics = &statistics_;
  }

  const CheckReport& report() const { return report_; }
  const std::vector<Answer<Witness>>& witnesses() const { return witnesses_; }

  /// All of it as one object; with the model, if the page does not have it, and with sources.
  std::string json(bool with_model, const std::vector<std::string>& source_folders) {
    view::LookedAt looked_at;
    view::Sources sources(source_folders);
    std::vector<Component> components;
    std::string labels;
    base::JsonWriter label_json(labels);
    label_json.begin_object();
    report_.witnesses.resize(report_.results.size());
    for (std::size_t q = 0; q < witnesses_.size(); ++q) {
      if (witnesses_[q]) {
        report_.witnesses[q].json = witnesses_[q]->json();
        looked_at.add(*witnesses_[q]);
        sources.add(*witnesses_[q]);
      }
      if (const std::string label = label_document(session_, q, components); !label.empty()) {
        label_json.key(fmt::format("{}", q)).json(label);
      }
    }
    label_json.end_object();
    std::string out;
    base::JsonWriter json(out);
    json.begin_object().key("check").json(verdict_json(report_)).key("labels").json(labels);
    if (const std::string model =
            with_model ? view::model_document(session_.model(), looked_at) : std::string();
        !model.empty()) {
      json.key("model").json(model);
    }
    json.key("sources").json(sources.document()).end_object();
    return out;
  }

 private:
  Session& session_;
  CheckReport report_;
  Statistics statistics_;
  std::vector<Answer<Witness>> witnesses_;
};

class Questions {
 public:
  explicit Questions(const Options& options) : settings_(settings_of(options)) {
    Limits& limits = settings_.limits;
    limits.seconds = limits.seconds.value_or(kSeconds);
    limits.megabytes = limits.megabytes.value_or(kMegabytes);
    limits.states = limits.states.value_or(kStates);
    settings_.jobs = 1;
    settings_.wants_evidence = true;
    if (!options.source_root.empty()) {
      source_folders_.push_back(options.source_root);
    }
    open(options);
  }

  std::atomic<bool>& stopping() { return stopping_; }

  view::Response answer(const view::Request& request) {
    if (request.path == "/") {
      return {200, "text/html; charset=utf-8", page_};
    }
    if (request.path != "/ask") {
      return refusal(404, "there is no such page");
    }
    try {
      return ask(request);
    } catch (const Error& error) {
      return refusal(400, error.message(), error.location());
    } catch (const std::bad_alloc&) {
      return refusal(500, "out of memory");
    }
  }

 private:
  /// The page to begin with: the model of the command line and what its formulas say.
  void open(const Options& options) {
    ReportPage page(true, source_folders_);
    std::vector<Formula> formulas = formulas_of(options);
    if (options.model.empty()) {
      page.page().add("texts", texts({}));
      page_ = page.page().html(true);
      return;
    }
    ModelSource source = source_of(options);
    source.properties = true;
    model_ = Model::read(source, settings_);
    if (formulas.empty()) {
      formulas = model_->properties();
    }
    Session session(*model_, settings_);
    Answered answered(session, formulas);
    if (!model_->is_explored()) {
      try {
        model_->explore(settings_);
      } catch (const Error&) {
        // Too many states: the page does without a graph of them.
      }
    }
    has_model_ = model_->is_explored();
    for (std::size_t q = 0; q < formulas.size(); ++q) {
      if (answered.witnesses()[q]) {
        page.add(session, q, *answered.witnesses()[q]);
      }
    }
    page.page().add("texts", texts(options.model));
    page_ = page.html(answered.report(), *model_, true);
  }

  /// The texts to begin with: the model's, if it is one that people read, and the examples.
  static std::string texts(const std::string& path) {
    std::string out;
    base::JsonWriter json(out);
    json.begin_object();
    std::error_code error;
    if (!path.empty() && path != "-" && std::filesystem::file_size(path, error) <= kMostText &&
        !error) {
      const base::Input input = base::Input::read(path);
      if (input.text().find('\0') == std::string_view::npos) {
        json.begin_object("own").member("name", path).member("text", input.text()).end_object();
      }
    }
    json.begin_array("examples");
    for (const view::Example& example : view::examples()) {
      json.begin_object().member("name", example.name).member("text", example.text);
      json.member("formulas", example.formulas).end_object();
    }
    json.end_array().begin_array("formats");
    for (const Format& format : formats()) {
      if (format.id != "llvm") {
        json.begin_object().member("id", format.id).member("extension", format.extension);
        json.member("description", format.description).end_object();
      }
    }
    json.end_array().end_object();
    return out;
  }

  view::Response ask(const view::Request& request) {
    std::vector<Formula> formulas = Formula::parse_lines(field(request, "formula"), "<formula>");
    if (formulas.size() > kMostFormulas) {
      return refusal(400, fmt::format("more than {} formulas", kMostFormulas));
    }
    if (request.fields.contains("model")) {
      return about_text(request, std::move(formulas));
    }
    if (!model_) {
      return refusal(400, "there is no model to ask about");
    }
    if (formulas.empty()) {
      return refusal(400, "no formula to check");
    }
    // States that are explored are for one thread at a time; procedures never change.
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (model_->is_given_by_states()) {
      lock.lock();
    }
    return answer_from(*model_, formulas, !has_model_, source_folders_);
  }

  view::Response answer_from(const Model& model, const std::vector<Formula>& formulas,
                             bool with_model, const std::vector<std::string>& folders) const {
    const Deadline deadline(*settings_.limits.seconds, stopping_);
    Settings settings = settings_;
    settings.limits.cancelled = &deadline.passed();
    Session session(model, settings);
    return {200, "application/json", Answered(session, formulas).json(with_model, folders)};
  }

  view::Response about_text(const view::Request& request, std::vector<Formula> formulas) const {
    const std::string format = find_format(field(request, "format"), "").id;
    if (format == "llvm") {
      return refusal(400, "programs are read from files only");
    }
    const Model model = Model::parse(field(request, "model"), format, "<model>", settings_);
    if (formulas.empty()) {
      formulas = model.properties();
    }
    if (formulas.empty()) {
      return refusal(400, "no formula to check");
    }
    return answer_from(model, formulas, true, {});
  }

  std::atomic<bool> stopping_ = false;
  Settings settings_;
  std::vector<std::string> source_folders_;
  std::optional<Model> model_;
  bool has_model_ = false;  // the page has
  std::mutex mutex_;
  std::string page_;
};

}  // namespace

int run_serve(const Options& options, const Streams& streams) {
  if (options.port > std::numeric_limits<std::uint16_t>::max()) {
    throw Error(Error::Kind::Usage, fmt::format("there is no port {}", options.port));
  }
  Questions questions(options);
  const std::unique_ptr<view::Server> server = view::listen(
      options.listen, static_cast<std::uint16_t>(options.port),
      [&questions](const view::Request& request) { return questions.answer(request); });
  streams.out << server->address() << std::endl;
  view::run_until_signal(*server, questions.stopping());
  return kAllHold;
}

}  // namespace nestor::driver
