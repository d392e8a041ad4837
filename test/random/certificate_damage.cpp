#include "certificate_damage.h"

#include "text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace nestor::test {

namespace {

using Fields = std::vector<std::string>;

/// A line with one of the keywords, chosen at random; the number of lines if there is none.
std::size_t choose(const Lines& lines, std::initializer_list<std::string_view> keywords,
                   base::Random& random) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view keyword = std::string_view(lines[i]).substr(0, lines[i].find(' '));
    if (std::find(keywords.begin(), keywords.end(), keyword) != keywords.end()) {
      found.push_back(i);
    }
  }
  return found.empty() ? lines.size() : found[random.below(found.size())];
}

/// Changes the fields of one line of a kind.
std::string change(const std::string& certificate, std::initializer_list<std::string_view> keywords,
                   base::Random& random, const std::function<void(Fields&)>& edit) {
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, keywords, random);
  if (i < lines.size()) {
    Fields fields = split(lines[i], ' ');
    edit(fields);
    lines[i] = fmt::format("{}", fmt::join(fields, " "));
  }
  return joined(lines);
}

std::string drop(const std::string& certificate, std::initializer_list<std::string_view> keywords,
                 base::Random& random) {
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, keywords, random);
  if (i < lines.size()) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return joined(lines);
}

std::string small_number(base::Random& random) {
  return fmt::format("{}", random.below(6));
}

void flip(char& digit) {
  digit = digit == '0' ? '1' : '0';
}

std::string value(const std::string& text, base::Random& random) {
  return change(text, {"value"}, random, [&](Fields& fields) {
    if (fields.size() > 2) {
      flip(fields[2][random.below(fields[2].size())]);
    }
  });
}

std::string values_of_an_instance(const std::string& text, base::Random& random) {
  return change(text, {"value"}, random, [](Fields& fields) {
    if (fields.size() > 2) {
      std::for_each(fields[2].begin(), fields[2].end(), flip);
    }
  });
}

/// The same formula, another value everywhere: consistent lies.
std::string values_of_a_formula(const std::string& text, base::Random& random) {
  Lines lines = split(text, '\n');
  const std::size_t chosen = choose(lines, {"value"}, random);
  if (chosen == lines.size()) {
    return text;
  }
  const std::string formula = split(lines[chosen], ' ')[1];
  const char digit = random.below(2) == 0 ? '0' : '1';
  for (std::string& line : lines) {
    Fields fields = split(line, ' ');
    if (fields.size() > 2 && fields[0] == "value" && fields[1] == formula) {
      fields[2].assign(fields[2].size(), digit);
      line = fmt::format("{}", fmt::join(fields, " "));
    }
  }
  return joined(lines);
}

std::string context_grown(const std::string& text, base::Random& random) {
  return change(text, {"context"}, random,
                [&](Fields& fields) { fields.push_back(small_number(random)); });
}

std::string context_shrunk(const std::string& text, base::Random& random) {
  return change(text, {"context"}, random, [](Fields& fields) {
    if (fields.size() > 2) {
      fields.pop_back();
    }
  });
}

std::string box_map(const std::string& text, base::Random& random) {
  return change(text, {"box"}, random, [&](Fields& fields) { fields[2] = small_number(random); });
}

std::string rank(const std::string& text, base::Random& random) {
  return change(text, {"fact"}, random, [&](Fields& fields) { fields[4] = small_number(random); });
}

std::string rank_of_a_point(const std::string& text, base::Random& random) {
  return change(text, {"point"}, random, [&](Fields& fields) { fields[5] = small_number(random); });
}

std::string choice(const std::string& text, base::Random& random) {
  return change(text, {"fact"}, random, [&](Fields& fields) {
    fields[5] = random.below(4) == 0 ? "here" : small_number(random);
  });
}

std::string target(const std::string& text, base::Random& random) {
  return change(text, {"fact"}, random, [&](Fields& fields) {
    fields[3] = random.below(2) == 0 ? "goal" : small_number(random);
  });
}

std::string exit_of_a_call(const std::string& text, base::Random& random) {
  return change(text, {"fact"}, random, [&](Fields& fields) {
    if (fields.size() > 6) {
      fields.pop_back();
    } else {
      fields.push_back(small_number(random));
    }
  });
}

std::string dropped_fact(const std::string& text, base::Random& random) {
  return drop(text, {"fact"}, random);
}

std::string dropped_point(const std::string& text, base::Random& random) {
  return drop(text, {"point", "deadpoint"}, random);
}

std::string dropped_dead(const std::string& text, base::Random& random) {
  return drop(text, {"dead"}, random);
}

std::string dropped_line(const std::string& text, base::Random& random) {
  Lines lines = split(text, '\n');
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size())));
  return joined(lines);
}

std::string rank_of_the_dead(const std::string& text, base::Random& random) {
  return change(text, {"dead", "deadpoint"}, random,
                [&](Fields& fields) { fields[fields.size() - 2] = small_number(random); });
}

std::string reach(const std::string& text, base::Random& random) {
  return change(text, {"dead", "deadpoint"}, random, [&](Fields& fields) {
    fields.back() = fields.back() == "none" ? small_number(random) : "none";
  });
}

std::string verdict(const std::string& text, base::Random& random) {
  return change(text, {"verdict"}, random,
                [](Fields& fields) { fields[1] = fields[1] == "holds" ? "fails" : "holds"; });
}

