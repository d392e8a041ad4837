// Ten thousand checks in one process leave nothing behind: what is allocated does not grow. Checks
// of all kinds, each with a session of its own.
// usage: many_checks FOLDER-WITH-EXAMPLES [COUNT]

#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <nestor/nestor.h>
#include <string>

namespace {

constexpr std::size_t kMostGrowth = 64 << 10;  // bytes; a check that leaked one would leave more

void check_once(const nestor::Model& model, const std::string& examples, std::size_t number) {
  nestor::Session session(model);
  const std::size_t question = session.ask(number % 2 == 0 ? "AG (def_i -> EF use_i)" : "AF end");
  session.verdict(question);
  if (number % 5 == 0 && !session.witness(question)) {
    std::exit(2);
  }
  if (number % 7 == 0 && !session.certificate(question)) {
    std::exit(2);
  }
  if (number % 100 == 0) {  // also reading, failing and exploring
    nestor::decide(nestor::Model::read(examples + "/philosophers.net"),
                   nestor::Formula::parse("AG EX true"));
    try {
      nestor::Formula::parse("AG (");
    } catch (const nestor::Error&) {
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string examples = argv[1];
  const std::size_t count = argc > 2 ? std::stoul(argv[2]) : 10'000;
  const nestor::Model model = nestor::Model::read(examples + "/dataflow.rsm");
  const auto run = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      check_once(model, examples, i);
    }
    return mallinfo2().uordblks;
  };
  const std::size_t before = run(1000);
  const std::size_t after = run(count);
  std::cout << count << " checks: " << before << " bytes before, " << after << " after\n";
  return after > before + kMostGrowth ? 1 : 0;
}
