#include "lint/rule_checker.h"

#include "explain/extract.h"
#include "lint/path.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace nestor {

namespace {

// Paths in larger models take longer than all the rest.
constexpr std::size_t kNodesWorthAPath = 20000;

/// Replaces every `{name}` of a message.
std::string filled(std::string text, std::string_view name, std::string_view value) {
  const std::string place = fmt::format("{{{}}}", name);
  for (std::size_t at = text.find(place); at != std::string::npos;
       at = text.find(place, at + value.size())) {
    text.replace(at, place.size(), value);
  }
  return text;
}

/// `function::x` → `x`
std::string_view short_name(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  name = colons == std::string_view::npos ? name : name.substr(colons + 2);
  return name.substr(0, name.find('#'));
}

bool names(const FormulaPool& pool, std::string_view atom) {
  for (const FormulaId f : IdRange<FormulaId>(FormulaId(0), FormulaId(pool.size()))) {
    if (pool[f].op == Op::Atom && pool.atom_name(f) == atom) {
      return true;
    }
  }
  return false;
}

/// By function: some call leads to a function of `targets`, or it is one.
std::vector<std::uint8_t> functions_reaching(const Program& program,
                                             const std::vector<FunctionId>& targets) {
  std::vector<std::vector<FunctionId>> callers(program.functions.size());
  for (const FunctionId f : program.functions.ids()) {
    for (const Point& point : program.functions[f].points) {
      for (const FunctionId target : point.targets) {
        callers[target.value()].push_back(f);
      }
    }
  }
  std::vector<std::uint8_t> reaching(program.functions.size(), 0);
  std::vector<FunctionId> work = targets;
  for (const FunctionId f : targets) {
    reaching[f.value()] = 1;
  }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const FunctionId caller : callers[f.value()]) {
      if (reaching[caller.value()] == 0) {
        reaching[caller.value()] = 1;
        work.push_back(caller);
      }
    }
  }
  return reaching;
}

bool is_addressed(const Point& point, VariableId variable) {
  return std::any_of(point.facts.begin(), point.facts.end(), [&](const Fact& fact) {
    return fact.kind == FactKind::Address && fact.variable == variable;
  });
}

bool calls_itself(const Program& program, FunctionId function) {
  std::vector<std::uint8_t> seen(program.functions.size(), 0);
  std::vector<FunctionId> work = {function};
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const Point& point : program.functions[f].points) {
      for (const FunctionId target : point.targets) {
        if (target == function) {
          return true;
        }
        if (seen[target.value()] == 0) {
          seen[target.value()] = 1;
          work.push_back(target);
        }
      }
    }
  }
  return false;
}

}  // namespace

RuleChecker::RuleChecker(const LintTask& task, const Rule& rule, Env& env, LintResult& result)
    : task_(task),
      rule_(rule),
      env_(env),
      result_(result),
      matcher_(task.program, task.externals, rule),
      formula_(parse_formula(pool_, rule.formula, rule.formula_at)),
      engine_(task.make_engine()) {
  named_ = {names(pool_, "entry"), names(pool_, "exit"), names(pool_, "halt")};
}

void RuleChecker::run() {
  if (matcher_.site() != nullptr && matcher_.site()->impossible) {
    return;  // no site in the whole program
  }
  switch (rule_.scope) {
    case Rule::Scope::Program:
      run_from(task_.program.roots);
      break;
    case Rule::Scope::Signal:
      run_from(task_.program.signal_handlers);
      break;
    case Rule::Scope::AtExit:
      run_from(task_.program.exit_handlers);
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
  }
}

FormulaId RuleChecker::renamed(FormulaPool& pool,
                               const std::function<std::string(std::string_view)>& rename) const {
  std::unordered_map<std::uint32_t, FormulaId> made;
  for (const FormulaId f : subformulas(pool_, formula_)) {
    const Formula& formula = pool_[f];
    FormulaId result;
    switch (operand_count(formula.op)) {
      case 0:
        result = formula.op == Op::Atom ? pool.atom(rename(pool_.atom_name(f)))
                                        : pool.constant(formula.op == Op::True);
        break;
      case 1:
        result = pool.unary(formula.op, made.at(formula.left.value()));
        break;
      default:
        result =
            pool.binary(formula.op, made.at(formula.left.value()), made.at(formula.right.value()));
    }
    made[f.value()] = result;
  }
  return made.at(formula_.value());
}

FormulaId RuleChecker::instantiate(
    FormulaPool& pool, const std::function<std::string(std::string_view)>& rename) const {
  return existential_normal_form(pool, renamed(pool, rename));
}