/// The verdict and, at every node of the root, the formula's value.
std::string verdict_and_root(const std::string& text, base::Random& random) {
  Lines lines = split(verdict(text, random), '\n');
  std::string last;
  bool in_root = false;
  for (std::string& line : lines) {
    Fields fields = split(line, ' ');
    last = fields[0] == "formula" ? fields[1] : last;
    in_root = fields[0] == "instance" ? fields[1] == "0" : in_root;
    if (in_root && fields.size() > 2 && fields[0] == "value" && fields[1] == last) {
      std::for_each(fields[2].begin(), fields[2].end(), flip);
      line = fmt::format("{}", fmt::join(fields, " "));
    }
  }
  return joined(lines);
}

std::string proposition(const std::string& text, base::Random& random) {
  return change(text, {"formula"}, random, [&](Fields& fields) {
    if (fields[2] == "ap") {
      fields[3] = random.below(2) == 0 ? "\"a\"" : "\"b\"";
    }
  });
}

std::string operation(const std::string& text, base::Random& random) {
  return change(text, {"formula"}, random, [&](Fields& fields) {
    static constexpr std::array kUnary = {"not", "EX", "EG"};
    static constexpr std::array kBinary = {"or", "and", "EU"};
    if (fields.size() == 4 && fields[2] != "ap") {
      fields[2] = kUnary[random.below(kUnary.size())];
    } else if (fields.size() == 5) {
      fields[2] = kBinary[random.below(kBinary.size())];
    }
  });
}

std::string operands(const std::string& text, base::Random& random) {
  return change(text, {"formula"}, random, [&](Fields& fields) {
    if (fields.size() == 5) {
      std::swap(fields[3], fields[4]);
    } else if (fields.size() == 4 && fields[2] != "ap") {
      fields[3] = small_number(random);
    }
  });
}

std::string component(const std::string& text, base::Random& random) {
  return change(text, {"instance"}, random,
                [&](Fields& fields) { fields[2] = fmt::format("\"c{}\"", random.below(3)); });
}

std::string hash(const std::string& text, base::Random& random) {
  return change(text, {"model"}, random, [&](Fields& fields) {
    char& digit = fields[1][1 + random.below(64)];
    digit = digit == '0' ? '1' : '0';
  });
}

std::string truncated(const std::string& text, base::Random& random) {
  return text.substr(0, random.below(text.size()));
}

std::string without_end(const std::string& text, base::Random&) {
  return text.substr(0, text.rfind("end"));
}

std::string doubled_line(const std::string& text, base::Random& random) {
  Lines lines = split(text, '\n');
  const std::size_t i = random.below(lines.size());
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
  return joined(lines);
}

std::string swapped_lines(const std::string& text, base::Random& random) {
  Lines lines = split(text, '\n');
  std::swap(lines[random.below(lines.size())], lines[random.below(lines.size())]);
  return joined(lines);
}

std::string huge_number(const std::string& text, base::Random& random) {
  return change(text, {"fact", "box", "dead", "context", "point"}, random, [&](Fields& fields) {
    fields[1 + random.below(fields.size() - 1)] =
        random.below(2) == 0 ? "4294967295" : "99999999999999999999";
  });
}

std::string noise(const std::string& text, base::Random& random) {
  std::string result = text;
  result[random.below(result.size())] = static_cast<char>(random.below(128));
  return result;
}

constexpr std::array kDamages = {
    CertificateDamage{"a value", value},
    CertificateDamage{"all values of a formula in an instance", values_of_an_instance},
    CertificateDamage{"all values of a formula", values_of_a_formula},
    CertificateDamage{"an exit too many in a context", context_grown},
    CertificateDamage{"an exit too few in a context", context_shrunk},
    CertificateDamage{"the box map", box_map},
    CertificateDamage{"the rank of a fact", rank},
    CertificateDamage{"the rank of a point", rank_of_a_point},
    CertificateDamage{"a choice", choice},
    CertificateDamage{"the target of a fact", target},
    CertificateDamage{"the exit that a call returns by", exit_of_a_call},
    CertificateDamage{"a dropped fact", dropped_fact},
    CertificateDamage{"a dropped return point", dropped_point},
    CertificateDamage{"a dropped rank of EG", dropped_dead},
    CertificateDamage{"any dropped line", dropped_line},
    CertificateDamage{"a rank of EG", rank_of_the_dead},
    CertificateDamage{"a reach", reach},
    CertificateDamage{"the verdict", verdict},
    CertificateDamage{"the verdict and the root's values", verdict_and_root},
    CertificateDamage{"a proposition", proposition},
    CertificateDamage{"an operator", operation},
    CertificateDamage{"operands", operands},
    CertificateDamage{"an instance's component", component},
    CertificateDamage{"the model's hash", hash},
    CertificateDamage{"a truncated file", truncated},
    CertificateDamage{"no end", without_end},
    CertificateDamage{"a doubled line", doubled_line},
    CertificateDamage{"swapped lines", swapped_lines},
    CertificateDamage{"a number too large", huge_number},
    CertificateDamage{"noise", noise},
};

}  // namespace

std::span<const CertificateDamage> certificate_damages() {
  return kDamages;
}

}  // namespace nestor::test
