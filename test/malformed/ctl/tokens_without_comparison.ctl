AG tokens(p)
