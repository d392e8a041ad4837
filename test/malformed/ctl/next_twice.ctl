E X X p
