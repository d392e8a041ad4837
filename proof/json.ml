(* JSON (RFC 8259) from a stream: one value after the other, in the order of the file, nothing is
   kept. What is skipped must be well-formed, too. *)

exception Malformed  (* no JSON: json_syntax.ml says why *)
exception Unexpected of int * string  (* JSON, but not what is wanted: at which byte, and what *)

type t = {
  input : Bytes.t -> int -> int -> int;
  buffer : Bytes.t;
  mutable before : int;  (* so many bytes of the text came before those in the buffer *)
  mutable at : int;  (* in the buffer *)
  mutable filled : int;
  text : Buffer.t;  (* of the string being read *)
  hash : Sha256.t;
}

let of_input input =
  { input; buffer = Bytes.create 65536; before = 0; at = 0; filled = 0; text = Buffer.create 256;
    hash = Sha256.create () }

let of_string text =
  { input = (fun _ _ _ -> 0); buffer = Bytes.of_string text; before = 0; at = 0;
    filled = String.length text; text = Buffer.create 256; hash = Sha256.create () }

let malformed () = raise Malformed
let unexpected at what = raise (Unexpected (at, what))

(* Whether there is another byte. *)
let more t =
  t.at < t.filled
  || begin
       t.before <- t.before + t.filled;
       t.at <- 0;
       t.filled <- t.input t.buffer 0 (Bytes.length t.buffer);
       Sha256.add t.hash t.buffer 0 t.filled;
       t.filled > 0
     end

(* The next byte; '\000' at the end, which is nowhere allowed. *)
let[@inline] peek t = if t.at < t.filled || more t then Bytes.unsafe_get t.buffer t.at else '\000'
let[@inline] advance t = t.at <- t.at + 1

let rec token t =
  match peek t with
  | ' ' | '\t' | '\r' | '\n' -> advance t; token t
  | c -> c

(* Of the next token, in the text. *)
let place t = ignore (token t); t.before + t.at

(* The next value is of another type than `what` should be. *)
let wrong_type t what expected =
  let found =
    match token t with
    | '{' -> "an object"
    | '[' -> "an array"
    | '"' -> "a string"
    | 't' | 'f' -> "a boolean"
    | 'n' -> "null"
    | '-' | '0' .. '9' -> "a number"
    | _ -> malformed ()
  in
  unexpected (place t) (Printf.sprintf "%s is %s, expected %s" what found expected)

let expect t c = if token t = c then advance t else malformed ()

let hex_digit t =
  let c = peek t in
  advance t;
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | 'A' .. 'F' -> Char.code c - 55
  | _ -> malformed ()

let unicode t =
  let a = hex_digit t in
  let b = hex_digit t in
  let c = hex_digit t in
  let d = hex_digit t in
  (a lsl 12) lor (b lsl 8) lor (c lsl 4) lor d

let escape t =
  let c = peek t in
  advance t;
  match c with
  | '"' | '\\' | '/' -> Buffer.add_char t.text c
  | 'b' -> Buffer.add_char t.text '\b'
  | 'f' -> Buffer.add_char t.text '\012'
  | 'n' -> Buffer.add_char t.text '\n'
  | 'r' -> Buffer.add_char t.text '\r'
  | 't' -> Buffer.add_char t.text '\t'
  | 'u' ->
    let high = unicode t in
    if high >= 0xd800 && high < 0xdc00 then begin
      if peek t <> '\\' then malformed ();
      advance t;
      if peek t <> 'u' then malformed ();
      advance t;
      let low = unicode t in
      if low < 0xdc00 || low >= 0xe000 then malformed ();
      Buffer.add_utf_8_uchar t.text
        (Uchar.of_int (0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00)))
    end
    else if high >= 0xdc00 && high < 0xe000 then malformed ()
    else Buffer.add_utf_8_uchar t.text (Uchar.of_int high)
  | _ -> malformed ()

(* Of a character of UTF-8 with this first byte: how many bytes follow, and the bounds of the next
   one; those after it are from 0x80 to 0xbf. *)
let wide_character first =
  if first >= 0xc2 && first < 0xe0 then Some (1, 0x80, 0xbf)
  else if first = 0xe0 then Some (2, 0xa0, 0xbf)
  else if first = 0xed then Some (2, 0x80, 0x9f)
  else if first > 0xe0 && first < 0xf0 then Some (2, 0x80, 0xbf)
  else if first = 0xf0 then Some (3, 0x90, 0xbf)
  else if first > 0xf0 && first < 0xf4 then Some (3, 0x80, 0xbf)
  else if first = 0xf4 then Some (3, 0x80, 0x8f)
  else None

let wide t =
  let take () = Buffer.add_char t.text (peek t); advance t in
  match wide_character (Char.code (peek t)) with
  | None -> malformed ()
  | Some (length, low, high) ->
    take ();
    for k = 1 to length do
      let c = Char.code (peek t) in
      let low, high = if k = 1 then low, high else 0x80, 0xbf in
      if c < low || c > high then malformed ();
      take ()
    done

