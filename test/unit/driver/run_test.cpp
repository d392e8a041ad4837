#include "driver/run.h"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

namespace nestor::driver {
namespace {

const std::string kExample = NESTOR_SOURCE_DIR "/examples/dataflow.rsm";

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

Outcome run_with(const std::vector<std::string>& arguments, bool terminal = false) {
  std::ostringstream out;
  std::ostringstream err;
  Outcome outcome;
  outcome.status = run(arguments, {out, err, terminal});
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

TEST(Run, StatusSaysWhetherFormulasHold) {
  EXPECT_EQ(run_with({"check", kExample, "-f", "AF end"}).status, kAllHold);
  EXPECT_EQ(run_with({"check", kExample, "-f", "AF end", "-f", "AG !end"}).status, kSomeFail);
  EXPECT_EQ(run_with({"check", kExample, "-f", "AF ("}).status, kBadUsageOrInput);
}

TEST(Run, VerdictsComeInTheOrderOfTheFormulas) {
  const Outcome outcome =
      run_with({"check", kExample, "-f", "AG !end", "-f", "EF end", "-f", "AG !end"});
  EXPECT_EQ(outcome.out, "fails   AG !end\nholds   EF end\nfails   AG !end\n");
}

TEST(Run, UsageErrorsNameTheWayToHelp) {
  const Outcome outcome = run_with({"check", kExample, "-f", "true", "--engine=none"});
  EXPECT_EQ(outcome.status, kBadUsageOrInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("'none'"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--help"), std::string::npos) << outcome.err;
}

TEST(Run, ShortWorkShowsNoProgressEvenOnATerminal) {
  EXPECT_EQ(run_with({"check", kExample, "-f", "true"}, true).err, "");
}

TEST(Run, AFailingStreamIsAnError) {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(run(std::vector<std::string>{"--version"}, {out, err}), kBadUsageOrInput);
  EXPECT_NE(err.str().find("cannot write"), std::string::npos);
}

/// Throws what no part of nestor throws on purpose.
class Broken : public std::streambuf {
 protected:
  int overflow(int /*c*/) override { throw 42; }
  std::streamsize xsputn(const char* /*text*/, std::streamsize /*size*/) override {
    throw std::logic_error("planted");
  }
};

TEST(Run, AnythingUnforeseenIsAnInternalError) {
  Broken buffer;
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // lets exceptions of the buffer through
  std::ostringstream err;
  EXPECT_EQ(run(std::vector<std::string>{"--version"}, {out, err}), kInternalError);
  EXPECT_EQ(err.str(), "internal error: planted\nthis is a bug in nestor, please report it\n");
}

TEST(Run, FormulasInBracketsArriveUnchanged) {
  // The option parser has ideas of its own about values in brackets.
  const Outcome outcome = run_with({"check", kExample, "-f", "[end,use_i]"});
  EXPECT_EQ(outcome.status, kBadUsageOrInput);
  EXPECT_NE(outcome.err.find("<formula>:1:"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace nestor::driver
