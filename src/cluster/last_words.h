#pragma once

#include <string>

namespace nestor::cluster {

/// If this process is told to end (SIGTERM, which `mpirun` sends to all when one process has died),
/// it writes this text to standard output and ends with the status for what is unknown.
void keep_last_words(std::string text);
void forget_last_words();
/// Writes it now, once.
void say_last_words();

}  // namespace nestor::cluster
