#include "smv/reader.h"

#include "model/builder.h"
#include "model/explore.h"
#include "smv/writer.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace nestor::smv {
namespace {

// Listing 5.1 of the thesis on recursive Kripke structures.
constexpr const char* kListing51 = R"(MODULE main VAR
  counter : 0..6;
  state : {s1,s2,s3};
  ready : boolean;
DEFINE
  in_state2 := state in {s2};
  cr_reset := counter = 0;
ASSIGN
  init(state) := s1;
  next(state) :=
    case
      counter = 2 : {s1};
      TRUE :
        case
          state = s1 : {s2,s3};
          state = s2 : {s2};
          state = s3 : {s3,s1};
        esac;
    esac;
  init(counter) := 0;
  next(counter) := (counter + 1) mod 3;
  init(ready) := FALSE;
  next(ready) := case
    counter = 2 : !ready;
    TRUE : ready;
  esac;
SPEC AG (in_state2 -> cr_reset)
SPEC E [ in_state2 U cr_reset ]
)";

// Listing 5.2, with the labels of figure 5.2: in the listing q is at b2, which is a call, where the
// figure has it at b3.
std::string listing52(const std::string& labelled) {
  return R"(MODULE foo
VAR
  state : {f1,f2};
DEFINE
  p := state in {EXIT};
  q := state in {f1};
CALL
  bar := state in {f2};
ASSIGN
  init(state) := f1;
  next(state) := case
    state = f1 : {f2};
    state = f2 : {EXIT};
  esac;
SPEC E [q U p]
SPEC EF q
SPEC EF p

MODULE bar
VAR
  state : {b1,b2,b3,b4,b5};
DEFINE
  q := state in {b1,)" +
         labelled + R"(,EXIT};
  x := state in {EXIT};
  y := state in {b1};
CALL
  foo := state in {b2,b4};
ASSIGN
  init(state) := b1;
  next(state) := case
    state = b1 : {b2,b4};
    state = b2 : {b3};
    state = b3 : {EXIT};
    state = b4 : {b5};
    state = b5 : {EXIT};
  esac;
SPEC EF x
SPEC y
)";
}

using Graph = std::map<std::string, std::set<std::string>>;

model::Rsm explored(const std::string& text, model::Fairness* fairness = nullptr) {
  const logic::ReadModel read = read_smv(base::Input::from_text("test.smv", text), {});
  model::ExploreOptions options;
  options.fairness = fairness;
  return model::explore(read.states(), read.states()->propositions(), options);
}

Graph graph_of(const model::Rsm& model) {
  Graph graph;
  for (const model::NodeId n : model.nodes()) {
    std::set<std::string>& next = graph[std::string(model.node_name(n))];
    for (const model::NodeId m : model.successors(n)) {
      next.emplace(model.node_name(m));
    }
  }
  return graph;
}

std::set<std::string> with(const model::Rsm& model, std::string_view proposition) {
  std::set<std::string> names;
  for (const model::NodeId n : model.nodes_with(model.find_prop(proposition))) {
    names.insert(model.describe(n));
  }
  return names;
}

std::string state(int counter, const char* name, bool ready) {
  return "counter = " + std::to_string(counter) + ", state = " + name +
         ", ready = " + (ready ? "TRUE" : "FALSE");
}