std::vector<PathStep> RuleChecker::find_path(const SlicedModel& model, FormulaPool& pool,
                                             FormulaId formula) {
  if (model.model.node_count() > kNodesWorthAPath) {
    return {};
  }
  try {
    const FormulaId normal = existential_normal_form(pool, formula);
    const std::optional<Labelling> labelling = engine_->label(model.model, pool, normal, env_);
    if (labelling) {
      return path_of(
          task_.program, model,
          extract_witness(model.model, pool, formula, false, *labelling, "lint", env_.limits));
    }
  } catch (const LimitReached&) {
    // The verdict stands without a path.
  }
  return {};
}

std::vector<Result> RuleChecker::ask(const SlicedModel& model, const FormulaPool& pool,
                                     std::span<const FormulaId> formulas) {
  const Task task{model.model, pool, formulas};
  if (const std::string reason = engine_->cannot_handle(task); !reason.empty()) {
    return std::vector<Result>(formulas.size(), Result{.reason = reason});
  }
  return engine_->check(task, env_);
}

void RuleChecker::note_unknown(const std::string& reason) {
  std::string text = fmt::format("{}: {}", rule_.id, reason);
  if (std::find(result_.unknown.begin(), result_.unknown.end(), text) == result_.unknown.end()) {
    result_.unknown.push_back(std::move(text));
  }
}

void RuleChecker::report_sites(
    const SlicedModel& model, std::span<const Site> sites, std::span<const std::size_t> which,
    const std::function<std::string(std::string_view, std::size_t)>& rename) {
  FormulaPool pool;
  std::vector<FormulaId> formulas;
  for (const std::size_t k : which) {
    formulas.push_back(instantiate(pool, [&](std::string_view atom) { return rename(atom, k); }));
  }
  const std::vector<Result> verdicts = ask(model, pool, formulas);
  bool found = false;
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (verdicts[i].verdict == Verdict::Unknown) {
      note_unknown(verdicts[i].reason);
    } else if (verdicts[i].verdict == Verdict::Fails) {
      const FormulaId formula =
          renamed(pool, [&](std::string_view atom) { return rename(atom, which[i]); });
      warn(sites[which[i]], find_path(model, pool, formula));
      found = true;
    }
  }
  // A formula that fails for all sites but for none of them alone: never swallow it.
  if (!found && !which.empty()) {
    warn(sites[which.front()]);
  }
}

void RuleChecker::run_from(const std::vector<FunctionId>& functions) {
  std::vector<ComponentKey> roots;
  for (const FunctionId function : functions) {
    roots.push_back({function, {}});
  }
  if (roots.empty()) {
    return;
  }
  const ProgramLabels labels(task_.program, matcher_, named_, roots);
  const SlicedModel model = slice(task_.program, roots, labels);
  if (labels.sites().empty()) {
    return;
  }
  FormulaPool pool;
  const FormulaId all = instantiate(pool, [](std::string_view atom) { return std::string(atom); });
  const Result verdict = ask(model, pool, {&all, 1}).front();
  if (verdict.verdict == Verdict::Unknown) {
    note_unknown(verdict.reason);
  } else if (verdict.verdict == Verdict::Fails) {
    std::vector<std::size_t> which(labels.sites().size());
    std::iota(which.begin(), which.end(), std::size_t{0});
    report_sites(model, labels.sites(), which, [](std::string_view atom, std::size_t k) {
      return atom == "site" ? fmt::format("site_{}", k) : std::string(atom);
    });
  }
}

/// Only a function that comes to no end at all can violate what such rules ask; the others need no
/// model.
void RuleChecker::run_functions() {
  for (const FunctionId f : task_.program.functions.ids()) {
    if (task_.program.functions[f].outcomes != Outcomes{} || !calls_itself(task_.program, f)) {
      continue;
    }
    const std::vector<ComponentKey> roots = {{f, {}}};
    const ProgramLabels labels(task_.program, matcher_, named_, roots);
    const SlicedModel model = slice(task_.program, roots, labels);
    FormulaPool pool;
    const FormulaId formula =
        instantiate(pool, [](std::string_view atom) { return std::string(atom); });
    const Result verdict = ask(model, pool, {&formula, 1}).front();
    if (verdict.verdict == Verdict::Unknown) {
      note_unknown(verdict.reason);
    } else if (verdict.verdict == Verdict::Fails) {
      warn({roots.front(), Function::kEntry, {}});
    }
  }
}

