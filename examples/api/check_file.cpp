#include <iostream>
#include <nestor/nestor.h>

int main(int /*argc*/, char** argv) {
  nestor::Session session(nestor::Model::read(argv[1]), {.wants_evidence = true});
  for (const auto& formula : nestor::Formula::read(argv[2])) {
    const std::size_t question = session.ask(formula);
    std::cout << to_string(session.verdict(question).verdict) << ' ' << formula.text() << '\n';
    if (const auto witness = session.witness(question))
      std::cout << witness->text();
  }
}
