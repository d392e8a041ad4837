#include "cluster/communicator.h"
#include "cluster/run.h"

#include <iostream>
#include <mpi.h>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
  nestor::cluster::start_mpi(argc, argv);
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  int status = 0;
  {
    nestor::cluster::Communicator communicator;
    status = nestor::cluster::run(communicator, arguments,
                                  {std::cout, std::cerr, isatty(STDERR_FILENO) != 0});
    status = communicator.is_first() ? status : 0;  // one of them tells it
  }
  nestor::cluster::end_mpi();
  return status;
}
