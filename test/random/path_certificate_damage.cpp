#include "path_certificate_damage.h"

#include "text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace nestor::test {

namespace {

/// A line with this keyword, or any; the number of lines if there is none.
std::size_t choose(const Lines& lines, std::string_view keyword, base::Random& random) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (keyword.empty() || lines[i].substr(0, lines[i].find(' ')) == keyword) {
      found.push_back(i);
    }
  }
  return found.empty() ? lines.size() : found[random.below(found.size())];
}

/// Changes one number of a line; commas and colons separate numbers, too.
void change_number(std::string& line, base::Random& random) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(line[i])) != 0 &&
        std::isdigit(static_cast<unsigned char>(line[i - 1])) == 0) {
      begins.push_back(i);
    }
  }
  if (begins.empty()) {
    return;
  }
  const std::size_t begin = begins[random.below(begins.size())];
  std::size_t end = begin;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) {
    ++end;
  }
  const std::uint64_t old = std::stoull(line.substr(begin, end - begin));
  const std::uint64_t next = random.below(3) == 0   ? random.below(40)
                             : random.below(2) == 0 ? old + 1
                                                    : old - (old > 0);
  line.replace(begin, end - begin, std::to_string(next));
}

template <char kFirst, char... kRest>
std::string number_in(const std::string& certificate, base::Random& random) {
  static constexpr std::array<char, sizeof...(kRest) + 1> kKeyword = {kFirst, kRest...};
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, {kKeyword.data(), kKeyword.size()}, random);
  if (i < lines.size()) {
    change_number(lines[i], random);
  }
  return joined(lines);
}

template <char kFirst, char... kRest>
std::string dropped(const std::string& certificate, base::Random& random) {
  static constexpr std::array<char, sizeof...(kRest) + 1> kKeyword = {kFirst, kRest...};
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, {kKeyword.data(), kKeyword.size()}, random);
  if (i < lines.size()) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return joined(lines);
}

/// A field of one line in place of the same field of another one of its kind.
std::string copied_field(const std::string& certificate, base::Random& random) {
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, "", random);
  const std::size_t j = choose(lines, lines[i].substr(0, lines[i].find(' ')), random);
  Lines fields = split(lines[i], ' ');
  const Lines other = split(lines[j], ' ');
  const std::size_t f = random.below(std::min(fields.size(), other.size()));
  fields[f] = other[f];
  lines[i] = fmt::format("{}", fmt::join(fields, " "));
  return joined(lines);
}

/// A part of a list that commas join.
std::string shorter_list(const std::string& certificate, base::Random& random) {
  Lines lines = split(certificate, '\n');
  std::string& line =
      lines[choose(lines, random.below(2) == 0 ? "state" : "dead", random) % lines.size()];
  const std::size_t from = line.rfind(random.below(2) == 0 ? ',' : ':');
  if (from != std::string::npos) {
    line.erase(from);
  }
  return joined(lines);
}

std::string word(const std::string& certificate, base::Random& random) {
  constexpr std::array<std::string_view, 9> kWords = {" arrive", " marked", " good", " any", " end",
                                                      " here",   " stay",   " dead", " none"};
  Lines lines = split(certificate, '\n');
  std::string& line =
      lines[choose(lines, random.below(2) == 0 ? "fact" : "point", random) % lines.size()];
  const std::string_view from = kWords[random.below(kWords.size())];
  if (const std::size_t at = line.find(from); at != std::string::npos) {
    line.replace(at, from.size(), random.below(2) == 0 ? "" : kWords[random.below(kWords.size())]);
  } else {
    line += random.below(2) == 0 ? " arrive" : " marked";
  }
  return joined(lines);
}

std::string digit(const std::string& certificate, base::Random& random) {
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, "value", random);
  if (i < lines.size()) {
    char& place =
        lines[i][lines[i].size() - 1 - random.below(lines[i].size() - lines[i].rfind(' ') - 1)];
    place = place == '-' ? '1' : random.below(3) == 0 ? '-' : place == '1' ? '0' : '1';
  }
  return joined(lines);
}

