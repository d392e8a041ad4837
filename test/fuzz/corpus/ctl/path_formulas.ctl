G (p -> F q) & E (X X [p U "q"] | O [1,3] r)
A (F G p <-> p S q T r)
F [0, 2] G [1,1] H Y Z p V q