std::string message_of(const std::string& text) {
  try {
    read_smv(base::Input::from_text("test.smv", text), {});
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(SmvReader, HasTheStateGraphOfListing51) {
  const model::Rsm model = explored(kListing51);
  Graph expected;  // figure 5.1; where it has (1,s3) a second time it must be (2,s3)
  for (const bool ready : {false, true}) {
    const std::string again = state(0, "s1", !ready);
    expected[state(0, "s1", ready)] = {state(1, "s2", ready), state(1, "s3", ready)};
    expected[state(1, "s2", ready)] = {state(2, "s2", ready)};
    expected[state(1, "s3", ready)] = {state(2, "s3", ready), state(2, "s1", ready)};
    expected[state(2, "s2", ready)] = {again};
    expected[state(2, "s3", ready)] = {again};
    expected[state(2, "s1", ready)] = {again};
  }
  EXPECT_EQ(graph_of(model), expected);
  ASSERT_EQ(model.initial_nodes().size(), 1U);
  EXPECT_EQ(model.node_name(model.initial_nodes().front()), state(0, "s1", false));
  EXPECT_EQ(with(model, "cr_reset"),
            (std::set<std::string>{state(0, "s1", false), state(0, "s1", true)}));
  EXPECT_EQ(with(model, "in_state2"),
            (std::set<std::string>{state(1, "s2", false), state(2, "s2", false),
                                   state(1, "s2", true), state(2, "s2", true)}));
}

/// The values of `x` in the states with the proposition.
std::set<std::string> values_with(const model::Rsm& model, const std::string& proposition) {
  std::set<std::string> values;
  for (const std::string& name : with(model, proposition)) {
    const std::size_t begin = name.find("x = ") + 4;
    values.insert(name.substr(begin, name.find(',', begin) - begin));
  }
  return values;
}

// Conditions on one variable are placed through an index, others are evaluated in every state;
// the sets are what the expressions say. x has every value below 10 with both values of b.
TEST(SmvReader, PlacesPropositionsByIndexAndByValue) {
  const std::map<std::string, std::set<std::string>> expected = {
      {"x = 3", {"3"}},
      {"4 = x", {"4"}},
      {"x in {7, 2, 12}", {"2", "7"}},
      {"x = 1 | x in {8, 1} | x = 9", {"1", "8", "9"}},
      {"x = 12", {}},
      {"x != 3 & x > 7", {"8", "9"}},
      {"x mod 4 = 1", {"1", "5", "9"}},
      {"!(x < 9)", {"9"}},
      {"x = 3 & b", {"3"}},
      {"x = 5 | (b & x = 0)", {"0", "5"}},
  };
  const logic::ReadModel read = read_smv(
      base::Input::from_text("test.smv",
                             "MODULE main VAR b : boolean; x : 0..9;\nASSIGN init(x) := 0;\n"
                             "next(x) := (x + 1) mod 10;\n"),
      {});
  std::vector<std::string> names{"b"};
  for (const auto& [name, values] : expected) {
    names.push_back(name);
  }
  const model::Rsm model = model::explore(read.states(), names, {});
  ASSERT_EQ(model.node_count(), 20U);
  for (const auto& [name, values] : expected) {
    EXPECT_EQ(values_with(model, name), values) << name;
  }
  EXPECT_EQ(with(model, "b").size(), 10U);
  EXPECT_EQ(with(model, "x = 3").size(), 2U);
  EXPECT_EQ(with(model, "x = 3 & b"), (std::set<std::string>{"b = TRUE, x = 3"}));
  const auto key_of = [&](const char* atom) {
    return read.states()->key(*read.states()->find_proposition(atom).number);
  };
  EXPECT_TRUE(key_of("x = 1 | x in {8, 1} | x = 9")->holds_at.has_value());
  EXPECT_TRUE(key_of("x mod 4 = 1").has_value());
  EXPECT_FALSE(key_of("x mod 4 = 1")->holds_at.has_value());
  EXPECT_FALSE(key_of("x = 3 & b").has_value());
}

TEST(SmvReader, HasTheStructureOfListing52) {
  logic::FormulaPool pool;
  logic::ReadOptions options;
  options.properties = &pool;
  const logic::ReadModel read =
      read_smv(base::Input::from_text("test.smv", listing52("b3")), options);
  ASSERT_EQ(read.machines().size(), 2U);  // foo is initial for its specifications, bar for its own
  ASSERT_EQ(read.properties.size(), 5U);
  EXPECT_EQ(read.properties[2].model, 0U);
  EXPECT_EQ(read.properties[3].model, 1U);
  const model::Rsm& model = read.machines()[0];
  EXPECT_EQ(model.component_name(model.initial_component()), "foo_initial");
  ASSERT_EQ(model.component_count(), 3U);
  for (const model::ComponentId c : model.components()) {
    if (model.component_name(c) == "bar") {
      std::map<std::string, std::set<std::string>> graph;
      for (const model::NodeId n : model.component(c).nodes()) {
        if (model.kind(n) != model::NodeKind::Call) {
          for (const model::NodeId m : model.successors(n)) {
            graph[model.describe(n)].insert(model.describe(m));
          }
        }
      }
      const Graph expected = {{"bar.b1", {"bar.b2.f1", "bar.b4.f1"}},
                              {"bar.b2.EXIT", {"bar.b3"}},
                              {"bar.b4.EXIT", {"bar.b5"}},
                              {"bar.b3", {"bar.EXIT"}},
                              {"bar.b5", {"bar.EXIT"}}};
      EXPECT_EQ(graph, expected);
    }
  }
  EXPECT_EQ(with(model, "q"),
            (std::set<std::string>{"foo_initial.f1", "foo.f1", "bar.b1", "bar.b3", "bar.EXIT"}));
  EXPECT_EQ(with(model, "p"), (std::set<std::string>{"foo_initial.EXIT", "foo.EXIT"}));
  EXPECT_EQ(with(model, "x"), (std::set<std::string>{"bar.EXIT"}));
  EXPECT_EQ(with(model, "y"), (std::set<std::string>{"bar.b1"}));
}

TEST(SmvReader, RefusesTheLabelledCallOfListing52) {
  EXPECT_EQ(message_of(listing52("b2")),
            "test.smv:27:3: error: the call in state 'b2' of module 'bar' has the label 'q', "
            "expected none");
}

TEST(SmvReader, AddsTheVirtualTerminationAfterTheInitialExit) {
  const logic::ReadModel read =
      read_smv(base::Input::from_text("test.smv",
                                      "MODULE m\nVAR s : {a};\nDEFINE p := s = EXIT;\n"
                                      "ASSIGN init(s) := a; next(s) := EXIT;\n"),
               {});
  const Graph expected = {
      {"a", {"EXIT"}}, {"EXIT", {"terminated"}}, {"terminated", {"terminated"}}};
  EXPECT_EQ(graph_of(read.machines().front()), expected);
  EXPECT_EQ(with(read.machines()[0], "p"), (std::set<std::string>{"m.EXIT"}));
}

TEST(SmvReader, KeepsExitForever) {
  // y is EXIT one step before x: meanwhile its assignment, which would fail, is not looked at.
  const logic::ReadModel read =
      read_smv(base::Input::from_text(
                   "test.smv",
                   "MODULE m\nVAR x : 0..2; y : 0..1;\nASSIGN init(x) := 0; init(y) := 0;\n"
                   "next(x) := case x = 2 : EXIT; TRUE : x + 1; esac;\n"
                   "next(y) := case x = 1 : EXIT; TRUE : y; esac;\n"),
               {});
  const Graph expected = {{"x=0,y=0", {"x=1,y=0"}},
                          {"x=1,y=0", {"x=2,y=EXIT"}},
                          {"x=2,y=EXIT", {"x=EXIT,y=EXIT"}},
                          {"x=EXIT,y=EXIT", {"terminated"}},
                          {"terminated", {"terminated"}}};
  EXPECT_EQ(graph_of(read.machines().front()), expected);
}

TEST(SmvReader, ComputesWithWords) {
  const model::Rsm model = explored(R"(MODULE main
VAR w : unsigned word[4]; s : signed word[3];
ASSIGN init(w) := 0ud4_14; next(w) := w + 0ud4_1;
  init(s) := -0sd3_4; next(s) := s >> 1;
DEFINE wraps := w = 0ud4_0; top := w[3:2] = 0ub2_11; both := (w[1:0] :: 0ub1_1) = 0ub3_101;
  minus := toint(s) = -1; back := signed(unsigned(s)) = s; big := w > 0ud4_7;
SPEC TRUE
)");
  // (14, -4), (15, -2), and from then on s is -1 while w goes round.
  EXPECT_EQ(model.node_count(), 18U);
  EXPECT_EQ(with(model, "top").size(), 6U);  // 12 to 15, and the first two
  EXPECT_EQ(with(model, "wraps"), (std::set<std::string>{"w = 0ud4_0, s = -0sd3_1"}));
  EXPECT_EQ(with(model, "minus").size(), 16U);
  EXPECT_EQ(with(model, "back").size(), 18U);
  EXPECT_EQ(with(model, "both").size(), 5U);  // w mod 4 = 2: four, and the first
  EXPECT_EQ(with(model, "big").size(), 10U);
}

// The branches are as far apart as numbers of 64 bits can be: no table from one to the other.
TEST(SmvReader, DistinguishesTheLargestAndTheSmallestWord) {
  const model::Rsm model = explored(R"(MODULE main
VAR w : signed word[64];
ASSIGN
  init(w) := -0sd64_9223372036854775808;
  next(w) := case
    w = -0sd64_9223372036854775808 : 0sd64_9223372036854775807;
    w = 0sd64_9223372036854775807 : 0sd64_1;
    w = 0sd64_1 : 0sd64_2;
    w = 0sd64_2 : 0sd64_2;
  esac;
)");
  const Graph expected = {{"w = -0sd64_9223372036854775808", {"w = 0sd64_9223372036854775807"}},
                          {"w = 0sd64_9223372036854775807", {"w = 0sd64_1"}},
                          {"w = 0sd64_1", {"w = 0sd64_2"}},
                          {"w = 0sd64_2", {"w = 0sd64_2"}}};
  EXPECT_EQ(graph_of(model), expected);
}

// Inside, the constants of enumerations are the numbers from 2^62 on.
TEST(SmvReader, TellsLargeWordsFromConstants) {
  const model::Rsm model = explored(R"(MODULE main
VAR s : {a, b};
    w : unsigned word[64];
ASSIGN
  init(s) := b;
  init(w) := 0ud64_4611686018427387905;
  next(s) := s;
  next(w) := w;
)");
  EXPECT_EQ(
      graph_of(model),
      (Graph{{"s = b, w = 0ud64_4611686018427387905", {"s = b, w = 0ud64_4611686018427387905"}}}));
}

// `high` takes its constants in another order than that in which they are first met.
TEST(SmvReader, EnumerationsMayShareConstants) {
  const model::Rsm model = explored(R"(MODULE main
VAR low : {a, b, c};
    high : {c, d, a};
ASSIGN
  init(low) := a;
  next(low) := case low = a : c; TRUE : low; esac;
  init(high) := d;
  next(high) := case low = c : a; TRUE : high; esac;
)");
  EXPECT_EQ(graph_of(model), (Graph{{"low = a, high = d", {"low = c, high = d"}},
                                    {"low = c, high = d", {"low = c, high = a"}},
                                    {"low = c, high = a", {"low = c, high = a"}}}));
}

TEST(SmvReader, MarksTheStepsThatSatisfyFairness) {
  model::Fairness fairness;
  const model::Rsm model = explored(R"(MODULE main
VAR p : process flip; q : process flip;
MODULE flip
VAR x : boolean;
ASSIGN init(x) := FALSE; next(x) := !x;
FAIRNESS running
)",
                                    &fairness);
  EXPECT_EQ(fairness.constraints, 2U);
  ASSERT_EQ(model.node_count(), 4U);
  ASSERT_EQ(model.transition_count(), 12U);  // each state: p runs, q runs, main runs
  ASSERT_EQ(fairness.marks.size(), 12U);
  for (const model::NodeId n : model.nodes()) {
    const std::span<const std::uint32_t> marks = fairness.marks_of(model, n);
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      // The step that changes nothing is main's.
      EXPECT_EQ(marks[i] == 0, model.successors(n)[i] == n);
      all |= marks[i];
    }
    EXPECT_EQ(all, 3U);
  }
}

