#include "session/session.h"

#include "base/input.h"
#include "check/verify.h"
#include "format/rsm_json/writer.h"
#include "session/second_opinion.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace nestor::session {
namespace {

using Ref = model::ModelBuilder::Ref;

/// main calls f, once or more often; f calls itself or leaves.
model::Rsm make_recursive() {
  model::ModelBuilder builder("model");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.label("done");
  builder.box("c", "f");
  builder.transition(Ref::node("start"), Ref::box_node("c", "in"));
  builder.transition(Ref::box_node("c", "out"), Ref::node("end"));
  builder.transition(Ref::box_node("c", "out"), Ref::box_node("c", "in"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("d", "f");
  builder.transition(Ref::node("in"), Ref::box_node("d", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::box_node("d", "out"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

/// Counts from 0 to `last` and stays there. Knows `even` and `last`, and how often it was asked.
class Counter final : public model::SuccessorFunction {
 public:
  explicit Counter(std::uint32_t last) : last_(last) {}

  std::size_t state_words() const override { return 1; }
  std::size_t state_bits() const override { return 32; }
  void initial_states(model::StateSink& sink) override {
    const std::uint32_t zero = 0;
    sink.add({&zero, 1});
  }
  bool successors(base::StateView state, model::StateSink& sink) override {
    ++asked;
    const std::uint32_t next = std::min(state[0] + 1, last_);
    sink.add({&next, 1});
    return true;
  }
  Proposition find_proposition(std::string_view atom) override {
    if (atom == "nonsense") {
      return {{}, "this makes no sense", "nonsense"};
    }
    return {atom == "even"   ? std::optional<std::uint32_t>(0)
            : atom == "last" ? std::optional<std::uint32_t>(1)
                             : std::nullopt,
            {},
            {}};
  }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    return proposition == 0 ? state[0] % 2 == 0 : state[0] == last_;
  }
  std::vector<std::string> propositions() const override { return {"even", "last"}; }
  std::string describe(base::StateView state) const override { return std::to_string(state[0]); }

  std::size_t asked = 0;

 private:
  std::uint32_t last_;
};

TEST(Session, AnswersEachQuestionOnce) {
  Session session;
  const std::size_t fails = session.ask("AF done");
  const std::size_t holds = session.ask("EF done");
  session.about(Subject("model", make_recursive()));
  EXPECT_EQ(session.engine().id, "summary");
  EXPECT_EQ(session.verdict(fails).verdict, engine::Verdict::Fails);
  EXPECT_EQ(session.verdict(holds).verdict, engine::Verdict::Holds);
  EXPECT_EQ(session.statistics().counters().count("label.formulas"), 0U);
  const Answer<witness::Witness> witness = session.witness(fails);
  ASSERT_TRUE(witness) << witness.reason;
  EXPECT_FALSE(witness->holds);
  std::string certificate;
  EXPECT_EQ(session.certificate(fails, [&](std::string_view text) { certificate += text; }), "");
  ASSERT_TRUE(session.labelling(fails));
  // Evidence, proof and values are read off one labelling.
  EXPECT_EQ(session.statistics().counters().at("label.formulas"), 1U);
  base::LineReader lines = base::LineReader::from_text("certificate", certificate);
  logic::FormulaPool pool;
  const check::Verification verified =
      check::verify(session.subject().machine(), session.subject().sha256({}), lines, pool,
                    logic::parse_formula(pool, "AF done", {}));
  EXPECT_TRUE(verified.accepted) << verified.why;
  EXPECT_FALSE(verified.holds);
}

TEST(Session, AnswersWhatIsAskedLater) {
  Session session;
  session.about(Subject("model", make_recursive()));
  EXPECT_EQ(session.verdict(session.ask("EF done")).verdict, engine::Verdict::Holds);
  EXPECT_EQ(session.verdict(session.ask("AG !done")).verdict, engine::Verdict::Fails);
  EXPECT_EQ(session.verdict(0).verdict, engine::Verdict::Holds);
}

TEST(Session, AMachineCanBeBorrowed) {
  const model::Rsm machine = make_recursive();
  Session session;
  session.about(Subject::borrowed(machine));
  EXPECT_EQ(&session.subject().machine(), &machine);
  EXPECT_EQ(session.verdict(session.ask("EF done")).verdict, engine::Verdict::Holds);
}

TEST(Session, AnEngineWithoutValuesHasWitnesses) {
  for (const engine::EngineInfo& engine : engine::engine_registry()) {
    Session session({.engine = std::string(engine.id)});
    session.about(Subject("model", make_recursive()));
    const std::size_t question = session.ask("AF done");
    if (session.verdict(question).verdict == engine::Verdict::Unknown) {
      continue;  // an engine for models without calls
    }
    const Answer<witness::Witness> witness = session.witness(question);
    EXPECT_TRUE(witness) << engine.id << ": " << witness.reason;
  }
}

TEST(Session, StatesAreExploredOnce) {
  const auto counter = std::make_shared<Counter>(9);
  Session session;
  session.about(Subject("counter", counter));
  const std::size_t first = session.ask("AF last");
  EXPECT_EQ(session.engine().id, "labelling");
  EXPECT_EQ(session.verdict(first).verdict, engine::Verdict::Holds);
  EXPECT_EQ(counter->asked, 10U);
  // Another atom is a label more on the same states.
  const std::size_t second = session.ask("AG (even -> AX !even)");
  EXPECT_EQ(session.verdict(second).verdict, engine::Verdict::Holds);
  const std::size_t third = session.ask("EF (even & last)");
  EXPECT_EQ(session.verdict(third).verdict, engine::Verdict::Fails);
  for (const std::size_t question : {first, second, third}) {
    EXPECT_TRUE(session.witness(question));
    EXPECT_EQ(session.certificate(question, [](std::string_view) {}), "");
  }
  EXPECT_EQ(counter->asked, 10U);
}

/// What a certificate names is the model with its formula's propositions and no others, whatever
/// else was asked before.
TEST(Session, ExploredModelsAreNamedByTheirFormulasLabels) {
  const auto of = [](std::vector<std::string> before) {
    Subject subject("counter", std::make_shared<Counter>(4));
    for (const std::string& name : before) {
      subject.explore({&name, 1}, {});
    }
    return subject.sha256({"last", "even"});
  };
  EXPECT_EQ(of({"even", "last"}), of({"last", "even"}));
  Subject one("counter", std::make_shared<Counter>(4));
  const std::string even = "even";
  one.explore({&even, 1}, {});
  Subject both("counter", std::make_shared<Counter>(4));
  const std::vector<std::string> names = {"last", "even"};
  both.explore(names, {});
  EXPECT_EQ(one.sha256({"even"}), both.sha256({"even"}));
  EXPECT_EQ(both.sha256({"even", "last"}), both.sha256({"last", "even"}));
  EXPECT_NE(both.sha256({"even"}), both.sha256({"even", "last"}));
}

/// Forty certificates of a large model are not forty times its hash; and they name what was read.
TEST(Session, TheFileOfAModelIsHashedOnce) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "hashed_once.rsm";
  base::OutputFile out(file.string());
  out.write(format::write_rsm_json(make_recursive()));
  out.commit();
  const Subject subject = Subject::read({.path = file.string(), .fingerprint = true}, {}, nullptr);
  const std::string hash = subject.sha256({});
  std::filesystem::remove(file);
  EXPECT_EQ(subject.sha256({}), hash);
}

TEST(Session, DecidesOnTheFlyUnlessEvidenceIsWanted) {
  for (const bool wants_evidence : {false, true}) {
    const auto counter = std::make_shared<Counter>(1000);
    Session session({.engine = "almc", .wants_evidence = wants_evidence});
    session.about(Subject("counter", counter));
    const std::size_t question = session.ask("EX !even");
    EXPECT_EQ(session.verdict(question).verdict, engine::Verdict::Holds);
    EXPECT_EQ(counter->asked, wants_evidence ? 1001U : 1U);
    const Answer<witness::Witness> witness = session.witness(question);
    EXPECT_TRUE(witness) << witness.reason;
  }
}

TEST(Session, TooManyStatesAreUnknown) {
  Settings settings;
  settings.limits.states = 5;
  Session session(settings);
  session.about(Subject("counter", std::make_shared<Counter>(100)));
  const std::size_t question = session.ask("AF last");
  EXPECT_EQ(session.verdict(question).verdict, engine::Verdict::Unknown);
  EXPECT_EQ(session.verdict(question).reason, "more than 5 states");
  EXPECT_EQ(session.witness(question).reason, "more than 5 states");
  EXPECT_EQ(session.labelling(question).reason, "more than 5 states");
  EXPECT_EQ(session.certificate(question, [](std::string_view) {}), "the verdict is unknown");
}

TEST(Session, WhatWasCancelledIsExploredByTheNextQuestion) {
  std::atomic<bool> cancelled = true;
  Settings settings;
  settings.limits.cancelled = &cancelled;
  Session session(settings);
  session.about(Subject("counter", std::make_shared<Counter>(100)));
  EXPECT_EQ(session.verdict(session.ask("AF last")).reason, "cancelled");
  cancelled = false;
  EXPECT_EQ(session.verdict(session.ask("AF last")).verdict, engine::Verdict::Holds);
}

TEST(Session, RefusesAtomsThatMakeNoSense) {
  Session before;
  before.ask("AG nonsense");
  EXPECT_THROW(before.about(Subject("counter", std::make_shared<Counter>(1))), base::Error);
  Session after;
  after.about(Subject("counter", std::make_shared<Counter>(1)));
  EXPECT_THROW(after.ask("AG nonsense"), base::Error);
  EXPECT_THROW(Session({.engine = "none"}), base::Error);
}

TEST(Session, WarnsOfWhatIsOdd) {
  Session session;
  session.ask("AG typo");
  session.about(Subject("counter", std::make_shared<Counter>(1)));
  EXPECT_EQ(session.warnings(), std::vector<std::string>{"no node carries the proposition 'typo'"});
}

TEST(Session, TellsProgress) {
  std::vector<Progress> reports;
  Session session({.progress = [&](const Progress& p) { reports.push_back(p); }});
  session.ask("AF last");
  session.ask("EF last");
  session.about(Subject("counter", std::make_shared<Counter>(1)));
  session.verdict(0);
  ASSERT_GE(reports.size(), 2U);
  EXPECT_EQ(reports.front().work, Progress::Work::Exploring);
  EXPECT_EQ(reports.back().work, Progress::Work::Deciding);
  EXPECT_EQ(reports.back().done, 2U);
  EXPECT_EQ(reports.back().known, 2U);
}

TEST(SecondOpinion, DoesNotAskWhoMadeTheWitness) {
  const model::Rsm machine = make_recursive();
  logic::FormulaPool pool;
  const logic::FormulaId formula = logic::parse_formula(pool, "AF done", {});
  const Settings alone{.engine = "naive"};
  SecondOpinion finite_only(alone, "summary");
  EXPECT_EQ(finite_only.decide(machine, pool, {&formula, 1}).front().answer,
            check::Decision::Answer::Unknown);
  const Settings any;
  SecondOpinion others(any, "summary");
  EXPECT_EQ(others.decide(machine, pool, {&formula, 1}).front().answer,
            check::Decision::Answer::Fails);
}

}  // namespace
}  // namespace nestor::session
