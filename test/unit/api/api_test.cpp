// The library as other programs use it: include/nestor alone.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nestor/nestor.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace nestor;

/// 0 → 1 → … → count-1 → 0, with `last` in the last one.
class Ring : public States {
 public:
  explicit Ring(std::uint32_t count) : count_(count) {}
  std::size_t words() const override { return 1; }
  void initial(StateSink& sink) override { sink.add(std::array{0U}); }
  void successors(State state, StateSink& sink) override {
    sink.add(std::array{(state[0] + 1) % count_});
  }
  std::optional<std::uint32_t> proposition(std::string_view atom) override {
    return atom == "last" ? std::optional(0U) : std::nullopt;
  }
  bool holds(std::uint32_t, State state) const override { return state[0] + 1 == count_; }

 private:
  std::uint32_t count_;
};

/// main calls f, which calls itself or comes back.
Model recursive() {
  ModelBuilder builder("recursive");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true, .labels = {"done"}, .file = "m.c", .line = 7});
  builder.box("call", "f");
  builder.transition("start", {"call", "in"});
  builder.transition({"call", "out"}, "end");
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("again", "f");
  builder.transition("in", "out");
  builder.transition("in", {"again", "in"});
  builder.transition({"again", "out"}, "out");
  builder.initial_component("main");
  return builder.finish();
}

/// For a file that no other run of this test has.
std::string own_name(const std::string& name) {
  return name + std::to_string(getpid()) + ".rsm";
}

TEST(Api, FormulasAreBuiltAsTheyAreParsed) {
  const Formula p = Formula::atom("p");
  const Formula q = Formula::atom("q");
  EXPECT_EQ(Formula::unary("AG", implies(p, Formula::unary("EF", q))),
            Formula::parse("AG (p -> EF q)"));
  EXPECT_EQ(Formula::binary("EU", !p, (q & p) | q), Formula::parse("E [ !p U ((q & p) | q) ]"));
  EXPECT_NE(p, q);
  EXPECT_EQ(Formula::parse("EF p").operands().front(), p);
  EXPECT_THROW(Formula::unary("and", p), Error);
  EXPECT_THROW(Formula::binary("F", p, p), Error);
}

TEST(Api, FormulasReadTogetherStandAlone) {
  std::vector<Formula> read = Formula::parse_lines("EF done\nlast := AG (EF done)\n", "two.ctl");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].operands().front(), read[0]);
  const Formula last = read[1];
  read = Formula::parse_lines("EX (EF done)", "other.ctl");
  EXPECT_EQ(last.name(), "last");
  EXPECT_EQ(last.to_string(), "AG EF done");
  EXPECT_EQ(last.operands().front(), read[0].operands().front());
  EXPECT_EQ(last, Formula::unary("AG", Formula::unary("EF", Formula::atom("done"))));
}

TEST(Api, OneSessionIsAskedWhatWasReadApart) {
  Session session(recursive());
  for (int round = 0; round < 20; ++round) {  // texts come to be where others were
    const bool is_swapped = round % 2 == 1;
    const std::vector<Formula> read = Formula::parse_lines(
        is_swapped ? "AF done\nEF done\nEG done" : "EF done\nAF done\nEG done", "three.ctl");
    const std::array asked{session.ask(read[1]), session.ask("EF done"), session.ask(!read[2]),
                           session.ask(read[0])};
    const Verdict second = is_swapped ? Verdict::Holds : Verdict::Fails;
    EXPECT_EQ(session.verdict(asked[0]).verdict, second);
    EXPECT_EQ(session.verdict(asked[1]).verdict, Verdict::Holds);
    EXPECT_EQ(session.verdict(asked[2]).verdict, Verdict::Holds);
    EXPECT_NE(session.verdict(asked[3]).verdict, second);
  }
}

TEST(Api, DeepFormulasNeedNoStack) {
  Formula deep = Formula::atom("p");
  for (int i = 0; i < 1'000'000; ++i) {
    deep = Formula::unary("EX", deep);
  }
  EXPECT_EQ(deep.operands().size(), 1U);
}

TEST(Api, ErrorsHaveAPlace) {
  try {
    Formula::parse("AG (p ->");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::Input);
    EXPECT_EQ(error.location().file, "<formula>");
    EXPECT_EQ(error.location().line, 1U);
    EXPECT_EQ(error.location().column, 9U);
  }
  EXPECT_THROW(Model::parse("{", "rsm"), Error);
  EXPECT_THROW(Model::read("/nowhere.rsm"), Error);
  EXPECT_THROW(Session(recursive(), {.engine = "none"}), Error);
}

