p & q := r
