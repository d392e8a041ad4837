#include "driver/run.h"

#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return nestor::driver::run(arguments,
                             {std::cout, std::cerr, isatty(STDERR_FILENO) != 0, &std::cin,
                              isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0});
}
