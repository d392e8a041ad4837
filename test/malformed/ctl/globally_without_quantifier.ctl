p -> G q
