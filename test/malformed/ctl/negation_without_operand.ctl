EF !
