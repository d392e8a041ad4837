#include "driver/run.h"

#include "base/limits.h"
#include "driver/command_line.h"

#include <fmt/format.h>

#include <exception>
#include <nestor/error.h>
#include <new>
#include <ostream>

namespace nestor::driver {

namespace {

int run_command(std::span<const std::string> arguments, const Streams& streams) {
  const CommandLine line = parse_command_line(arguments);
  if (!line.options.memory) {
    base::keep_free_memory();
  }
  int status = kAllHold;
  if (line.command == nullptr) {
    streams.out << line.text;
  } else {
    status = line.command->run(line.options, streams);
  }
  if (!streams.out.flush()) {
    throw Error(Error::Kind::System, "cannot write standard output");
  }
  return status;
}

int internal_error(const char* what, const Streams& streams) {
  streams.err << fmt::format("internal error: {}\nthis is a bug in nestor, please report it\n",
                             what);
  return kInternalError;
}

}  // namespace

int run(std::span<const std::string> arguments, const Streams& streams) {
  try {
    return run_command(arguments, streams);
  } catch (const Error& error) {
    streams.err << error.what() << '\n';
    if (error.kind() == Error::Kind::Usage) {
      streams.err << "'nestor --help' and 'nestor COMMAND --help' tell what there is\n";
    }
    return kBadUsageOrInput;
  } catch (const std::bad_alloc&) {
    // The machine is too small for the input; nothing is wrong with the program.
    streams.err << "error: out of memory\n";
    return kBadUsageOrInput;
  } catch (const std::exception& error) {
    return internal_error(error.what(), streams);
  } catch (...) {
    // LimitReached, for one, is no std::exception; an engine that lets it out has a bug.
    return internal_error("an exception of unknown type", streams);
  }
}

}  // namespace nestor::driver
