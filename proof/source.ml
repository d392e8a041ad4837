(* A file, or standard input, whose bytes can be read more than once. *)

exception Unreadable of string

type t = {
  name : string;  (* for messages *)
  path : string;
  content : string option;  (* of what cannot be opened again *)
}

let unreadable verb path what =
  (* OCaml's messages begin with the path, or do not. *)
  let prefix = path ^ ": " in
  let skipped = if String.starts_with ~prefix what then String.length prefix else 0 in
  let reason = String.sub what skipped (String.length what - skipped) in
  raise (Unreadable (Printf.sprintf "cannot %s '%s': %s" verb path reason))

let open_path path =
  if path = "-" then stdin
  else try open_in_bin path with Sys_error what -> unreadable "open" path what

(* What is left of a channel, which is closed. *)
let input_all path channel =
  let all = Buffer.create 65536 and piece = Bytes.create 65536 in
  let rec go () =
    match input channel piece 0 (Bytes.length piece) with
    | 0 -> close_in channel; Buffer.contents all
    | count -> Buffer.add_subbytes all piece 0 count; go ()
    | exception Sys_error what -> unreadable "read" path what
  in
  go ()

let of_path path =
  let channel = open_path path in
  let has_length = try in_channel_length channel >= 0 with Sys_error _ -> false in
  if path <> "-" && has_length then begin
    close_in channel;
    { name = path; path; content = None }
  end
  else
    let name = if path = "-" then "<stdin>" else path in
    { name; path; content = Some (input_all path channel) }

let content t =
  match t.content with Some content -> content | None -> input_all t.path (open_path t.path)

(* The same, held in memory: no file stays open. *)
let loaded t = { t with content = Some (content t) }

(* A function like OCaml's `input`, from the beginning. *)
let input t =
  match t.content with
  | None ->
    let channel = open_path t.path in
    fun buffer at length ->
      (try Stdlib.input channel buffer at length
       with Sys_error what -> unreadable "read" t.path what)
  | Some content ->
    let next = ref 0 in
    fun buffer at length ->
      let count = min length (String.length content - !next) in
      Bytes.blit_string content !next buffer at count;
      next := !next + count;
      count
