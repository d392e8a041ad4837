AG "p
q
