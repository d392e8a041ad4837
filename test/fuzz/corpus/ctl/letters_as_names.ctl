E [X U Y]
E U U U
E X U
X & F | G
A (X & p W q)
