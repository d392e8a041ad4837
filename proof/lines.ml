(* The lines of a file, plain or compressed, without their ends. *)

type t = {
  more : Bytes.t -> int -> int -> int;
  mutable buffer : Bytes.t;
  mutable at : int;
  mutable filled : int;
  mutable count : int;
}

let of_source source =
  let input = Source.input source in
  (* The first two bytes tell whether it is compressed. *)
  let first = Bytes.create 2 in
  let known = input first 0 2 in
  let known = if known = 1 then 1 + input first 1 1 else known in
  let ahead = ref 0 in
  let from_start buffer at length =
    if !ahead = known then input buffer at length
    else begin
      let count = min length (known - !ahead) in
      Bytes.blit first !ahead buffer at count;
      ahead := !ahead + count;
      count
    end
  in
  let is_compressed = known = 2 && Bytes.to_string first = "\x1f\x8b" in
  let more = if is_compressed then Gunzip.input (Gunzip.create input) else from_start in
  { more; buffer = Bytes.create 262144; at = 0; filled = 0; count = 0 }

(* Of the line read last, from 1. *)
let number t = t.count

(* More behind what is unread; false at the end. *)
let fill t =
  let unread = t.filled - t.at in
  let old = t.buffer in
  if unread = Bytes.length old then t.buffer <- Bytes.create (2 * unread);
  Bytes.blit old t.at t.buffer 0 unread;
  t.at <- 0;
  t.filled <- unread;
  let count = t.more t.buffer unread (Bytes.length t.buffer - unread) in
  t.filled <- unread + count;
  count > 0

let next t =
  let rec go searched =
    match Bytes.index_from t.buffer searched '\n' with
    | stop when stop < t.filled -> Some stop
    | _ | (exception Not_found) ->
      let searched = t.filled - t.at in
      if fill t then go searched else None
  in
  let take stop after =
    let line = Bytes.sub_string t.buffer t.at (stop - t.at) in
    t.at <- after;
    t.count <- t.count + 1;
    Some line
  in
  match go t.at with
  | Some stop -> take stop (stop + 1)
  | None -> if t.filled > t.at then take t.filled t.filled else None
