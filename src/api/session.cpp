#include "api/formula_access.h"
#include "api/model_impl.h"
#include "api/session_impl.h"
#include "engine/registry.h"
#include "logic/printer.h"

namespace nestor {

Session::Impl::Impl(Model about, Settings settings)
    : model(std::move(about)), session(std::move(settings)) {
  const std::shared_ptr<session::Subject>& subject = ModelAccess::subject(model);
  const std::optional<DeadEnds> wanted = session.settings().dead_ends;
  if (wanted && *wanted != subject->dead_ends()) {
    throw Error(Error::Kind::Usage,
                "what dead ends mean is said when the model is read or built, and was not so");
  }
  session.about(subject);
}

Session::Session(Model model, Settings settings)
    : impl_(std::make_shared<Impl>(std::move(model), std::move(settings))) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

const Model& Session::model() const {
  return impl_->model;
}

const Settings& Session::settings() const {
  return impl_->session.settings();
}

std::size_t Session::ask(const Formula& formula) {
  const std::size_t question =
      impl_->session.ask(FormulaAccess::into(impl_->session.pool(), formula));
  impl_->formulas.push_back(formula);
  return question;
}

std::size_t Session::question_count() const {
  return impl_->session.question_count();
}

const Formula& Session::formula(std::size_t question) const {
  return impl_->formulas.at(question);
}

const Result& Session::verdict(std::size_t question) {
  formula(question);  // refuses a number that was not given out
  return impl_->session.verdict(question);
}

bool Session::is_decided(std::size_t question) const {
  formula(question);
  return impl_->session.is_decided(question);
}

Answer<Witness> Session::witness(std::size_t question) {
  formula(question);
  session::Answer<witness::Witness> found = impl_->session.witness(question);
  if (!found) {
    return {std::nullopt, std::move(found.reason)};
  }
  return {WitnessAccess::make({impl_, std::move(found.value), question}), {}};
}

Answer<Labelling> Session::labelling(std::size_t question) {
  formula(question);
  session::Answer<explain::Labelling> found = impl_->session.labelling(question);
  if (!found) {
    return {std::nullopt, std::move(found.reason)};
  }
  return {Labelling(std::make_shared<const Labelling::Impl>(
              Labelling::Impl{impl_, std::move(found.value), question})),
          {}};
}

std::string Session::not_certifiable(std::size_t question) {
  formula(question);
  return impl_->session.not_certifiable(question);
}

std::string Session::certificate(std::size_t question,
                                 const std::function<void(std::string_view)>& write) {
  formula(question);
  return impl_->session.certificate(question, write);
}

Answer<std::string> Session::certificate(std::size_t question) {
  std::string text;
  std::string reason = certificate(question, [&text](std::string_view more) { text += more; });
  if (!reason.empty()) {
    return {std::nullopt, std::move(reason)};
  }
  return {std::move(text), {}};
}

std::string Session::engine() {
  return std::string(impl_->session.engine().id);
}

std::vector<std::string> Session::warnings() {
  return impl_->session.warnings();
}

std::vector<std::string> Session::later_warnings() {
  return impl_->session.later_warnings();
}

Statistics Session::statistics() const {
  const base::Statistics& own = impl_->session.statistics();
  return {own.counters(), own.seconds()};
}

std::size_t Labelling::rows() const {
  return impl_->labelling->node_rows;
}

std::vector<Labelling::Instance> Labelling::instances() const {
  const model::Rsm& machine = impl_->session->session.machine(impl_->question);
  std::vector<Instance> out;
  for (const explain::Labelling::Instance& instance : impl_->labelling->instances) {
    out.push_back({std::string(machine.component_name(instance.component)), instance.first_node,
                   machine.component(instance.component).plain_nodes().size()});
  }
  return out;
}

std::size_t Labelling::size() const {
  return impl_->labelling->subformulas.size();
}

std::string Labelling::subformula(std::size_t number) const {
  return logic::to_string(impl_->session->session.pool(), impl_->labelling->subformulas.at(number));
}

std::span<const std::uint64_t> Labelling::words(std::size_t number) const {
  return impl_->labelling->values.at(number).words();
}

Result decide(const Model& model, const Formula& formula, const Settings& settings) {
  Session session(model, settings);
  return session.verdict(session.ask(formula));
}

std::vector<Result> decide(const Model& model, std::span<const Formula> formulas,
                           const Settings& settings) {
  Session session(model, settings);
  for (const Formula& formula : formulas) {
    session.ask(formula);
  }
  std::vector<Result> results;
  for (std::size_t q = 0; q < formulas.size(); ++q) {
    results.push_back(session.verdict(q));
  }
  return results;
}

namespace {

Engine engine_of(const engine::EngineInfo& row) {
  return {std::string(row.id), std::string(row.description), std::string(row.source),
          row.id == engine::default_engine().id};
}

}  // namespace

std::vector<Engine> engines() {
  std::vector<Engine> out;
  for (const engine::EngineInfo& row : engine::engine_registry()) {
    out.push_back(engine_of(row));
  }
  return out;
}

Engine find_engine(std::string_view id) {
  return engine_of(engine::find_engine(id));
}

}  // namespace nestor
