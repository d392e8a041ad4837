a := p
a := q
