#include "lint/rule.h"

#include "lint/builtin_rules.h"
#include "logic/normal_form.h"
#include "logic/parser.h"
#include "program/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace nestor::lint {

namespace {

constexpr std::int64_t kMostArguments = 255;

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array kScopes = {Named<Rule::Scope>{"program", Rule::Scope::Program},
                                Named<Rule::Scope>{"signal", Rule::Scope::Signal},
                                Named<Rule::Scope>{"atexit", Rule::Scope::AtExit},
                                Named<Rule::Scope>{"function", Rule::Scope::Function},
                                Named<Rule::Scope>{"variable", Rule::Scope::Variable},
                                Named<Rule::Scope>{"handle", Rule::Scope::Handle},
                                Named<Rule::Scope>{"object", Rule::Scope::Object},
                                Named<Rule::Scope>{"shared", Rule::Scope::Shared},
                                Named<Rule::Scope>{"pair", Rule::Scope::Pair}};
constexpr std::array kSeverities = {Named<Rule::Severity>{"error", Rule::Severity::Error},
                                    Named<Rule::Severity>{"warning", Rule::Severity::Warning},
                                    Named<Rule::Severity>{"note", Rule::Severity::Note}};
constexpr std::array kResults = {
    Named<EventPattern::Result>{"ignored", EventPattern::Result::Ignored},
    Named<EventPattern::Result>{"used", EventPattern::Result::Used},
    Named<EventPattern::Result>{"checked", EventPattern::Result::Checked},
    Named<EventPattern::Result>{"unchecked", EventPattern::Result::Unchecked},
    Named<EventPattern::Result>{"misjudged", EventPattern::Result::Misjudged}};
constexpr std::array kKnown = {
    Named<EventPattern::Known>{"any", EventPattern::Known::Any},
    Named<EventPattern::Known>{"must-check", EventPattern::Known::MustCheck},
    Named<EventPattern::Known>{"should-check", EventPattern::Known::ShouldCheck},
    Named<EventPattern::Known>{"can-fail", EventPattern::Known::CanFail}};
constexpr std::array kFacts = {Named<program::FactKind>{"scope", program::FactKind::Scope},
                               Named<program::FactKind>{"def", program::FactKind::Def},
                               Named<program::FactKind>{"maydef", program::FactKind::MayDef},
                               Named<program::FactKind>{"use", program::FactKind::Use},
                               Named<program::FactKind>{"deref", program::FactKind::Deref},
                               Named<program::FactKind>{"escape", program::FactKind::Escape},
                               Named<program::FactKind>{"null", program::FactKind::Null},
                               Named<program::FactKind>{"nonnull", program::FactKind::NonNull},
                               Named<program::FactKind>{"passed", program::FactKind::Argument},
                               Named<program::FactKind>{"returned", program::FactKind::Returned},
                               Named<program::FactKind>{"blank", program::FactKind::Blank},
                               Named<program::FactKind>{"lost", program::FactKind::Lost},
                               Named<program::FactKind>{"owned", program::FactKind::Owned},
                               Named<program::FactKind>{"replaced", program::FactKind::Replaced}};
constexpr std::array kCppUses = {
    Named<CppUse>{"moves", CppUse::Moves}, Named<CppUse>{"renews", CppUse::Renews},
    Named<CppUse>{"follows", CppUse::Follows}, Named<CppUse>{"uses", CppUse::Uses},
    Named<CppUse>{"copies", CppUse::Copies}};
using Definition = EventPattern::Definition;
constexpr std::array kDefinitions = {Named<Definition>{"constant", Definition::Constant},
                                     Named<Definition>{"other", Definition::Other},
                                     Named<Definition>{"meant", Definition::Meant}};
// What formulas can name without defining it.
constexpr std::array<std::string_view, 5> kPoints = {"site", "entry", "exit", "halt", "true"};

template <class List>
auto value_named(const program::TomlFile& file, const toml::value& value, const List& list) {
  const std::string name = file.string(value);
  std::string known;
  for (const auto& item : list) {
    if (item.name == name) {
      return item.value;
    }
    known += known.empty() ? "" : ", ";
    known += item.name;
  }
  file.fail(value, fmt::format("'{}' is not one of {}", name, known));
}

EventPattern read_event(const program::TomlFile& file, const toml::value& value) {
  EventPattern event;
  for (const auto& [key, item] : file.table(value)) {
    if (key == "call") {
      event.calls = file.strings(item);
    } else if (key == "member") {
      event.cpp = value_named(file, item, kCppUses);
    } else if (key == "known") {
      event.known = value_named(file, item, kKnown);
    } else if (key == "mostly-checked") {
      event.mostly_checked = file.boolean(item);
    } else if (key == "failed") {
      event.failed = file.strings(item);
    } else if (key == "constant") {
      for (const auto& [index, text] : file.table(item)) {
        if (index.empty() || index.size() > 2 ||
            index.find_first_not_of("0123456789") != std::string::npos) {
          file.fail(text, fmt::format("'{}' is not the number of an argument", index));
        }
        event.constants[static_cast<unsigned>(std::stoul(index))] = file.string(text);
      }
    } else if (key == "result") {
      event.result = value_named(file, item, kResults);
    } else if (key == "argument") {
      event.argument = static_cast<unsigned>(file.whole_number(item, 0, kMostArguments));
    } else if (key == "makes") {
      if (item.is_boolean()) {
        event.is_result = file.boolean(item);
      } else {
        event.made = file.strings(item);
        event.is_result = true;
      }
    } else if (key == "releases") {
      event.released = file.strings(item);
    } else if (key == "moves") {
      event.counts_moves = file.boolean(item);
    } else if (key == "outcome") {
      const std::string outcome = file.string(item);
      if (outcome != "success" && outcome != "failure") {
        file.fail(item, fmt::format("'{}' is not one of success, failure", outcome));
      }
      event.is_failure = outcome == "failure";
    } else if (key == "fact") {
      if (item.is_string()) {
        event.facts.push_back(value_named(file, item, kFacts));
      } else {
        for (const toml::value& fact : file.array(item)) {
          event.facts.push_back(value_named(file, fact, kFacts));
        }
      }
    } else if (key == "value") {
      event.definition = value_named(file, item, kDefinitions);
    } else {
      file.fail(item, fmt::format(
                          "unknown key '{}', expected one of call, member, known, mostly-checked, "
                          "failed, constant, result, argument, makes, "
                          "releases, moves, outcome, fact, value",
                          key));
    }
  }
  if (event.calls.empty() && event.facts.empty() && event.failed.empty() && event.made.empty() &&
      event.released.empty() && event.known == EventPattern::Known::Nothing &&
      event.cpp == CppUse::None) {
    file.fail(value,
              "the event says nothing, expected 'call', 'member', 'known', 'failed', 'makes', "
              "'releases' or 'fact'");
  }
  return event;
}

bool is_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// The formula is one, and speaks only of what the rule defines.
void check_formula(const program::TomlFile& file, const toml::value& at, const Rule& rule,
                   const std::string& text) {
  logic::FormulaPool pool;
  logic::parse_formula(pool, text, rule.formula_at);
  for (const logic::FormulaId f :
       base::IdRange<logic::FormulaId>(logic::FormulaId(0), logic::FormulaId(pool.size()))) {
    if (pool[f].op != logic::Op::Atom) {
      continue;
    }
    std::string_view name = pool.atom_name(f);
    if (rule.scope == Rule::Scope::Pair) {
      for (const std::string_view which : {"first_", "second_"}) {
        name.remove_prefix(name.substr(0, which.size()) == which ? which.size() : 0);
      }
    }
    if (rule.events.find(name) == rule.events.end() &&
        std::find(kPoints.begin(), kPoints.end(), name) == kPoints.end()) {
      file.fail(at, fmt::format("the formula speaks of '{}', expected an event of the rule, or "
                                "site, entry, exit, halt",
                                name));
    }
  }
}

void check_rule(const program::TomlFile& file, const toml::value& at, const Rule& rule) {
  if (!is_id(rule.id)) {
    file.fail(at, fmt::format("the rule's id '{}' is not made of small letters, digits and '-'",
                              rule.id));
  }
  for (const auto& [name, text] :
       {std::pair<std::string_view, const std::string&>{"title", rule.title},
        {"formula", rule.formula},
        {"message", rule.message}}) {
    if (text.empty()) {
      file.fail(at, fmt::format("rule '{}' has no {}", rule.id, name));
    }
  }
  if (rule.scope == Rule::Scope::Function) {
    return;
  }
  const auto site = rule.events.find(rule.site);
  if (site == rule.events.end()) {
    file.fail(at, fmt::format("rule '{}' has no event '{}' to be its site", rule.id, rule.site));
  }
  const bool local = rule.scope == Rule::Scope::Variable || rule.scope == Rule::Scope::Handle ||
                     rule.scope == Rule::Scope::Object || rule.scope == Rule::Scope::Shared ||
                     rule.scope == Rule::Scope::Pair;
  for (const auto& [name, event] : rule.events) {
    if (event.speaks_of_handle() && !local) {
      file.fail(at,
                fmt::format("event '{}' of rule '{}' speaks of a handle, which scope '{}' has not",
                            name, rule.id, to_string(rule.scope)));
    }
  }
  if (local && !site->second.speaks_of_handle()) {
    file.fail(
        at, fmt::format("the site of rule '{}' does not say which variable it is about", rule.id));
  }
}

Rule read_rule(const program::TomlFile& file, const toml::value& value, const std::string& name) {
  Rule rule;
  const toml::value* formula = &value;
  for (const auto& [key, item] : file.table(value)) {
    if (key == "id") {
      rule.id = file.string(item);
    } else if (key == "title") {
      rule.title = file.string(item);
    } else if (key == "severity") {
      rule.severity = value_named(file, item, kSeverities);
    } else if (key == "cwe") {
      rule.cwe = fmt::format("CWE-{}", file.whole_number(item, 1, 99999));
    } else if (key == "cert") {
      rule.cert = file.string(item);
    } else if (key == "scope") {
      rule.scope = value_named(file, item, kScopes);
    } else if (key == "events") {
      for (const auto& [event, pattern] : file.table(item)) {
        rule.events[event] = read_event(file, pattern);
      }
    } else if (key == "site") {
      rule.site = file.string(item);
    } else if (key == "formula") {
      rule.formula = file.string(item);
      formula = &item;
    } else if (key == "unless") {
      rule.unless = file.string(item);
    } else if (key == "message") {
      rule.message = file.string(item);
    } else if (key == "meaning") {
      rule.meaning = file.string(item);
    } else if (key == "example") {
      rule.example = file.string(item);
    } else if (key == "fix") {
      rule.fix = file.string(item);
    } else if (key == "assumes") {
      rule.assumes = file.string(item);
    } else if (key == "precision") {
      rule.precision = file.string(item);
    } else if (key == "handles") {
      const std::string kind = file.string(item);
      if (kind != "locals" && kind != "all" && kind != "same") {
        file.fail(item, fmt::format("'{}' is not one of locals, all, same", kind));
      }
      rule.follows_names = kind != "locals";
      rule.needs_same = kind == "same";
    } else if (key == "default") {
      rule.is_default = file.boolean(item);
    } else {
      file.fail(item,
                fmt::format("unknown key '{}' of a rule, expected one of id, title, severity, cwe, "
                            "cert, scope, handles, "
                            "events, site, formula, unless, message, meaning, example, fix, "
                            "assumes, precision, default",
                            key));
    }
  }
  const toml::source_location where = formula->location();
  rule.formula_at = {name, static_cast<std::uint32_t>(where.line()),
                     static_cast<std::uint32_t>(where.column() + 1)};
  check_rule(file, value, rule);
  check_formula(file, *formula, rule, rule.formula);
  if (!rule.unless.empty()) {
    check_formula(file, *formula, rule, rule.unless);
  }
  return rule;
}

}  // namespace

std::string_view to_string(Rule::Scope scope) {
  return std::find_if(kScopes.begin(), kScopes.end(),
                      [&](const auto& row) { return row.value == scope; })
      ->name;
}

std::string_view to_string(Rule::Severity severity) {
  return std::find_if(kSeverities.begin(), kSeverities.end(),
                      [&](const auto& row) { return row.value == severity; })
      ->name;
}

std::vector<Rule> read_rules(const base::Input& input) {
  const program::TomlFile file(input);
  std::vector<Rule> rules;
  std::set<std::string> ids;
  for (const auto& [key, value] : file.table(file.root())) {
    if (key != "rule") {
      file.fail(value, fmt::format("unknown key '{}', expected 'rule'", key));
    }
    for (const toml::value& item : file.array(value)) {
      rules.push_back(read_rule(file, item, input.name()));
      if (!ids.insert(rules.back().id).second) {
        file.fail(item, fmt::format("a second rule '{}'", rules.back().id));
      }
    }
  }
  return rules;
}

std::vector<Rule> builtin_rules() {
  return read_rules(base::Input::from_text("default.toml", kBuiltinRules));
}

}  // namespace nestor::lint
