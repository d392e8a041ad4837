!!!(((EX E (((p & (q)) U A [AX r W (E X s)])))))
