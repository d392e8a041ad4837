-- requests are served
served := AG (request -> AF state.busy)
A [!grant[0] W request & arr[1].x] xor E [p U q <-> r]
TRUE xnor FALSE
