#include "lint/rule_checker.h"

#include "lint/branch_text.h"
#include "lint/handle_roots.h"
#include "lint/names.h"
#include "lint/path.h"
#include "program/call_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace nestor::lint {

namespace {

/// Replaces every `{name}` of a message.
std::string filled(std::string text, std::string_view name, std::string_view value) {
  const std::string place = fmt::format("{{{}}}", name);
  for (std::size_t at = text.find(place); at != std::string::npos;
       at = text.find(place, at + value.size())) {
    text.replace(at, place.size(), value);
  }
  return text;
}

/// The places of the first and the last event.
std::string fault_of(const std::vector<PathStep>& path) {
  const auto is_event = [](const PathStep& step) { return step.kind == PathStep::Kind::Event; };
  const auto first = std::find_if(path.begin(), path.end(), is_event);
  const auto last = std::find_if(path.rbegin(), path.rend(), is_event);
  return first == path.end() ? std::string()
                             : fmt::format("{}:{}:{} {}:{}:{}", first->file, first->line,
                                           first->column, last->file, last->line, last->column);
}

/// The same for what is lost: it begins where the function gets it that loses it, wherever the path
/// comes from.
std::string loss_of(const std::vector<PathStep>& path) {
  auto first = std::find_if(path.begin(), path.end(), [](const PathStep& step) {
    return step.kind == PathStep::Kind::Event;
  });
  if (first == path.end()) {
    return {};
  }
  const PathStep& last = path.back();
  while (first != path.begin() && first->depth > last.depth) {
    --first;
  }
  return fmt::format("{}:{}:{} {}:{}:{}", first->file, first->line, first->column, last.file,
                     last.line, last.column);
}

std::vector<program::ComponentKey> keys_of(const std::vector<program::FunctionId>& functions) {
  std::vector<program::ComponentKey> keys;
  for (const program::FunctionId function : functions) {
    keys.push_back({function, {}});
  }
  return keys;
}

}  // namespace

RuleChecker::Inquiry::Inquiry(RuleChecker& of, program::SlicedModel sliced)
    : checker(of), model(std::move(sliced)), session(of.task_.settings) {
  session.about(session::Subject::borrowed(model.model));
}

RuleChecker::Inquiry::~Inquiry() {
  checker.statistics_.add_all(session.statistics());
}

std::size_t RuleChecker::Inquiry::ask(const RuleFormula& formula,
                                      const RuleFormula::Rename& rename) {
  return session.ask(logic::NamedFormula{formula.renamed(session.pool(), rename), {}, {}, {}});
}

RuleChecker::RuleChecker(const LintTask& task, program::ProgramIndex& index,
                         solver::BitVectorSolver& solver, std::size_t number,
                         base::Statistics& statistics, Findings& findings)
    : task_(task),
      index_(index),
      solver_(solver),
      rule_(*task.rules[number]),
      number_(number),
      statistics_(statistics),
      findings_(findings),
      matcher_(task.program, task.externals, rule_),
      formula_(rule_.formula, rule_.formula_at),
      universal_part_(formula_.universal_part()),
      named_{formula_.names("entry"), formula_.names("exit"), formula_.names("halt")} {
  if (!rule_.unless.empty()) {
    excuse_.emplace(rule_.unless, rule_.formula_at);
  }
}

std::vector<program::ComponentKey> RuleChecker::program_roots() const {
  std::set<program::FunctionId> functions(task_.program.roots.begin(), task_.program.roots.end());
  functions.insert(task_.program.started.begin(), task_.program.started.end());
  std::vector<program::ComponentKey> roots;
  for (const program::FunctionId function : functions) {
    roots.push_back({function, {}});
  }
  return roots;
}

void RuleChecker::run() {
  if (matcher_.site() != nullptr && matcher_.site()->impossible) {
    return;  // no site in the whole program
  }
  switch (rule_.scope) {
    case Rule::Scope::Program:
    case Rule::Scope::Signal:
    case Rule::Scope::AtExit:
    case Rule::Scope::Shared:
    case Rule::Scope::Pair:
      run_whole();
      break;
    case Rule::Scope::Function:
      run_functions();
      break;
    case Rule::Scope::Variable:
      run_variables();
      break;
    case Rule::Scope::Handle:
      run_handles();
      break;
    case Rule::Scope::Object:
      run_objects();
      break;
  }
}

