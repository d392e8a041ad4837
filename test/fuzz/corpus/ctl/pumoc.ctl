!E[a U (b && !c)] || EX EG d
