define i32 @main() {
  %b = add i32 %a, 2
  %a = add i32 1, 2
  ret i32 %b
}
