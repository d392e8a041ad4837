p q = r
