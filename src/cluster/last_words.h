#pragma once

#include <cstdint>
#include <string>

namespace nestor::cluster {

/// If this process is told to end (SIGTERM, which `mpirun` sends to all when one process has died),
/// it writes this text to standard output and ends with the status for what is unknown. Of several
/// processes with such a text the first one speaks: `spoken` is a word in memory that they share.
void keep_last_words(std::string text, std::uint32_t* spoken);
/// From now on nobody says it. False: somebody has.
bool take_last_words_back();
/// This process says nothing, and looks at `spoken` no more.
void forget_last_words();
/// Writes it now, once.
void say_last_words();

}  // namespace nestor::cluster
