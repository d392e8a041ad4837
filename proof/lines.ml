(* The lines of a file, plain or compressed, without their ends. *)

type t = {
  more : Bytes.t -> int;
  buffer : Bytes.t;
  mutable at : int;
  mutable filled : int;
  mutable count : int;
}

let of_channel channel =
  let buffer = Bytes.create 65536 in
  (* The first two bytes tell whether it is compressed. *)
  let filled = ref (input channel buffer 0 2) in
  if !filled = 1 then filled := 1 + input channel buffer 1 1;
  let is_compressed = !filled = 2 && Bytes.sub_string buffer 0 2 = "\x1f\x8b" in
  if not is_compressed then
    let more buffer = input channel buffer 0 (Bytes.length buffer) in
    { more; buffer; at = 0; filled = !filled; count = 0 }
  else begin
    let ahead = ref [ 0x1f; 0x8b ] in
    let byte () =
      match !ahead with
      | first :: rest -> ahead := rest; first
      | [] -> (match input_char channel with c -> Char.code c | exception End_of_file -> -1)
    in
    { more = Gunzip.input (Gunzip.create byte); buffer; at = 0; filled = 0; count = 0 }
  end

(* Of the line read last, from 1. *)
let number t = t.count

let next t =
  let line = Buffer.create 80 in
  let rec go () =
    if t.at = t.filled then begin
      t.filled <- t.more t.buffer;
      t.at <- 0
    end;
    if t.filled = 0 then Buffer.length line > 0
    else
      match Bytes.index_from t.buffer t.at '\n' with
      | stop when stop < t.filled ->
        Buffer.add_subbytes line t.buffer t.at (stop - t.at);
        t.at <- stop + 1;
        true
      | _ | (exception Not_found) ->
        Buffer.add_subbytes line t.buffer t.at (t.filled - t.at);
        t.at <- t.filled;
        go ()
  in
  if go () then begin
    t.count <- t.count + 1;
    Some (Buffer.contents line)
  end else None