/// Rules that are about the program as a whole are looked at by one run.
void RuleChecker::run_whole() {
  std::vector<program::FunctionId> all;
  if (task_.share != nullptr) {
    all.assign(task_.program.functions.ids().begin(), task_.program.functions.ids().end());
  }
  FunctionShare share = share_of({{std::move(all)}});
  if (!share.takes(0)) {
    return;
  }
  const FunctionShare::Clock clock = share.clock(0);
  switch (rule_.scope) {
    case Rule::Scope::Program:
      run_from(program_roots());
      break;
    case Rule::Scope::Signal:
      run_from(keys_of(task_.program.signal_handlers));
      break;
    case Rule::Scope::AtExit:
      run_from(keys_of(task_.program.exit_handlers));
      break;
    case Rule::Scope::Shared:
      run_shared();
      break;
    default:
      run_pairs();
  }
}

/// Each by itself.
FunctionShare RuleChecker::share_of_functions() {
  std::vector<FunctionShare::Group> groups;
  for (const program::FunctionId f : task_.program.functions.ids()) {
    groups.push_back({{f}});
  }
  return share_of(groups);
}

engine::Verdict RuleChecker::verdict(Inquiry& inquiry, std::size_t question) {
  const engine::Result& result = inquiry.session.verdict(question);
  if (result.verdict == engine::Verdict::Unknown) {
    note_unknown(result.reason);
  }
  return result.verdict;
}

void RuleChecker::note_unknown(const std::string& reason) {
  std::string text = fmt::format("{}: {}", rule_.id, reason);
  if (findings_.unknown.empty() || findings_.unknown.back().text != text ||
      findings_.unknown.back().unit != unit_) {
    findings_.unknown.push_back({number_, unit_, std::move(text)});
  }
}

void RuleChecker::run_from(const std::vector<program::ComponentKey>& roots) {
  if (roots.empty()) {
    return;
  }
  const ProgramLabels labels(rule_view(), roots);
  program::SlicedModel model = program::slice(task_.program, roots, labels);
  if (labels.sites().empty()) {
    return;
  }
  Inquiry inquiry(*this, std::move(model));
  if (fails(inquiry)) {
    report_all(inquiry, labels.sites());
  }
}

/// Whether a function comes to any end is known already; what else a rule may ask needs a model.
void RuleChecker::run_functions() {
  const bool asks_for_an_end = formula_.is("AG (entry -> EF (exit | halt))");
  FunctionShare share = share_of_functions();
  for (const program::FunctionId f : task_.program.functions.ids()) {
    if (!share.takes(f.value())) {
      continue;
    }
    begin_unit(f.value());
    const FunctionShare::Clock clock = share.clock(f.value());
    const bool has_end = task_.program.functions[f].outcomes != program::Outcomes{};
    if ((asks_for_an_end && has_end) || !program::calls_itself(task_.program, f)) {
      continue;
    }
    const std::vector<program::ComponentKey> roots = {{f, {}}};
    const ProgramLabels labels(rule_view(), roots);
    Inquiry inquiry(*this, program::slice(task_.program, roots, labels));
    if (fails(inquiry)) {
      warn({roots.front(), program::Function::kEntry, {}});
    }
  }
}

void RuleChecker::run_variables() {
  FunctionShare share = share_of_functions();
  for (const program::FunctionId f : task_.program.functions.ids()) {
    if (!share.takes(f.value())) {
      continue;
    }
    begin_unit(f.value());
    const FunctionShare::Clock clock = share.clock(f.value());
    const VariableLabels labels(rule_view(), f);
    if (labels.variables().empty()) {
      continue;
    }
    Inquiry inquiry(*this, program::slice(task_.program, {{f, {}}}, labels));
    const auto renamed = [](std::string_view atom, std::size_t variable) {
      return atom == "entry" || atom == "exit" || atom == "halt"
                 ? std::string(atom)
                 : fmt::format("{}_{}", atom, variable);
    };
    for (std::size_t i = 0; i < labels.variables().size(); ++i) {
      inquiry.ask([&](std::string_view atom) { return renamed(atom, i); });
    }
    for (std::size_t i = 0; i < labels.variables().size(); ++i) {
      if (verdict(inquiry, i) != engine::Verdict::Fails) {
        continue;
      }
      std::vector<std::size_t> which;
      for (std::size_t k = 0; k < labels.sites().size(); ++k) {
        if (labels.sites()[k].variable == labels.variables()[i]) {
          which.push_back(k);
        }
      }
      report_sites(
          inquiry, labels.sites(), which,
          [&](std::string_view atom, std::size_t k) {
            return atom == "site" ? fmt::format("site_{}_{}", i, k) : renamed(atom, i);
          },
          [&] {
            const VariableLabels all(whole_view(), f);
            return program::slice(task_.program, {{f, {}}}, all);
          });
    }
  }
}