TEST(Api, ABuiltModelIsChecked) {
  const Model model = recursive();
  EXPECT_EQ(decide(model, Formula::parse("EF done")).verdict, Verdict::Holds);
  EXPECT_EQ(decide(model, Formula::parse("AF done")).verdict, Verdict::Fails);
  const std::array both{Formula::parse("EF done"), Formula::parse("AF done")};
  const std::vector<Result> results = decide(model, both, {.engine = "reference"});
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Fails);
}

TEST(Api, TheBuilderRefusesWhatIsNotWellFormed) {
  ModelBuilder nothing;
  EXPECT_THROW(nothing.node({.name = "n"}), Error);
  ModelBuilder builder;
  builder.component("main").node({.name = "n", .is_entry = true});
  builder.transition("n", "m").initial_component("main");
  EXPECT_THROW(builder.finish(), Error);
}

TEST(Api, AModelSaysWhatItIsMadeOf) {
  Model model = recursive();
  const ModelInfo info = model.info();
  EXPECT_EQ(info.components, 2U);
  EXPECT_EQ(info.plain_nodes, 4U);
  EXPECT_EQ(info.boxes, 2U);
  EXPECT_TRUE(info.recursive);
  EXPECT_EQ(info.initial_nodes, std::vector<std::string>{"start"});
  const std::vector<Component> components = model.components();
  ASSERT_EQ(components.size(), 2U);
  EXPECT_EQ(components[0].nodes[1].labels, std::vector<std::string>{"done"});
  EXPECT_EQ(components[0].nodes[1].line, 7U);
  EXPECT_EQ(components[0].transitions[0].to.box, "call");
  EXPECT_EQ(components[1].boxes[0].callee, "f");
  Model again = Model::parse(model.write());
  EXPECT_EQ(again.write(), model.write());
}

TEST(Api, EvidenceIsWalkedReplayedAndProved) {
  const Model model = recursive();
  Session session(model);
  const std::size_t question = session.ask("EF done");
  const Answer<Witness> witness = session.witness(question);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->holds());
  const std::vector<Witness::Step> steps = witness->steps();
  ASSERT_GE(steps.size(), 3U);
  EXPECT_EQ(steps.front().node, "start");
  EXPECT_EQ(steps[1].how, "call");
  EXPECT_EQ(steps[1].depth, 1U);
  EXPECT_EQ(steps.back().node, "end");
  EXPECT_EQ(steps.back().labels, std::vector<std::string>{"done"});
  EXPECT_EQ(steps.back().file, "m.c");
  EXPECT_EQ(witness->piece(witness->roots().front()).kind, "until");

  EXPECT_EQ(replay(model, session.formula(question), {.text = witness->json()}).outcome,
            Replay::Outcome::Accepted);
  EXPECT_EQ(replay(model, Formula::parse("AF done"), {.text = witness->json()}).outcome,
            Replay::Outcome::Rejected);

  const Answer<std::string> proof = session.certificate(question);
  ASSERT_TRUE(proof);
  const Verification verified = verify(model, {.text = *proof}, &session.formula(question));
  EXPECT_TRUE(verified.accepted);
  EXPECT_TRUE(verified.holds);
  std::string damaged = *proof;
  damaged.resize(damaged.size() / 2);
  EXPECT_FALSE(verify(model, {.text = damaged}).accepted);
}

TEST(Api, ACertificateNamesTheFileAsItWasRead) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / own_name("nestor_api_test");
  const auto write = [&path](const std::string& text) { std::ofstream(path) << text; };
  write(recursive().write() + "\n\n");  // not as it would be written
  const Model model = Model::read(path.string());
  Session session(model);
  const std::size_t question = session.ask("EF done");
  const Answer<std::string> proof = session.certificate(question);
  ASSERT_TRUE(proof);
  EXPECT_TRUE(verify(Model::read(path.string()), {.text = *proof}).accepted);
  EXPECT_FALSE(verify(recursive(), {.text = *proof}).accepted);
  const Model unproved = Model::read(path.string());
  write(recursive().write());
  EXPECT_EQ(*session.certificate(question), *proof);  // its name is known
  Session too_late(unproved);
  EXPECT_THROW(too_late.certificate(too_late.ask("EF done")), Error);
  std::filesystem::remove(path);
}

