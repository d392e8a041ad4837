#include "base/json_reader.h"
#include "witness/witness_document.h"
#include "witness/witness_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor::witness {

namespace {

enum FileKey : std::uint8_t {
  kFormula,
  kVerdict,
  kEngine,
  kFormulas,
  kStacks,
  kStates,
  kEvidence,
  kRoots,
  kFairness,
  kResults
};
constexpr base::JsonShape<10> kFile = {"witness",
                                       {"formula", "verdict", "engine", "formulas", "stacks",
                                        "states", "evidence", "roots", "fairness", "results"},
                                       0};
constexpr std::uint32_t kWitnessNeeds = 0b0011111111;

constexpr base::JsonShape<1> kResult = {"result", {"witness"}, 0};

enum FormulaKey : std::uint8_t { kOp, kName, kLeft, kRight };
constexpr base::JsonShape<4> kFormulaShape = {"formula", {"op", "name", "left", "right"}, 0b0001};

enum StackKey : std::uint8_t { kBelow, kBox };
constexpr base::JsonShape<2> kStackShape = {"stack", {"below", "box"}, 0};

enum StateKey : std::uint8_t { kStack, kProcedure, kNode, kLabels, kSourceFile, kLine };
constexpr base::JsonShape<6> kStateShape = {
    "state", {"stack", "procedure", "node", "labels", "file", "line"}, 0b001111};

enum EvidenceKey : std::uint8_t {
  kKind,
  kOf,
  kHolds,
  kState,
  kPath,
  kSteps,
  kEnding,
  kAlong,
  kParts,
  kLoop,
  kGrown,
  kJoins,
  kJoinAt,
  kFired
};
constexpr base::JsonShape<14> kEvidenceShape = {
    "evidence",
    {"kind", "formula", "holds", "state", "path", "steps", "ending", "along", "parts", "loop",
     "grown", "joins", "join_at", "fired"},
    0b00000000001111};
constexpr std::uint32_t kPathNeeds = 1U << kPath | 1U << kSteps | 1U << kEnding;
constexpr std::uint32_t kLoopNeeds = 1U << kLoop | 1U << kGrown;
constexpr std::uint32_t kJoinNeeds = 1U << kJoins | 1U << kJoinAt;

class Reader : private base::JsonReader {
 public:
  explicit Reader(const base::Input& input) : base::JsonReader(input) {}

  std::vector<WitnessDocument> read() {
    std::vector<WitnessDocument> found;
    WitnessDocument one;
    const std::uint32_t seen = for_each_member(begin(), kFile, [&](std::size_t key, Value& value) {
      if (key == kResults) {
        read_array(value, "'results'", [&](Value& item) { read_result(item, found); });
      } else {
        read_member(key, value, one);
      }
    });
    end();
    // What `check --json` prints has no formulas at its top.
    if ((seen & (1U << kResults)) == 0) {
      require(seen, kWitnessNeeds, kFile, static_cast<base::Offset>(input_.text().find('{')));
      found.push_back(std::move(one));
    }
    return found;
  }

 private:
  void read_result(Value& value, std::vector<WitnessDocument>& found) {
    read_object(value, kResult, [&](std::size_t, Value& member) {
      const base::Offset at = offset(member);
      WitnessDocument one;
      const std::uint32_t seen = read_object(member, kFile, [&](std::size_t key, Value& part) {
        if (key == kResults) {
          skip(part);
        } else {
          read_member(key, part, one);
        }
      });
      require(seen, kWitnessNeeds, kFile, at);
      found.push_back(std::move(one));
    });
  }

  void read_member(std::size_t key, Value& value, WitnessDocument& to) {
    switch (key) {
      case kFormula:
        to.formula_at = input_.locate(offset(value) + 1);
        to.formula = text(value, "'formula'").text;
        break;
      case kVerdict: {
        constexpr std::array<std::string_view, 2> kVerdicts = {"fails", "holds"};
        to.holds = choice(value, "'verdict'", kVerdicts) == 1;
        break;
      }
      case kEngine:
        to.engine = text(value, "'engine'").text;
        break;
      case kFormulas:
        read_array(value, "'formulas'", [&](Value& item) { read_formula(item, to); });
        break;
      case kStacks:
        read_array(value, "'stacks'", [&](Value& item) { read_stack(item, to); });
        break;
      case kStates:
        read_array(value, "'states'", [&](Value& item) { read_state(item, to); });
        break;
      case kEvidence:
        read_array(value, "'evidence'", [&](Value& item) { read_evidence(item, to); });
        break;
      case kFairness:
        to.fairness = index(value, "'fairness'");
        break;
      default:
        to.roots = numbers(value, "'roots'");
    }
  }

  std::uint32_t index(Value& value, std::string_view what) const {
    return number(value, what, 0, "a number");
  }
  std::vector<std::uint32_t> numbers(Value& value, std::string_view what) {
    std::vector<std::uint32_t> list;
    read_array(value, what, [&](Value& item) { list.push_back(index(item, "array element")); });
    return list;
  }
  std::vector<std::string> strings(Value& value, std::string_view what) {
    std::vector<std::string> list;
    read_array(value, what,
               [&](Value& item) { list.emplace_back(text(item, "array element").text); });
    return list;
  }
  template <std::size_t kCount>
  std::size_t choice(Value& value, std::string_view what,
                     const std::array<std::string_view, kCount>& names) {
    const base::JsonText found = text(value, what);
    const auto place = std::find(names.begin(), names.end(), found.text);
    if (place == names.end()) {
      fail(fmt::format("{} is '{}', expected one of: {}", what, found.text, fmt::join(names, ", ")),
           found.at);
    }
    return static_cast<std::size_t>(place - names.begin());
  }
  /// The index of an entry that stands before `size`.
  std::uint32_t earlier(Value& value, std::string_view what, std::size_t size) const {
    const base::Offset at = offset(value);
    const std::uint32_t found = index(value, what);
    if (found >= size) {
      fail(fmt::format("{} is {}, expected the number of an earlier entry", what, found), at);
    }
    return found;
  }

