#include "api/formula_access.h"
#include "api/model_impl.h"
#include "api/session_impl.h"
#include "engine/registry.h"
#include "explain/approximations.h"
#include "logic/normal_form.h"
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
      impl_->session.ask(FormulaAccess::into(impl_->session.pool(), formula, impl_->known));
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
  const explain::Labelling& labelling = *impl_->labelling;
  for (const explain::Labelling::Instance& instance : labelling.instances) {
    const auto first = labelling.callees.begin() + instance.first_box;
    const std::size_t boxes = machine.component(instance.component).boxes().size();
    out.push_back({std::string(machine.component_name(instance.component)),
                   instance.first_node,
                   machine.component(instance.component).plain_nodes().size(),
                   {first, first + static_cast<std::ptrdiff_t>(boxes)}});
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

std::optional<std::vector<std::string>> Labelling::context(std::size_t number,
                                                           std::size_t instance) const {
  const explain::Labelling& labelling = *impl_->labelling;
  if (!logic::is_existential(impl_->session->session.pool()[labelling.subformulas.at(number)].op)) {
    return std::nullopt;
  }
  const model::Rsm& machine = impl_->session->session.machine(impl_->question);
  const std::span<const model::NodeId> exits =
      machine.exits(labelling.instances.at(instance).component);
  std::vector<std::string> out;
  for (std::size_t x = 0; x < exits.size(); ++x) {
    if (labelling.contexts[number].test(
            labelling.exit_row(static_cast<std::uint32_t>(instance), x))) {
      out.emplace_back(machine.node_name(exits[x]));
    }
  }
  return out;
}

std::optional<Labelling::Approximations> Labelling::approximations(std::size_t number) const {
  const session::Session& session = impl_->session->session;
  impl_->labelling->subformulas.at(number);
  std::optional<explain::Approximations> found = explain::approximate(
      session.machine(impl_->question), session.pool(), *impl_->labelling, number);
  if (!found) {
    return std::nullopt;
  }
  return Approximations{found->grows, found->steps, std::move(found->changed)};
}

Answer<CheckOrder> Session::check_order(std::size_t question) {
  formula(question);
  const session::Answer<explain::CheckOrder> found = impl_->session.check_order(question);
  if (!found) {
    return {std::nullopt, found.reason};
  }
  const model::Rsm& machine = impl_->session.machine(question);
  CheckOrder out;
  for (const explain::CheckOrder::Part& part : found->parts) {
    CheckOrder::Part& own = out.parts.emplace_back(CheckOrder::Part{
        logic::to_string(impl_->session.pool(), part.formula), part.pairs, part.rounds, {}});
    for (const explain::CheckOrder::Check& check : part.checks) {
      own.checks.push_back(
          {std::string(machine.component_name(check.component)), check.context, check.round});
    }
  }
  return {std::move(out), {}};
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
