"odd name" := "a b" & "\"\\\x0a" | "true"
"" -> X & U
