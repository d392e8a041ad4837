a & b | c xor d <-> e -> f --> g
!(a -> b) & (c | (d & e))
(a -> b) -> (c <-> d) xnor e
