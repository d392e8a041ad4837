#include "driver/check_report.h"

#include "driver/run.h"

#include <gtest/gtest.h>

namespace nestor::driver {
namespace {

engine::Result result(engine::Verdict verdict, std::string reason = {}) {
  engine::Result made;
  made.verdict = verdict;
  made.reason = std::move(reason);
  made.contexts = 5;
  made.seconds = 0.25;
  return made;
}

logic::NamedFormula formula(std::string name, std::string text) {
  logic::NamedFormula made;
  made.name = std::move(name);
  made.text = std::move(text);
  return made;
}

void fill(CheckReport& report) {
  report.model = "m\".rsm";
  report.engine = "lazy";
  report.formulas = {formula("", "AG p"), formula("live", "AF q"), formula("", "EF r")};
  report.results = {result(engine::Verdict::Holds), result(engine::Verdict::Fails),
                    result(engine::Verdict::Unknown, "timeout after 1 s")};
}

TEST(CheckReport, OneLineAFormula) {
  CheckReport report;
  fill(report);
  EXPECT_EQ(verdict_lines(report),
            "holds   AG p\nfails   live: AF q\nunknown EF r (timeout after 1 s)\n");
}

TEST(CheckReport, OneJsonObject) {
  CheckReport report;
  fill(report);
  report.warnings = {"a", "b"};
  base::Statistics statistics;
  statistics.add("z.count", 3);
  statistics.add_seconds("a.seconds", 0.5);
  report.statistics = &statistics;
  EXPECT_EQ(verdict_json(report),
            R"({"model":"m\".rsm",
"results":[
{"formula":"AG p","verdict":"holds","engine":"lazy","contexts":5,"seconds":0.250000},
{"name":"live","formula":"AF q","verdict":"fails","engine":"lazy","contexts":5,"seconds":0.250000},
{"formula":"EF r","verdict":"unknown","reason":"timeout after 1 s","engine":"lazy","contexts":5,"seconds":0.250000}],
"warnings":[
"a",
"b"],
"stats":{
"a.seconds":0.500000,
"z.count":3}}
)");
}

TEST(CheckReport, StatisticsAreSortedByName) {
  base::Statistics statistics;
  statistics.add("b", 2);
  statistics.add_seconds("c", 0.5);
  statistics.add("a", 1);
  const std::string lines = statistics_lines(statistics);
  EXPECT_LT(lines.find("a "), lines.find("b "));
  EXPECT_LT(lines.find("b "), lines.find("c "));
}

TEST(ExitStatus, FailsOutweighsUnknownOutweighsHolds) {
  const engine::Result holds = result(engine::Verdict::Holds);
  const engine::Result fails = result(engine::Verdict::Fails);
  const engine::Result unknown = result(engine::Verdict::Unknown, "x");
  EXPECT_EQ(exit_status(std::vector{holds, holds}), kAllHold);
  EXPECT_EQ(exit_status(std::vector{holds, fails}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{unknown, fails, holds}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{fails, unknown}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{holds, unknown}), kSomeUnknown);
}

}  // namespace
}  // namespace nestor::driver