TEST(SmvReader, ReportsWhatItDoesNotSupport) {
  logic::FormulaPool pool;
  logic::ReadOptions options;
  options.properties = &pool;
  const logic::ReadModel read = read_smv(base::Input::from_text("test.smv", R"(MODULE main
VAR x : boolean;
LTLSPEC G F x
CTLSPEC NAME fine := EF x;
SPEC AG ABF 0..10001 x
PSLSPEC NAME p := always {x; x};
INVARSPEC x
)"),
                                         options);
  ASSERT_EQ(read.properties.size(), 5U);
  EXPECT_TRUE(read.properties[0].formula.formula.valid());
  EXPECT_EQ(read.properties[0].formula.text, "LTLSPEC G F x");
  EXPECT_EQ(read.properties[1].formula.name, "fine");
  EXPECT_TRUE(read.properties[1].formula.formula.valid());
  EXPECT_EQ(read.properties[2].unsupported, "unsupported: a bound above 10000, line 5");
  EXPECT_EQ(read.properties[3].unsupported, "unsupported: regular expressions of PSL, line 6");
  EXPECT_EQ(read.properties[4].formula.formula, pool.unary(logic::Op::AG, pool.atom("x")));
}

TEST(SmvReader, DecidesNothingUnderAConstraintItDoesNotKnow) {
  logic::FormulaPool pool;
  logic::ReadOptions options;
  options.properties = &pool;
  const logic::ReadModel read =
      read_smv(base::Input::from_text(
                   "test.smv", "MODULE main\nVAR x : boolean;\nCOMPASSION (x, !x)\nSPEC x\n"),
               options);
  ASSERT_EQ(read.properties.size(), 1U);
  EXPECT_FALSE(read.properties[0].formula.formula.valid());
  EXPECT_EQ(read.properties[0].unsupported, "unsupported: COMPASSION, line 3");
}

