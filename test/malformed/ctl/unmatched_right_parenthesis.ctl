p & q)
