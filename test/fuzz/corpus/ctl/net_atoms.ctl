AG tokens(p1) + 2*tokens(p2) <= 3
E [fireable(t1, "t 2") U 3 - 1 >= tokens(a, b<1,2>)] -> tokens(c) != 0
deadlock & 1 = tokens(x[1].y)
