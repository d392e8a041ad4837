#include "lint/rule.h"

#include "lint/report.h"
#include "lint/sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

namespace nestor::lint {
namespace {

TEST(Rules, TheShippedOnesAreManyAndSaid) {
  const std::vector<Rule> rules = builtin_rules();
  EXPECT_GE(rules.size(), 20U);
  std::set<std::string> ids;
  for (const Rule& rule : rules) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.meaning.empty()) << rule.id;
    EXPECT_FALSE(rule.fix.empty()) << rule.id;
    EXPECT_FALSE(rule.assumes.empty()) << rule.id;
    EXPECT_FALSE(rule.cwe.empty() && rule.cert.empty()) << rule.id;
  }
}

TEST(Baseline, IsReadAsItIsWritten) {
  const std::vector<Rule> rules = builtin_rules();
  std::vector<Warning> warnings(2);
  for (Warning& warning : warnings) {
    warning.rule = &rules.front();
    warning.file = "/src/a.c";
    warning.line = 3;
    warning.function = "f";
  }
  add_fingerprints(warnings, "/src");
  EXPECT_NE(warnings[0].fingerprint, warnings[1].fingerprint);  // alike, told apart by their order
  const std::string text = write_baseline(warnings, "/src");
  EXPECT_NE(text.find(" a.c:3\n"), std::string::npos);
  EXPECT_EQ(read_baseline(base::Input::from_text("b.txt", text)).size(), 2U);
}

TEST(Sources, FilesOutsideTheRootKeepTheirNames) {
  EXPECT_EQ(relative_to("/src/lib/a.c", "/src"), "lib/a.c");
  EXPECT_EQ(relative_to("/usr/include/a.h", "/src"), "/usr/include/a.h");
  EXPECT_EQ(relative_to("/srcs/a.c", "/src"), "/srcs/a.c");
}

TEST(Sources, ACastToVoidTellsThatIgnoringIsMeant) {
  const std::string file = testing::TempDir() + "void_casts.c";
  const std::vector<Rule> rules = builtin_rules();
  const auto is_kept = [&](const std::string& id, const std::string& text) {
    std::ofstream(file) << text;
    Warning warning;
    warning.rule =
        &*std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
    const std::size_t call = text.find('@');  // becomes the name of the function
    warning.file = file;
    const std::string before = text.substr(0, call);
    warning.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    warning.column = static_cast<std::uint32_t>(call - text.rfind('\n', call));
    std::vector<Warning> warnings = {warning};
    Sources sources;
    look_up(warnings, sources);
    drop_suppressed(warnings);
    return !warnings.empty();
  };
  EXPECT_TRUE(is_kept("ignored-result", "\n  @();\n"));
  EXPECT_FALSE(is_kept("ignored-result", "\n  (void)@();\n"));
  EXPECT_FALSE(is_kept("ignored-result", "\n  ( void ) @();\n"));
  EXPECT_FALSE(is_kept("ignored-result", "\n  (void)\n    @();\n"));
  EXPECT_FALSE(is_kept("ignored-result", "\n  static_cast<void>(@());\n"));
  EXPECT_FALSE(is_kept("unchecked-failure", "\nelse (void) @();\n"));
  EXPECT_TRUE(is_kept("ignored-result", "\n  (void)x; @();\n"));
  EXPECT_TRUE(is_kept("ignored-result", "\n  f(@());\n"));
  EXPECT_TRUE(is_kept("ignored-result", "\nint g(void)\n{ @(); }\n"));
  EXPECT_TRUE(is_kept("unchecked-privilege-change", "\n  (void)@();\n"));  // matters all the same
  std::remove(file.c_str());
}

TEST(Sarif, KeepsToTheLimitsOfItsReaders) {
  const std::vector<Rule> rules = builtin_rules();
  LintReport report;
  report.rules = {&rules[0], &rules[1]};
  report.source_root = "/src";
  Warning warning;
  warning.rule = &rules[0];
  warning.file = "/src/a b.c";
  warning.line = 1;
  warning.path.resize(20000);
  report.warnings = {warning};
  const std::string one = report_sarif(report);
  EXPECT_NE(one.find("\"uri\":\"a%20b.c\""), std::string::npos);
  std::size_t steps = 0;
  for (std::size_t at = one.find("\"nestingLevel\""); at != std::string::npos;
       at = one.find("\"nestingLevel\"", at + 1)) {
    ++steps;
  }
  EXPECT_EQ(steps, 1000U);
  warning.path.clear();
  report.warnings.assign(6000, warning);
  const std::string many = report_sarif(report);
  std::size_t results = 0;
  for (std::size_t at = many.find("\"ruleId\""); at != std::string::npos;
       at = many.find("\"ruleId\"", at + 1)) {
    ++results;
  }
  EXPECT_EQ(results, 5000U);
  EXPECT_NE(many.find("6000 warnings, of which the 5000 most severe are listed"),
            std::string::npos);
}

}  // namespace
}  // namespace nestor::lint
