AG tokens("p) > 1
