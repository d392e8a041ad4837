# a comment line

AG (p -> EF q   -- tail
