#include "driver/check_report.h"

#include "driver/run.h"

#include <gtest/gtest.h>

#include <nestor/version.h>

namespace nestor::driver {
namespace {

Result result(Verdict verdict, std::string reason = {}) {
  Result made;
  made.verdict = verdict;
  made.reason = std::move(reason);
  made.contexts = 5;
  made.seconds = 0.25;
  return made;
}

void fill(CheckReport& report) {
  report.model = "m\".rsm";
  report.engine = "lazy";
  report.formulas = {{"", "AG p"}, {"live", "AF q"}, {"", "EF r"}};
  report.results = {result(Verdict::Holds), result(Verdict::Fails),
                    result(Verdict::Unknown, "timeout after 1 s")};
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
  Statistics statistics{{{"z.count", 3}}, {{"a.seconds", 0.5}}};
  report.statistics = &statistics;
  EXPECT_EQ(verdict_json(report), R"({"schema":"nestor/check","schema_version":"1.0","nestor":")" +
                                      std::string(version()) +
                                      R"(","model":"m\".rsm",
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
  const Statistics statistics{{{"b", 2}, {"a", 1}}, {{"c", 0.5}}};
  const std::string lines = statistics_lines(statistics);
  EXPECT_LT(lines.find("a "), lines.find("b "));
  EXPECT_LT(lines.find("b "), lines.find("c "));
}

TEST(ExitStatus, FailsOutweighsUnknownOutweighsHolds) {
  const Result holds = result(Verdict::Holds);
  const Result fails = result(Verdict::Fails);
  const Result unknown = result(Verdict::Unknown, "x");
  EXPECT_EQ(exit_status(std::vector{holds, holds}), kAllHold);
  EXPECT_EQ(exit_status(std::vector{holds, fails}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{unknown, fails, holds}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{fails, unknown}), kSomeFail);
  EXPECT_EQ(exit_status(std::vector{holds, unknown}), kSomeUnknown);
}

}  // namespace
}  // namespace nestor::driver
