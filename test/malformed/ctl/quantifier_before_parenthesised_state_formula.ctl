A (p & q)
