AG tokens(p<1) > 1
