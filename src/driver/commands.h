#pragma once

#include "driver/options.h"
#include "driver/run.h"

namespace nestor::driver {

// One function a command; each returns the exit status. They throw Error for the driver to report.

int run_check(const Options& options, const Streams& streams);
int run_verify(const Options& options, const Streams& streams);
int run_replay(const Options& options, const Streams& streams);
int run_label(const Options& options, const Streams& streams);
int run_info(const Options& options, const Streams& streams);
int run_convert(const Options& options, const Streams& streams);
int run_generate(const Options& options, const Streams& streams);
int run_probe(const Options& options, const Streams& streams);
int run_serve(const Options& options, const Streams& streams);
int run_cc(const Options& options, const Streams& streams);
int run_cxx(const Options& options, const Streams& streams);
int run_lint(const Options& options, const Streams& streams);
int run_merge(const Options& options, const Streams& streams);
int run_rules(const Options& options, const Streams& streams);
int run_engines(const Options& options, const Streams& streams);
int run_completion(const Options& options, const Streams& streams);
int run_docs(const Options& options, const Streams& streams);

}  // namespace nestor::driver
