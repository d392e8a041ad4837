G E (p & q)
