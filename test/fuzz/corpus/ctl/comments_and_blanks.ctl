# one

	p // two
q --three
