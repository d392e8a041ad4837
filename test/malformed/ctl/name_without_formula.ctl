safe :=
