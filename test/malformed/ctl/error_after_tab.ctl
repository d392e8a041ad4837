	p	q