let[@inline] is_itself c = c <> '"' && c <> '\\' && c >= ' ' && c < '\x80'

(* The next value; `what` it is, for a message. *)
let string t what =
  if token t <> '"' then wrong_type t what "a string";
  advance t;
  Buffer.clear t.text;
  let rec go () =
    (* The bytes that stand for themselves, as many as the buffer has. *)
    let from = t.at in
    let stop = ref from in
    while !stop < t.filled && is_itself (Bytes.unsafe_get t.buffer !stop) do incr stop done;
    t.at <- !stop;
    if Buffer.length t.text = 0 && !stop < t.filled && Bytes.get t.buffer !stop = '"' then begin
      advance t;
      Bytes.sub_string t.buffer from (!stop - from)
    end else begin
      Buffer.add_subbytes t.text t.buffer from (!stop - from);
      match peek t with
      | '"' -> advance t; Buffer.contents t.text
      | '\\' -> advance t; escape t; go ()
      | c when c >= '\x80' -> wide t; go ()
      | c when c < ' ' -> malformed ()
      | _ -> go ()
    end
  in
  go ()

let word t text =
  String.iter (fun c -> if peek t = c then advance t else malformed ()) text;
  match peek t with
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '"' | '\x80' .. '\xff' ->
    malformed ()
  | _ -> ()

let boolean t what =
  match token t with
  | 't' -> word t "true"; true
  | 'f' -> word t "false"; false
  | _ -> wrong_type t what "true or false"

let rec digits t text =
  match peek t with
  | '0' .. '9' as c -> Buffer.add_char text c; advance t; digits t text
  | _ -> ()

(* A number, as it is written. *)
let number t =
  let text = Buffer.create 16 in
  let take () = Buffer.add_char text (peek t); advance t in
  let some_digits () =
    let before = Buffer.length text in
    digits t text;
    if Buffer.length text = before then malformed ()
  in
  ignore (token t);
  if peek t = '-' then take ();
  if peek t = '0' then take () else some_digits ();
  if peek t = '.' then begin take (); some_digits () end;
  if peek t = 'e' || peek t = 'E' then begin
    take ();
    if peek t = '+' || peek t = '-' then take ();
    some_digits ()
  end;
  (match peek t with
   | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '.' | '"' | '+' | '-' | '\x80' .. '\xff' ->
     malformed ()
   | _ -> ());
  Buffer.contents text

let items t close item =
  advance t;
  if token t = close then advance t
  else
    let rec go () =
      item ();
      match token t with
      | ',' -> advance t; go ()
      | c when c = close -> advance t
      | _ -> malformed ()
    in
    go ()

let array t what item =
  if token t <> '[' then wrong_type t what "an array";
  items t ']' item

let key t =
  if token t <> '"' then malformed ();
  let key = string t "" in
  expect t ':';
  key

(* A value that nobody asks for, whatever its depth: `closing` are the brackets to come. *)
let skip t =
  let rec value closing =
    match token t with
    | '{' ->
      advance t;
      if token t = '}' then begin advance t; after closing end
      else begin ignore (key t); value ('}' :: closing) end
    | '[' ->
      advance t;
      if token t = ']' then begin advance t; after closing end else value (']' :: closing)
    | '"' -> ignore (string t ""); after closing
    | 't' | 'f' -> ignore (boolean t ""); after closing
    | 'n' -> word t "null"; after closing
    | _ -> ignore (number t); after closing
  and after closing =
    match closing with
    | [] -> ()
    | bracket :: outer ->
      (match token t with
       | ',' -> advance t; if bracket = '}' then ignore (key t); value closing
       | c when c = bracket -> advance t; after outer
       | _ -> malformed ())
  in
  value []

let require what keys seen needed at =
  Array.iteri
    (fun k key ->
      if needed land lnot seen land (1 lsl k) <> 0 then
        unexpected at (Printf.sprintf "%s without '%s'" what key))
    keys

(* An object with the given keys, those of `needed`, a bit for each, for certain and each once at
   most; calls `member` with the place of the key among them. Others are skipped. Returns a bit for
   each key seen. *)
let obj t what keys needed member =
  if token t <> '{' then wrong_type t what "an object";
  let at = place t in
  let seen = ref 0 in
  items t '}' (fun () ->
      let key_at = place t in
      let key = key t in
      let rec find k = if k = Array.length keys || keys.(k) = key then k else find (k + 1) in
      let k = find 0 in
      if k = Array.length keys then skip t
      else begin
        if !seen land (1 lsl k) <> 0 then
          unexpected key_at (Printf.sprintf "duplicate key '%s' in a %s" key what);
        seen := !seen lor (1 lsl k);
        member k
      end);
  require what keys !seen needed at;
  !seen

let finish t = if token t <> '\000' || more t then malformed ()
