G (p S )