TEST(Api, AllValuesOfAFormula) {
  Session session(recursive());
  const Answer<Labelling> labelling = session.labelling(session.ask("EF done"));
  ASSERT_TRUE(labelling);
  const std::size_t whole = labelling->size() - 1;
  const Labelling::Instance root = labelling->instances().front();
  EXPECT_EQ(root.procedure, "main");
  EXPECT_EQ(root.rows, 2U);
  EXPECT_TRUE(labelling->value(whole, root.first_row));
  EXPECT_TRUE(labelling->value(whole, root.first_row + 1));
}

TEST(Api, StatesOfTheCallersAreExplored) {
  const Model model = Model::of(std::make_unique<Ring>(1000), "ring");
  EXPECT_FALSE(model.is_explored());
  EXPECT_EQ(decide(model, Formula::parse("AF last")).verdict, Verdict::Holds);
  EXPECT_EQ(decide(model, Formula::parse("EG !last")).verdict, Verdict::Fails);
  EXPECT_EQ(
      decide(Model::of(std::make_unique<Ring>(10)), Formula::parse("AF last"), {.engine = "local"})
          .verdict,
      Verdict::Holds);
}

TEST(Api, ALimitThatWasReachedIsNotForEver) {
  const Model model = Model::of(std::make_unique<Ring>(1000));
  const Formula formula = Formula::parse("AF last");
  EXPECT_EQ(decide(model, formula, {.limits = {.states = 10}}).verdict, Verdict::Unknown);
  EXPECT_EQ(decide(model, formula).verdict, Verdict::Holds);
}

TEST(Api, ACheckIsCancelled) {
  const std::atomic<bool> cancelled = true;
  const Result result =
      decide(recursive(), Formula::parse("EF done"), {.limits = {.cancelled = &cancelled}});
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason, "");
}

TEST(Api, ProgressIsReported) {
  std::size_t known = 0;
  Settings settings;
  settings.progress = [&](const Progress& progress) { known = progress.known; };
  Session session(recursive(), settings);
  session.verdict(session.ask("EF done"));
  EXPECT_EQ(known, 1U);
}

TEST(Api, AWitnessOutlivesItsSession) {
  std::optional<Witness> kept;
  {
    Session session(recursive());
    kept = session.witness(session.ask("EF done")).value;
  }
  EXPECT_FALSE(kept->text().empty());
  EXPECT_FALSE(kept->dot("title").empty());
}

TEST(Api, OneModelForSeveralThreads) {
  const Model model = recursive();
  std::array<Verdict, 4> verdicts{};
  std::vector<std::thread> threads;
  for (Verdict& verdict : verdicts) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        Session session(model);
        const std::size_t question = session.ask("AF done");
        verdict = session.verdict(question).verdict;
        static_cast<void>(session.witness(question)->text());
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const Verdict verdict : verdicts) {
    EXPECT_EQ(verdict, Verdict::Fails);
  }
}

TEST(Api, TwoThreadsWithTwoSessionsEach) {
  std::array<int, 2> faults{};
  std::vector<std::thread> threads;
  for (int& count : faults) {
    threads.emplace_back([&count] {
      for (int i = 0; i < 10; ++i) {
        Session one(recursive(), {.jobs = 2, .wants_evidence = true});
        Session other(Model::of(std::make_unique<Ring>(500)), {.jobs = 2});
        const std::size_t fails = one.ask("AF done");
        const std::size_t holds = other.ask("AG EF last");
        count += one.verdict(fails).verdict != Verdict::Fails;
        count += other.verdict(holds).verdict != Verdict::Holds;
        count += !one.witness(fails) || !one.certificate(fails) || !other.labelling(holds);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(faults, (std::array<int, 2>{}));
}

TEST(Api, RulesAndEngines) {
  EXPECT_FALSE(rules().empty());
  EXPECT_THROW(explain_rule("none"), Error);
  EXPECT_FALSE(engines().empty());
  EXPECT_EQ(find_engine("summary").is_default, true);
  EXPECT_EQ(find_format("", "x.smv").id, "smv");
  EXPECT_THROW(check_rules({}), Error);
}

}  // namespace
