#pragma once

// Nestor as a library: branching-time properties of programs with recursive procedures, of nets and
// of other finite models. This program does what `nestor check --witness` does:
//
//     #include <nestor/nestor.h>
//     #include <iostream>
//
//     int main(int, char** argv) {
//       nestor::Session session(nestor::Model::read(argv[1]), {.wants_evidence = true});
//       for (const auto& formula : nestor::Formula::read(argv[2])) {
//         const std::size_t asked = session.ask(formula);
//         std::cout << to_string(session.verdict(asked).verdict) << ' ' << formula.text() << '\n';
//         if (const auto witness = session.witness(asked)) std::cout << witness->text();
//       }
//     }
//
// It is compiled and run as a test, and is examples/api/check_file.cpp. docs/cpp.md goes on.
//
// Compile with `pkg-config --cflags --libs nestor`, or with CMake:
//
//     find_package(Nestor REQUIRED)
//     target_link_libraries(program PRIVATE nestor::nestor)

#include <nestor/check.h>
#include <nestor/error.h>
#include <nestor/formula.h>
#include <nestor/generate.h>
#include <nestor/model.h>
#include <nestor/program.h>
#include <nestor/settings.h>
#include <nestor/shard.h>
#include <nestor/state_graph.h>
#include <nestor/version.h>
#include <nestor/witness.h>
