AG (p -> q
