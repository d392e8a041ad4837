#include "net/prod_reader.h"

namespace nestor::net {

std::shared_ptr<ProdStates> read_prod(const base::Input& input) {
  return std::make_shared<ProdStates>(std::make_shared<const ProdModel>(input));
}

}  // namespace nestor::net
