#include "explain/witness.h"

namespace nestor {

std::string_view to_string(Step step) {
  switch (step) {
    case Step::Local:
      return "local";
    case Step::Call:
      return "call";
    case Step::Return:
      return "return";
    case Step::ReturnCall:
      return "return call";
    case Step::Stay:
      return "stay";
  }
  return "local";
}

}  // namespace nestor