void RuleChecker::run_handles() {
  const HandleRoots found = find_handle_roots(
      task_.program, matcher_, rule_,
      [this](const program::ComponentKey& key, const std::set<program::ComponentKey>& skipped) {
        return surely_comes_to_site(key, skipped);
      });
  std::vector<FunctionShare::Group> groups;
  for (const program::ComponentKey& root : found.roots) {
    groups.push_back({{root.function}, root.handle});
  }
  FunctionShare share = share_of(groups);
  std::size_t number = 0;
  for (const program::ComponentKey& root : found.roots) {
    const std::size_t unit = number++;
    if (!share.takes(unit)) {
      continue;
    }
    begin_unit(unit);
    const FunctionShare::Clock clock = share.clock(unit);
    const auto reaching = found.reaching.find(root.handle);
    check_handle({root.function, root.handle, true},
                 reaching == found.reaching.end() ? nullptr : &reaching->second, found.skipped);
  }
}

Site RuleChecker::seen_from(const program::ComponentKey& root, const HandleLabels& labels,
                            const Site& site) const {
  const program::Function& function = task_.program.functions[root.function];
  const auto reaches = [&](const program::ComponentKey& from) {
    std::set<program::ComponentKey> seen = {from};
    std::vector<program::ComponentKey> work = {from};
    while (!work.empty()) {
      const program::ComponentKey key = work.back();
      work.pop_back();
      if (key == site.component) {
        return true;
      }
      for (const program::Point& point : task_.program.functions[key.function].points) {
        for (const program::FunctionId target : point.targets) {
          program::ComponentKey callee;
          if (labels.enters(key, point, target, callee) && seen.insert(callee).second) {
            work.push_back(callee);
          }
        }
      }
    }
    return false;
  };
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    for (const program::FunctionId target : function.points[p].targets) {
      program::ComponentKey callee;
      if (labels.enters(root, function.points[p], target, callee) && reaches(callee)) {
        return {root, p, root.handle};
      }
    }
  }
  return site;
}

bool RuleChecker::surely_comes_to_site(const program::ComponentKey& key,
                                       const std::set<program::ComponentKey>& skipped) {
  const program::ComponentKey root{key.function, key.handle, true};
  RuleView sure = rule_view();
  sure.named = {.exit = true};
  sure.reduction = program::Reduction::Events;
  const HandleLabels labels(sure, root, nullptr, skipped);
  Inquiry inquiry(*this, program::slice(task_.program, {root}, labels));
  return inquiry.session.verdict(inquiry.session.ask("A [!exit W site]")).verdict ==
         engine::Verdict::Holds;
}

void RuleChecker::check_handle(const program::ComponentKey& root,
                               const std::vector<std::uint8_t>* reaching,
                               const std::set<program::ComponentKey>& skipped) {
  const HandleLabels labels(rule_view(), root, reaching, skipped);
  program::SlicedModel model = program::slice(task_.program, {root}, labels);
  if (labels.sites().empty()) {
    return;
  }
  Inquiry inquiry(*this, std::move(model));
  const auto whole_model = [&] {
    const HandleLabels all(whole_view(), root, reaching, skipped);
    return program::slice(task_.program, {root}, all);
  };
  std::optional<program::SlicedModel> pruned;
  if (fails(inquiry) && !is_excused(inquiry, whole_model, pruned)) {
    // Locals are best seen from the function that they are of; a lock is taken where it is taken.
    std::vector<Site> sites = labels.sites();
    for (Site& site : sites) {
      if (reaching == nullptr) {
        const Site there = site;
        site = there.component.is_outermost ? there : seen_from(root, labels, there);
        site.within = there.component.function;
        site.within_point = there.point;
      }
    }
    report_all(inquiry, sites, [&] { return pruned ? std::move(*pruned) : whole_model(); });
  }
}

