p q
