(p q)
