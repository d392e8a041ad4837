true := p
