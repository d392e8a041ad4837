(* The lines of a file, without their ends. *)

type t = { channel : in_channel; mutable count : int }

let of_channel channel = { channel; count = 0 }
let number t = t.count

let next t =
  match input_line t.channel with
  | line -> t.count <- t.count + 1; Some line
  | exception End_of_file -> None
