#include "format/pds/pds_writer.h"

#include "base/error.h"
#include "format/pds/from_rsm.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace nestor::format {

namespace {

/// A name that the reader takes whole, or the text in quotes.
std::string proposition(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 127 &&
           std::string_view("<>(),\"").find(c) == std::string_view::npos;
  });
  if (plain) {
    return std::string(text);
  }
  if (text.find_first_of("\"\n") != std::string_view::npos) {
    throw base::Error(base::Error::Kind::Unsupported,
                      fmt::format("the proposition '{}' cannot be written in this format", text));
  }
  return fmt::format("\"{}\"", text);
}

struct Row {
  base::StringId proposition;
  std::string place;
};

/// What rules and initial configurations mention. The reader knows nothing else, and labels of
/// anything else label no configuration.
struct Mentioned {
  base::IdVector<model::ControlId, bool> control;
  base::IdVector<model::SymbolId, bool> symbol;

  explicit Mentioned(const model::PushdownSystem& system)
      : control(system.control_count()), symbol(system.symbol_count()) {
    for (const model::Head head : system.initial_heads()) {
      control[head.control] = true;
      symbol[head.symbol] = true;
    }
    for (const model::PushdownRule& rule : system.rules()) {
      control[rule.head.control] = true;
      control[rule.target] = true;
      for (const model::SymbolId s : {rule.head.symbol, rule.first, rule.second}) {
        if (s.valid()) {
          symbol[s] = true;
        }
      }
    }
  }
};

void append_atoms(fmt::memory_buffer& out, const model::PushdownSystem& system) {
  std::vector<Row> rows;
  const Mentioned mentioned(system);
  for (const model::PushdownSystem::ControlLabel& label : system.control_labels()) {
    if (!mentioned.control[label.control]) {
      continue;
    }
    rows.push_back({label.proposition, std::string(system.name(label.control))});
  }
  for (const model::PushdownSystem::SymbolLabel& label : system.symbol_labels()) {
    if (!mentioned.symbol[label.symbol]) {
      continue;
    }
    rows.push_back({label.proposition, fmt::format("<{}>", system.name(label.symbol))});
  }
  for (const model::PushdownSystem::HeadLabel& label : system.head_labels()) {
    if (!mentioned.control[label.head.control] || !mentioned.symbol[label.head.symbol]) {
      continue;
    }
    rows.push_back({label.proposition, fmt::format("{}<{}>", system.name(label.head.control),
                                                   system.name(label.head.symbol))});
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return system.string(a.proposition) < system.string(b.proposition);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool same = i > 0 && rows[i].proposition == rows[i - 1].proposition;
    if (!same) {
      fmt::format_to(std::back_inserter(out), "{}ATOMS {} ", i == 0 ? "" : "\n",
                     proposition(system.string(rows[i].proposition)));
    }
    fmt::format_to(std::back_inserter(out), "{}{}", same ? ", " : "", rows[i].place);
  }
  out.append(std::string_view(rows.empty() ? "" : "\n\n"));
}

}  // namespace

std::string format_pds(const model::PushdownSystem& system) {
  fmt::memory_buffer out;
  const auto put = [&out]<class... Arguments>(fmt::format_string<Arguments...> format,
                                              Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
  };
  put("# ATOMS: proposition first\n");
  for (const model::Head head : system.initial_heads()) {
    put("({} <{}>)\n", system.name(head.control), system.name(head.symbol));
  }
  put("\n");
  append_atoms(out, system);
  for (const model::PushdownRule& rule : system.rules()) {
    put("{} <{}> --> {} <", system.name(rule.head.control), system.name(rule.head.symbol),
        system.name(rule.target));
    if (rule.is_pop()) {
      put(" >\n");
    } else if (rule.is_push()) {
      put("{} {}>\n", system.name(rule.first), system.name(rule.second));
    } else {
      put("{}>\n", system.name(rule.first));
    }
  }
  return fmt::to_string(out);
}

std::string write_pds(const model::Rsm& model) {
  return format_pds(from_rsm(model));
}

}  // namespace nestor::format
