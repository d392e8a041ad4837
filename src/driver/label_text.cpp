// The tables of nestor label, for people.

#include "driver/label_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace nestor::driver {

namespace {

/// Which subformulas hold after the return, and by which exits: `5 after x3`.
std::string context_text(const LabelView& view, std::size_t instance) {
  if (instance == 0) {
    return "the initial context";
  }
  std::string out;
  for (std::size_t number = 0; number < view.labelling.size(); ++number) {
    const std::optional<std::vector<std::string>> exits = view.labelling.context(number, instance);
    if (exits && !exits->empty()) {
      out += fmt::format("{}{} after {}", out.empty() ? "" : "; ", number + 1,
                         fmt::join(*exits, ", "));
    }
  }
  return out.empty() ? "nothing after a return" : out;
}

/// X₁₂, as the slides write it.
std::string x_name(std::size_t number) {
  std::string out = "X";
  for (const char digit : std::to_string(number)) {
    out += fmt::format("\xE2\x82{}", static_cast<char>(0x80 + (digit - '0')));
  }
  return out;
}

std::size_t width_of_names(const LabelView& view) {
  constexpr std::size_t kWidest = 60;
  std::size_t width = 0;
  for (const LabelView::Instance& instance : view.instances) {
    for (const LabelView::Row& row : instance.rows) {
      width = std::max(width, instance.name(row).size());
    }
  }
  return std::min(width, kWidest);
}

std::string left_out_text(const LabelView& view) {
  return view.left_out == 0 ? std::string()
                            : fmt::format("  and {} more states (--states=N)\n", view.left_out);
}

}  // namespace

std::string label_table(const Formula& formula, const LabelView& view) {
  std::string out = formula.text() + '\n';
  const std::size_t count = view.labelling.size();
  const std::size_t digits = std::to_string(count).size();
  for (std::size_t number = 0; number < count; ++number) {
    fmt::format_to(std::back_inserter(out), "  {:>{}}  {}\n", number + 1, digits,
                   view.labelling.subformula(number));
  }
  const std::size_t width = width_of_names(view);
  for (const LabelView::Instance& instance : view.instances) {
    fmt::format_to(std::back_inserter(out), "{}: {}\n  {:{}}", instance.component->name,
                   context_text(view, instance.number), "", width);
    for (std::size_t number = 0; number < count; ++number) {
      fmt::format_to(std::back_inserter(out), "  {:>{}}", number + 1, digits);
    }
    out += '\n';
    for (const LabelView::Row& row : instance.rows) {
      fmt::format_to(std::back_inserter(out), "  {:{}}", instance.name(row), width);
      for (std::size_t number = 0; number < count; ++number) {
        fmt::format_to(std::back_inserter(out), "  {:>{}}",
                       view.labelling.value(number, row.row) ? 't' : 'f', digits);
      }
      out += '\n';
    }
  }
  return out + left_out_text(view);
}

std::string approximations_text(const LabelView& view) {
  std::string out;
  for (std::size_t number = 0; number < view.labelling.size(); ++number) {
    const std::optional<Labelling::Approximations> found = view.labelling.approximations(number);
    if (!found) {
      continue;
    }
    fmt::format_to(std::back_inserter(out), "approximations of {}\n",
                   view.labelling.subformula(number));
    for (std::size_t x = 0; x <= found->steps; ++x) {
      std::string members;
      for (const LabelView::Instance& instance : view.instances) {
        for (const LabelView::Row& row : instance.rows) {
          if (found->contains(x, row.row)) {
            members += fmt::format("{}{}", members.empty() ? "" : "; ", instance.name(row));
          }
        }
      }
      fmt::format_to(std::back_inserter(out), "  {} = {{{}}}{}\n", x_name(x), members,
                     x == found->steps ? fmt::format(" = {}", x_name(x - 1)) : std::string());
    }
  }
  return out.empty() ? out : out + left_out_text(view);
}

std::string check_order_text(const CheckOrder& order) {
  std::string out;
  for (const CheckOrder::Part& part : order.parts) {
    fmt::format_to(std::back_inserter(out), "local checks of {}\n", part.formula);
    for (std::size_t i = 0; i < part.checks.size(); ++i) {
      const CheckOrder::Check& check = part.checks[i];
      if (i == 0 || part.checks[i - 1].round != check.round) {
        out +=
            check.round == 0 ? "  before the fixpoint:" : fmt::format("  round {}:", check.round);
      }
      fmt::format_to(std::back_inserter(out), " ({}, {})", check.procedure, check.context);
      if (i + 1 == part.checks.size() || part.checks[i + 1].round != check.round) {
        out += '\n';
      }
    }
    fmt::format_to(
        std::back_inserter(out), "  {} of {}{}\n",
        part.checks.size() == 1 ? "1 check" : fmt::format("{} checks", part.checks.size()),
        part.pairs == 1 ? "1 pair" : fmt::format("{} pairs", part.pairs),
        part.rounds == 0 ? std::string()
                         : fmt::format("; all pairs in each of {} rounds would be {}", part.rounds,
                                       part.pairs * part.rounds));
  }
  return out;
}

}  // namespace nestor::driver
