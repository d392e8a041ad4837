E X p
EF p
E (G p)
A [X p]
AF p
A ((G p))
E p U q
A (p R q)
E [p W q]
A p R q