/// What the site makes or takes need not be in a variable that is followed.
std::string RuleChecker::name_without_variable(const Site& site) const {
  const bool is_within = site.within.valid();
  const program::Function& function =
      task_.program.functions[is_within ? site.within : site.component.function];
  const std::uint32_t p = is_within ? site.within_point : site.point;
  const program::Action* action = function.action_of(p);
  if (action == nullptr || matcher_.site() == nullptr) {
    return "it";
  }
  const auto argument = EventMatcher::argument_of(*matcher_.site(), function.points[p]);
  const BranchText text(task_.program, function);
  std::string name;
  if (matcher_.site()->pattern.is_result && action->result.valid()) {
    name = text.written_to(action->result);
  } else if (argument && *argument < action->arguments.size()) {
    name = text.name_of(action->arguments[*argument]);
    const program::Function& caller = task_.program.functions[site.component.function];
    const program::Action* call = is_within ? caller.action_of(site.point) : nullptr;
    const std::optional<std::size_t> parameter = text.parameter_of(action->arguments[*argument]);
    const std::string passed =
        call != nullptr && parameter && *parameter < call->arguments.size()
            ? BranchText(task_.program, caller).name_of(call->arguments[*parameter])
            : std::string();
    name = passed.empty() ? name : passed;
  }
  const base::StringId callee = function.points[p].callee;
  if (name.empty() && callee.valid()) {
    name = fmt::format("{}(…)", readable_name(task_.program.text(callee)));
  }
  return name.empty() ? "it" : name;
}

void RuleChecker::warn(const Site& site, std::vector<PathStep> path) {
  const program::Program& program = task_.program;
  const program::Function& function = program.functions[site.component.function];
  const program::Point& point = function.points[site.point];
  Warning warning;
  warning.rule = &rule_;
  program::SourcePlace place = point.place;
  if (place.line == 0) {
    place = site.variable.valid() ? program.variables[site.variable].declared : function.place;
  }
  warning.file = program.text(place.file);
  warning.line = place.line;
  warning.column = place.column;
  warning.function = readable_name(program, function);
  const std::string variable =
      site.variable.valid()
          ? std::string(short_name(program.text(program.variables[site.variable].name)))
          : std::string();
  const std::string callee = readable_name(program.text(point.callee));
  warning.subject = variable.empty() ? callee : variable;
  warning.variable = site.variable;
  warning.message =
      filled(rule_.message, "variable", variable.empty() ? name_without_variable(site) : variable);
  warning.message = filled(warning.message, "callee", callee);
  if (site.other.valid()) {
    const std::string_view other = short_name(program.text(program.variables[site.other].name));
    warning.message = filled(warning.message, "other", other);
  }
  warning.message = filled(warning.message, "function", warning.function);
  warning.path = std::move(path);
  const bool is_null =
      rule_.scope == Rule::Scope::Object && matcher_.site()->pattern.names(program::FactKind::Null);
  if (site.other.valid()) {
    warning.fault =
        fmt::format("{} {}", variable, program.text(program.variables[site.other].name));
  } else if (site.within.valid()) {
    warning.fault = fault_of(warning.path);
  } else if (rule_.scope == Rule::Scope::Object && matcher_.site()->pattern.is_result) {
    warning.fault = loss_of(warning.path);
  } else if (is_null && !warning.path.empty()) {
    // Tested once more on the way, it is the same null.
    const PathStep& last = warning.path.back();
    warning.fault = fmt::format("{} {} {}:{}:{}", warning.function, warning.subject, last.file,
                                last.line, last.column);
  } else if (point.is_alternative) {  // one of the functions that one call may reach
    warning.fault = fmt::format("{}:{}:{}", warning.file, warning.line, warning.column);
  }
  warning.unit = unit_;
  findings_.warnings.push_back(std::move(warning));
}

}  // namespace nestor::lint
