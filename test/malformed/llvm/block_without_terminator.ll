define i32 @main() {
  %a = add i32 1, 2
}