/// The verdict, and the root's values of the last formulas, so that nothing but proofs is missing.
std::string verdict(const std::string& certificate, base::Random& random) {
  Lines lines = split(certificate, '\n');
  const bool only_verdict = random.below(3) == 0;
  for (std::string& line : lines) {
    if (line.starts_with("verdict")) {
      line = line == "verdict holds" ? "verdict fails" : "verdict holds";
    } else if (line.starts_with("instance 1")) {
      break;
    } else if (line.starts_with("value") && line.find('-') != std::string::npos && !only_verdict) {
      for (char& c : line) {
        c = line.starts_with("value") && &c > line.data() + line.rfind(' ') && c != '-'
                ? (c == '1' ? '0' : '1')
                : c;
      }
    }
  }
  return joined(lines);
}

std::string operators(const std::string& certificate, base::Random& random) {
  constexpr std::array<std::string_view, 8> kBinary = {"and", "or", "U", "R", "S", "T", "U", "R"};
  constexpr std::array<std::string_view, 5> kUnary = {"X", "Y", "Z", "not", "E"};
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, "formula", random);
  Lines fields = split(lines[i], ' ');
  if (fields.size() == 5) {
    fields[2] = kBinary[random.below(kBinary.size())];
  } else if (fields.size() == 4 && fields[2] != "ap") {
    fields[2] = kUnary[random.below(kUnary.size())];
  }
  lines[i] = fmt::format("{}", fmt::join(fields, " "));
  return joined(lines);
}

std::string doubled(const std::string& certificate, base::Random& random) {
  Lines lines = split(certificate, '\n');
  const std::size_t i = choose(lines, "", random);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
  return joined(lines);
}

std::string noise(const std::string& certificate, base::Random& random) {
  std::string text = certificate;
  text[random.below(text.size())] = static_cast<char>(' ' + random.below(95));
  return text;
}

std::string truncated(const std::string& certificate, base::Random& random) {
  return certificate.substr(0, random.below(certificate.size()));
}

constexpr std::array kPathDamages = {
    PathCertificateDamage{"a number of a fact", number_in<'f', 'a', 'c', 't'>},
    PathCertificateDamage{"a number of a point", number_in<'p', 'o', 'i', 'n', 't'>},
    PathCertificateDamage{"a number of the dead", number_in<'d', 'e', 'a', 'd'>},
    PathCertificateDamage{"a number of a dead point",
                          number_in<'d', 'e', 'a', 'd', 'p', 'o', 'i', 'n', 't'>},
    PathCertificateDamage{"a number of a state", number_in<'s', 't', 'a', 't', 'e'>},
    PathCertificateDamage{"a number of a context", number_in<'c', 'o', 'n', 't', 'e', 'x', 't'>},
    PathCertificateDamage{"a number of a formula", number_in<'f', 'o', 'r', 'm', 'u', 'l', 'a'>},
    PathCertificateDamage{"the box map", number_in<'b', 'o', 'x'>},
    PathCertificateDamage{"a dropped fact", dropped<'f', 'a', 'c', 't'>},
    PathCertificateDamage{"a dropped point", dropped<'p', 'o', 'i', 'n', 't'>},
    PathCertificateDamage{"a dropped dead", dropped<'d', 'e', 'a', 'd'>},
    PathCertificateDamage{"a dropped dead point",
                          dropped<'d', 'e', 'a', 'd', 'p', 'o', 'i', 'n', 't'>},
    PathCertificateDamage{"a dropped state", dropped<'s', 't', 'a', 't', 'e'>},
    PathCertificateDamage{"a dropped context", dropped<'c', 'o', 'n', 't', 'e', 'x', 't'>},
    PathCertificateDamage{"a dropped value", dropped<'v', 'a', 'l', 'u', 'e'>},
    PathCertificateDamage{"a field of another line", copied_field},
    PathCertificateDamage{"a shorter list", shorter_list},
    PathCertificateDamage{"a word", word},
    PathCertificateDamage{"a digit", digit},
    PathCertificateDamage{"the verdict", verdict},
    PathCertificateDamage{"an operator", operators},
    PathCertificateDamage{"a doubled line", doubled},
    PathCertificateDamage{"noise", noise},
    PathCertificateDamage{"a truncated file", truncated},
};

}  // namespace

std::span<const PathCertificateDamage> path_certificate_damages() {
  return kPathDamages;
}

}  // namespace nestor::test