void RuleChecker::run_variables() {
  for (const FunctionId f : task_.program.functions.ids()) {
    const VariableLabels labels(task_.program, matcher_, named_, f);
    if (labels.variables().empty()) {
      continue;
    }
    const SlicedModel model = slice(task_.program, {{f, {}}}, labels);
    const auto renamed = [](std::string_view atom, std::size_t variable) {
      return atom == "entry" || atom == "exit" || atom == "halt"
                 ? std::string(atom)
                 : fmt::format("{}_{}", atom, variable);
    };
    FormulaPool pool;
    std::vector<FormulaId> formulas;
    for (std::size_t i = 0; i < labels.variables().size(); ++i) {
      formulas.push_back(
          instantiate(pool, [&](std::string_view atom) { return renamed(atom, i); }));
    }
    const std::vector<Result> verdicts = ask(model, pool, formulas);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i].verdict == Verdict::Unknown) {
        note_unknown(verdicts[i].reason);
      }
      if (verdicts[i].verdict != Verdict::Fails) {
        continue;
      }
      std::vector<std::size_t> which;
      for (std::size_t k = 0; k < labels.sites().size(); ++k) {
        if (labels.sites()[k].variable == labels.variables()[i]) {
          which.push_back(k);
        }
      }
      report_sites(model, labels.sites(), which, [&](std::string_view atom, std::size_t k) {
        return atom == "site" ? fmt::format("site_{}_{}", i, k) : renamed(atom, i);
      });
    }
  }
}

void RuleChecker::run_handles() {
  const Program& program = task_.program;
  // Where the site is, and from there back over calls that pass the handle on.
  std::set<ComponentKey> roots;
  std::vector<ComponentKey> work;
  std::map<VariableId, std::vector<FunctionId>>
      shared;  // globals and fields: functions with an event
  std::vector<VariableId> handles;
  for (const FunctionId f : program.functions.ids()) {
    for (const Point& point : program.functions[f].points) {
      handles.clear();
      matcher_.handles_of(*matcher_.site(), point, handles);
      for (const VariableId handle : handles) {
        const Variable& variable = program.variables[handle];
        // A local that is no plain variable is a handle only as a whole: its fields are many.
        const bool plain =
            variable.kind == VariableKind::Local && variable.exact && !variable.is_artificial;
        const bool whole =
            variable.kind == VariableKind::Local && !variable.exact && is_addressed(point, handle);
        if (!plain && !whole && (!rule_.follows_names || variable.kind == VariableKind::Memory)) {
          continue;
        }
        if (roots.insert({f, handle}).second && variable.kind == VariableKind::Local) {
          work.push_back({f, handle});
        }
        if (variable.kind != VariableKind::Local) {
          shared[handle];
        }
      }
    }
  }
  std::map<ComponentKey, std::vector<ComponentKey>> passed_from;
  for (const FunctionId f : program.functions.ids()) {
    for (const Point& point : program.functions[f].points) {
      for (const Fact& fact : point.facts) {
        if (const auto known = shared.find(fact.variable); known != shared.end()) {
          if (known->second.empty() || known->second.back() != f) {
            known->second.push_back(f);
          }
        }
        if (fact.kind != FactKind::Argument) {
          continue;
        }
        for (const FunctionId target : point.targets) {
          const std::vector<VariableId>& parameters = program.functions[target].parameters;
          if (fact.index < parameters.size() && parameters[fact.index].valid()) {
            passed_from[{target, parameters[fact.index]}].push_back({f, fact.variable});
          }
        }
      }
    }
  }
  // A function that frees its argument on some paths only mostly tells its caller which; values are
  // not followed, so such a function is not looked into where the site is something done to it.
  std::set<ComponentKey> skipped;
  if (!rule_.follows_names && matcher_.site()->pattern.argument) {
    skipped.insert(work.begin(), work.end());
    std::vector<ComponentKey> back = work;
    while (!back.empty()) {
      const ComponentKey callee = back.back();
      back.pop_back();
      for (const ComponentKey& caller : passed_from[callee]) {
        if (skipped.insert(caller).second) {
          back.push_back(caller);
        }
      }
    }
  }
  while (!work.empty()) {
    const ComponentKey callee = work.back();
    work.pop_back();
    if (skipped.count(callee) != 0) {
      if (!surely_comes_to_site(callee, skipped)) {
        continue;
      }
      skipped.erase(callee);
    }
    for (const ComponentKey& caller : passed_from[callee]) {
      const Variable& variable = program.variables[caller.handle];
      if (variable.kind == VariableKind::Local && variable.exact && !variable.is_artificial) {
        if (roots.insert(caller).second || skipped.count(caller) != 0) {
          work.push_back(caller);  // again, if it is not sure yet: now it may be
        }
      }
    }
  }
  std::map<VariableId, std::vector<std::uint8_t>> reaching;
  for (const auto& [handle, functions] : shared) {
    reaching[handle] = functions_reaching(program, functions);
  }
  for (const ComponentKey& root : roots) {
    const auto found = reaching.find(root.handle);
    check_handle({root.function, root.handle, true},
                 found == reaching.end() ? nullptr : &found->second, skipped);
  }
}

