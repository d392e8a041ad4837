// The commands `check` and `probe` as users run them, several formulas in one run.

#include "driver/run.h"
#include "engine/registry.h"
#include "strike.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <streambuf>
#include <vector>

namespace nestor::test {

namespace {

constexpr std::size_t kCommandSamples = 10;
constexpr int kAsked = 8;  // of `probe`, at the end

/// Where a command writes, in memory that is there before allocations fail.
class FixedBuffer final : public std::streambuf {
 public:
  FixedBuffer() : bytes_(std::size_t{1} << 20) { clear(); }
  void clear() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  std::string text() const { return {pbase(), pptr()}; }

 private:
  std::vector<char> bytes_;
};

/// What a command reads.
class FixedInput final : public std::streambuf {
 public:
  explicit FixedInput(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 private:
  std::string text_;
};

struct Ran {
  int status = 0;
  std::vector<std::string> lines;
  std::string errors;
  bool struck = false;
};

Ran run_command(const std::vector<std::string>& arguments, const std::string& input,
                const Strike& strike) {
  static FixedBuffer out_buffer;
  static FixedBuffer err_buffer;
  out_buffer.clear();
  err_buffer.clear();
  std::ostream out(&out_buffer);
  std::ostream err(&err_buffer);
  FixedInput in_buffer(input);
  std::istream in(&in_buffer);
  Ran ran;
  const driver::Streams streams{out, err, false, &in};
  ran.struck = run_under(strike, [&] { ran.status = driver::run(arguments, streams); }).any;
  const std::string text = out_buffer.text();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ran.lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  ran.errors = err_buffer.text();
  return ran;
}

constexpr Strike kNone{Strike::Kind::Memory, 0};

struct CommandSubject {
  std::string model;
  std::vector<std::string> formulas;
};

/// Counters in a net pass powers of two.
std::string growing_net_text() {
  return R"(<pnml><net id="n"><page id="g">
<place id="a"><initialMarking><text>5</text></initialMarking></place>
<place id="b"/>
<transition id="t"/><transition id="u"/>
<arc id="1" source="a" target="t"/>
<arc id="2" source="t" target="b"><inscription><text>3</text></inscription></arc>
<arc id="3" source="b" target="u"><inscription><text>3</text></inscription></arc>
<arc id="4" source="u" target="a"/>
</page></net></pnml>
)";
}

/// Modules that call each other are explored while they are read.
std::string recursive_smv() {
  return R"(MODULE foo
VAR state : {f1, f2, f3}; n : 0..5;
DEFINE p := state in {EXIT}; q := state in {f1};
CALL bar := state in {f2};
ASSIGN
  init(state) := f1;
  init(n) := 0;
  next(state) := case state = f1 : {f2, f3}; state = f2 : {EXIT}; TRUE : {f1, f3, EXIT}; esac;
  next(n) := case state in {EXIT} : 0; state in {f2} : 0; n < 5 : n + 1; TRUE : 0; esac;
MODULE bar
VAR state : {b1, b2, b3};
DEFINE q := state in {b1, b3};
CALL foo := state in {b2};
ASSIGN
  init(state) := b1;
  next(state) := case state = b1 : {b2, b3}; state = b2 : {b3}; state = b3 : {EXIT}; esac;
)";
}

std::vector<CommandSubject> subjects(const std::filesystem::path& folder) {
  const std::string examples = NESTOR_SOURCE_DIR "/examples/";
  const std::filesystem::path net = folder / "growing.pnml";
  std::ofstream(net) << growing_net_text();
  const std::filesystem::path modules = folder / "recursive.smv";
  std::ofstream(modules) << recursive_smv();
  return {
      {net.string(),
       {"EF tokens(b) > 12", "AG tokens(a) > 0", "AG EF (tokens(b) + tokens(a) = 7)",
        "EG tokens(b) < 7", "AF deadlock"}},
      {examples + "counter.smv",
       {"AG EF \"counter = 2 & ready\"", "E [!ready U \"state = s3\"]", "AF in_state2",
        "EX \"counter + 1 = 2\"", "AG (cr_reset -> AX \"counter != 0\")"}},
      {examples + "mutex.net",
       {"AG EF \"tokens(turn<.0.>) = 1\"", "EF \"fireable(go_critical)\"", "AG \"!deadlock\"",
        "EG \"tokens(process<.1,0.>) = 1\"", "AF \"tokens(turn<.1.>) = 1\""}},
      {modules.string(), {"EF p", "AG EF q", "E [q U p]", "AF p", "EX EX q"}},
      {examples + "recursion.rsm", {"AF done", "EF done", "EG !done", "AG EF done", "EX EX true"}},
      {examples + "dataflow.rsm", {"EF use_i", "AG EF end", "E [!def_i U use_i]", "AF end", "end"}},
  };
}

/// Holds, fails or unknown, of each formula. What is below it shows why.
std::vector<std::string> verdicts(const Ran& ran) {
  std::vector<std::string> found;
  for (const std::string& line : ran.lines) {
    if (!line.starts_with(' ')) {
      found.push_back(line.substr(0, line.find(' ')));
    }
  }
  return found;
}

/// No memory before there was anything to answer; or, with a limit, a model that was not explored.
bool is_refused(const Ran& ran, const Strike& strike) {
  return ran.status == driver::kBadUsageOrInput && ran.lines.empty() &&
         ran.errors.find(strike.kind == Strike::Kind::Memory ? "memory" : "steps") !=
             std::string::npos;
}

void strike_check(const CommandSubject& subject, const std::filesystem::path& folder,
                  base::Random& random, Report& report) {
  const engine::EngineInfo& engine =
      engine::engine_registry()[random.below(engine::engine_registry().size())];
  const std::filesystem::path certificates = folder / "certificates";
  std::vector<std::string> arguments = {"check", subject.model,
                                        fmt::format("--engine={}", engine.id),
                                        fmt::format("--certificate-dir={}", certificates.string())};
  for (const std::string& formula : subject.formulas) {
    arguments.insert(arguments.end(), {"-f", formula});
  }
  if (random.chance(0.7)) {
    arguments.emplace_back("--witness");
  }
  const std::vector<std::string> right = verdicts(run_command(arguments, "", kNone));
  const auto ask = [&](const Strike& strike) {
    std::vector<std::string> limited = arguments;
    if (strike.kind == Strike::Kind::Steps) {
      limited.push_back(fmt::format("--steps={}", strike.at));
    }
    std::filesystem::remove_all(certificates);
    const Ran ran = run_command(limited, "", strike);
    const std::vector<std::string> found = verdicts(ran);
    bool fits = is_refused(ran, strike) || found.size() == right.size();
    for (std::size_t i = 0; i < found.size() && fits; ++i) {
      fits = found[i] == right[i] || found[i] == "unknown";
    }
    report.expect(fits, [&] {
      return fmt::format("{}: {}\nstatus {}, {}", fmt::join(limited, " "), fmt::join(found, " "),
                         ran.status, ran.errors);
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::filesystem::path proof = certificates / fmt::format("{}.cert", i + 1);
      if (std::filesystem::exists(proof)) {
        const Ran verified = run_command({"verify", subject.model, proof.string()}, "", kNone);
        report.expect(verified.lines == std::vector{fmt::format("verified: {}", right[i])},
                      [&] { return fmt::format("{}: {}", proof.string(), verified.errors); });
      }
    }
    return ran.struck || found != right ||
           ran.errors.find("steps") != std::string::npos;  // of a witness or certificate
  };
  report.sweep("check", random, kCommandSamples, ask);
}

/// Before the first answer that is missing all are right; of what is asked at the end, in one line
/// each, all are right or unknown.
bool is_interrupted(const std::vector<std::string>& found, const std::vector<std::string>& right) {
  const auto unknown = std::ranges::find(found, "unknown: out of memory");
  const auto [differs, unused] =
      std::ranges::mismatch(found.begin(), unknown, right.begin(), right.end());
  if (differs != unknown) {
    return false;
  }
  if (unknown == found.end()) {
    return true;  // there was no memory to read the next line
  }
  const auto after = std::min<std::ptrdiff_t>(found.end() - unknown - 1, kAsked);
  return after <= static_cast<std::ptrdiff_t>(right.size()) &&
         std::equal(found.end() - after, found.end(), right.end() - after,
                    [&](const std::string& is, const std::string& should_be) {
                      return is == should_be || is == *unknown;
                    });
}

void strike_probe(const CommandSubject& subject, base::Random& random, Report& report) {
  // Each atom is new once and known afterwards; the second time, the answer may be kept.
  std::vector<std::string> commands;
  for (int i = 0; i < kAsked; ++i) {
    commands.push_back(
        fmt::format("ask {}", subject.formulas[random.below(subject.formulas.size())]));
  }
  const std::vector<std::string> arguments = {"probe", subject.model};
  const std::string input = fmt::format("{}\n", fmt::join(commands, "\n"));
  const std::vector<std::string> right = run_command(arguments, input, kNone).lines;
  const std::vector<std::string> shown = {"why {}", "run {}\nrestart"};
  std::string more;
  for (int i = 0; i < 3; ++i) {
    more += fmt::format(fmt::runtime(shown[random.below(shown.size())] + "\n"),
                        subject.formulas[random.below(subject.formulas.size())]);
  }
  more += input;
  const std::vector<std::string> more_right = run_command(arguments, more, kNone).lines;
  const auto ask = [&](const Strike& strike) {
    const bool memory = strike.kind == Strike::Kind::Memory;
    std::vector<std::string> limited = arguments;
    if (!memory) {
      limited.push_back(fmt::format("--steps={}", strike.at));
    }
    const Ran ran = run_command(limited, memory ? more : input, strike);
    bool fits = is_refused(ran, strike) || memory || ran.lines.size() == right.size();
    bool struck = ran.struck || is_refused(ran, strike);
    if (memory) {
      fits = fits && is_interrupted(ran.lines, more_right);
    }
    for (std::size_t i = 0; i < ran.lines.size() && !memory && fits; ++i) {
      const bool unknown = ran.lines[i].starts_with("unknown: ");
      fits = unknown || ran.lines[i] == right[i];
      struck = struck || unknown;
    }
    report.expect(fits, [&] {
      return fmt::format("{}\n{}gives\n{}\n{}", fmt::join(limited, " "), memory ? more : input,
                         fmt::join(ran.lines, "\n"), ran.errors);
    });
    return struck;
  };
  report.sweep("probe", random, kCommandSamples, ask);
}

}  // namespace

void strike_commands(base::Random& random, Report& report) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("limit_strikes_{}", random.next());
  std::filesystem::create_directories(folder);
  const std::vector<CommandSubject> all = subjects(folder);
  strike_check(all[random.below(all.size())], folder, random, report);
  strike_probe(all[random.below(all.size())], random, report);
  std::filesystem::remove_all(folder);
}

}  // namespace nestor::test
