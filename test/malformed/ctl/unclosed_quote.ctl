AG "p -> q
