A (G F p