Site RuleChecker::seen_from(const ComponentKey& root, const HandleLabels& labels,
                            const Site& site) const {
  const Function& function = task_.program.functions[root.function];
  const auto reaches = [&](const ComponentKey& from) {
    std::set<ComponentKey> seen = {from};
    std::vector<ComponentKey> work = {from};
    while (!work.empty()) {
      const ComponentKey key = work.back();
      work.pop_back();
      if (key == site.component) {
        return true;
      }
      for (const Point& point : task_.program.functions[key.function].points) {
        for (const FunctionId target : point.targets) {
          ComponentKey callee;
          if (labels.enters(key, point, target, callee) && seen.insert(callee).second) {
            work.push_back(callee);
          }
        }
      }
    }
    return false;
  };
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    for (const FunctionId target : function.points[p].targets) {
      ComponentKey callee;
      if (labels.enters(root, function.points[p], target, callee) && reaches(callee)) {
        return {root, p, root.handle};
      }
    }
  }
  return site;
}

bool RuleChecker::surely_comes_to_site(const ComponentKey& key,
                                       const std::set<ComponentKey>& skipped) {
  const ComponentKey root{key.function, key.handle, true};
  const HandleLabels labels(task_.program, matcher_, {.exit = true}, root, nullptr, skipped);
  const SlicedModel model = slice(task_.program, {root}, labels);
  FormulaPool pool;
  const FormulaId formula =
      existential_normal_form(pool, parse_formula(pool, "A [!exit W site]", {"sure", 1, 1}));
  return ask(model, pool, {&formula, 1}).front().verdict == Verdict::Holds;
}

void RuleChecker::check_handle(const ComponentKey& root, const std::vector<std::uint8_t>* reaching,
                               const std::set<ComponentKey>& skipped) {
  const HandleLabels labels(task_.program, matcher_, named_, root, reaching, skipped);
  const SlicedModel model = slice(task_.program, {root}, labels);
  if (labels.sites().empty()) {
    return;
  }
  FormulaPool pool;
  const FormulaId all = instantiate(pool, [](std::string_view atom) { return std::string(atom); });
  const Result verdict = ask(model, pool, {&all, 1}).front();
  if (verdict.verdict == Verdict::Unknown) {
    note_unknown(verdict.reason);
  } else if (verdict.verdict == Verdict::Fails) {
    std::vector<std::size_t> which(labels.sites().size());
    std::iota(which.begin(), which.end(), std::size_t{0});
    // Locals are best seen from the function that they are of; a lock is taken where it is taken.
    std::vector<Site> sites = labels.sites();
    for (Site& site : sites) {
      if (reaching == nullptr && !site.component.is_outermost) {
        site = seen_from(root, labels, site);
      }
    }
    report_sites(model, sites, which, [](std::string_view atom, std::size_t k) {
      return atom == "site" ? fmt::format("site_{}", k) : std::string(atom);
    });
  }
}

void RuleChecker::warn(const Site& site, std::vector<PathStep> path) {
  const Program& program = task_.program;
  const Function& function = program.functions[site.component.function];
  const Point& point = function.points[site.point];
  Warning warning;
  warning.rule = &rule_;
  SourcePlace place = point.place;
  if (place.line == 0) {
    place = site.variable.valid() ? program.variables[site.variable].declared : function.place;
  }
  warning.file = program.text(place.file);
  warning.line = place.line;
  warning.column = place.column;
  warning.function = program.text(function.source_name);
  const std::string_view variable =
      site.variable.valid() ? short_name(program.text(program.variables[site.variable].name))
                            : std::string_view();
  warning.subject = variable.empty() ? program.text(point.callee) : variable;
  warning.message = filled(rule_.message, "variable", variable);
  warning.message = filled(warning.message, "callee", program.text(point.callee));
  warning.message = filled(warning.message, "function", warning.function);
  warning.path = std::move(path);
  result_.warnings.push_back(std::move(warning));
}

}  // namespace nestor