  void read_formula(Value& value, WitnessDocument& to) {
    const base::Offset at = offset(value);
    WitnessDocument::FormulaEntry entry;
    const std::uint32_t seen =
        read_object(value, kFormulaShape, [&](std::size_t key, Value& member) {
          switch (key) {
            case kOp:
              entry.op = static_cast<logic::Op>(choice(member, "'op'", kOpNames));
              break;
            case kName:
              entry.name = name(member, "'name'").text;
              break;
            case kLeft:
              entry.left = earlier(member, "'left'", to.formulas.size());
              break;
            default:
              entry.right = earlier(member, "'right'", to.formulas.size());
          }
        });
    const int operands = logic::operand_count(entry.op);
    const std::uint32_t needed = (entry.op == logic::Op::Atom ? 1U << kName : 0U) |
                                 (operands >= 1 ? 1U << kLeft : 0U) |
                                 (operands == 2 ? 1U << kRight : 0U);
    require(seen, needed, kFormulaShape, at);
    to.formulas.push_back(std::move(entry));
  }

  void read_stack(Value& value, WitnessDocument& to) {
    const base::Offset at = offset(value);
    WitnessDocument::StackEntry entry;
    const std::uint32_t seen = read_object(value, kStackShape, [&](std::size_t key, Value& member) {
      if (key == kBelow) {
        entry.below = to.stacks.empty() ? index(member, "'below'")
                                        : earlier(member, "'below'", to.stacks.size());
      } else {
        entry.box = name(member, "'box'").text;
      }
    });
    if (to.stacks.empty() && seen != 0) {
      fail("the first stack is not empty, expected '{}'", at);
    }
    if (!to.stacks.empty()) {
      require(seen, 0b11, kStackShape, at);
    }
    to.stacks.push_back(std::move(entry));
  }

  void read_state(Value& value, WitnessDocument& to) {
    WitnessDocument::StateEntry entry;
    read_object(value, kStateShape, [&](std::size_t key, Value& member) {
      switch (key) {
        case kStack:
          entry.stack = index(member, "'stack'");
          break;
        case kProcedure:
          entry.procedure = name(member, "'procedure'").text;
          break;
        case kNode:
          entry.node = name(member, "'node'").text;
          break;
        case kLabels:
          entry.labels = strings(member, "'labels'");
          break;
        case kSourceFile:
          entry.file = name(member, "'file'").text;
          break;
        default:
          entry.line = number(member, "'line'", 1, "a positive integer");
      }
    });
    to.states.push_back(std::move(entry));
  }

  void read_evidence(Value& value, WitnessDocument& to) {
    const base::Offset at = offset(value);
    WitnessDocument::EvidenceEntry entry;
    const std::uint32_t seen =
        read_object(value, kEvidenceShape,
                    [&](std::size_t key, Value& member) { read_part(key, member, entry); });
    require(seen,
            (has_path(entry.kind) ? kPathNeeds : 0U) |
                (entry.ending == Evidence::Ending::Loop ? kLoopNeeds : 0U) |
                (entry.ending == Evidence::Ending::Joins ? kJoinNeeds : 0U),
            kEvidenceShape, at);
    to.evidence.push_back(std::move(entry));
  }

  void read_part(std::size_t key, Value& member, WitnessDocument::EvidenceEntry& entry) {
    switch (key) {
      case kKind:
        entry.kind = static_cast<Evidence::Kind>(choice(member, "'kind'", kKindNames));
        break;
      case kOf:
        entry.formula = index(member, "'formula'");
        break;
      case kHolds:
        entry.holds = boolean(member, "'holds'");
        break;
      case kState:
        entry.state = index(member, "'state'");
        break;
      case kPath:
        entry.path = numbers(member, "'path'");
        break;
      case kSteps:
        read_array(member, "'steps'", [&](Value& item) {
          entry.steps.push_back(
              static_cast<model::Step>(choice(item, "array element", kStepNames)));
        });
        break;
      case kEnding:
        entry.ending = static_cast<Evidence::Ending>(choice(member, "'ending'", kEndingNames));
        break;
      case kAlong:
        entry.along = numbers(member, "'along'");
        break;
      case kParts:
        entry.parts = numbers(member, "'parts'");
        break;
      case kLoop:
        entry.loop = index(member, "'loop'");
        break;
      case kGrown:
        entry.grown = strings(member, "'grown'");
        break;
      case kJoins:
        entry.joins = index(member, "'joins'");
        break;
      case kFired:
        skip(member);  // for people: what makes a step is not needed to replay it
        break;
      default:
        entry.join_at = index(member, "'join_at'");
    }
  }
};

}  // namespace

std::vector<WitnessDocument> read_witnesses(const base::Input& input) {
  return Reader(input).read();
}

}  // namespace nestor::witness