TEST(SmvReader, LongChainsDoNotUseTheStack) {
  std::string text = "MODULE main\nVAR x : boolean;\nDEFINE d0 := x;\n";
  for (int i = 1; i <= 20000; ++i) {
    text += "d" + std::to_string(i) + " := !d" + std::to_string(i - 1) + " | FALSE;\n";
  }
  text += "long := x";
  for (int i = 0; i < 20000; ++i) {
    text += i % 2 == 0 ? " & x" : " | x";
  }
  text += ";\nSPEC AG (d20000 <-> x)\n";
  const model::Rsm model = explored(text);
  EXPECT_EQ(with(model, "d20000"), (std::set<std::string>{"x = TRUE"}));
  EXPECT_EQ(with(model, "long"), (std::set<std::string>{"x = TRUE"}));
}

// A module has one initial state. The initial component may begin in one of its entries and be
// called at another one.
TEST(SmvWriter, RefusesACallOfAnInitialComponentWithSeveralEntries) {
  using Ref = model::ModelBuilder::Ref;
  model::ModelBuilder builder("two entries");
  builder.component("main");
  builder.node({.name = "a", .is_entry = true});
  builder.node({.name = "b", .is_entry = true});
  builder.box("again", "main");
  builder.transition(Ref::node("a"), Ref::box_node("again", "b"));
  builder.transition(Ref::node("b"), Ref::node("b"));
  builder.initial_component("main");
  builder.initial_node("a");
  try {
    write_smv(builder.finish());
    FAIL() << "written";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message(), "component 'main' has several entries, which SMV cannot express");
  }
}

TEST(SmvWriter, WritesWhatItReads) {
  const logic::ReadModel read = read_smv(base::Input::from_text("test.smv", listing52("b3")), {});
  const std::string once = write_smv(read.machines()[0]);
  const logic::ReadModel again = read_smv(base::Input::from_text("again.smv", once), {});
  EXPECT_EQ(write_smv(again.machines().front()), once);
}

}  // namespace
}  // namespace nestor::smv
