A [p U ]
