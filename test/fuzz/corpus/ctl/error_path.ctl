E (p & q)
E X X p
