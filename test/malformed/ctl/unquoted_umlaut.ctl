AG größe
