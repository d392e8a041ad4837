(* JSON (RFC 8259) from a stream: one value after the other, in the order of the file, nothing is
   kept. What is skipped must be well-formed, too. *)

exception Error of int * int * string  (* line and column, counted in bytes from 1; what is wrong *)

type t = {
  channel : in_channel option;
  buffer : Bytes.t;
  mutable at : int;  (* in the buffer *)
  mutable filled : int;
  mutable line : int;
  mutable line_start : int;  (* the place in the buffer where the line began; may be negative *)
  text : Buffer.t;  (* of the string being read *)
  hash : Sha256.t;
}

let of_channel channel =
  { channel = Some channel; buffer = Bytes.create 65536; at = 0; filled = 0; line = 1;
    line_start = 0; text = Buffer.create 256; hash = Sha256.create () }

let of_string text =
  { channel = None; buffer = Bytes.of_string text; at = 0; filled = String.length text; line = 1;
    line_start = 0; text = Buffer.create 256; hash = Sha256.create () }

let fail t what = raise (Error (t.line, t.at - t.line_start + 1, what))

(* Whether there is another byte. *)
let more t =
  t.at < t.filled
  || match t.channel with
     | None -> false
     | Some channel ->
       t.line_start <- t.line_start - t.filled;
       t.at <- 0;
       t.filled <- input channel t.buffer 0 (Bytes.length t.buffer);
       Sha256.add t.hash t.buffer 0 t.filled;
       t.filled > 0

(* The next byte; '\000' at the end, which is nowhere allowed. *)
let[@inline] peek t = if t.at < t.filled || more t then Bytes.unsafe_get t.buffer t.at else '\000'
let[@inline] advance t = t.at <- t.at + 1

let rec token t =
  match peek t with
  | ' ' | '\t' | '\r' -> advance t; token t
  | '\n' -> advance t; t.line <- t.line + 1; t.line_start <- t.at; token t
  | c -> c

let expect t c = if token t = c then advance t else fail t (Printf.sprintf "expected '%c'" c)

let hex_digit t =
  let c = peek t in
  advance t;
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | 'A' .. 'F' -> Char.code c - 55
  | _ -> fail t "expected a hexadecimal digit"

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
      if peek t <> '\\' then fail t "expected the second half of a surrogate pair";
      advance t;
      if peek t <> 'u' then fail t "expected the second half of a surrogate pair";
      advance t;
      let low = unicode t in
      if low < 0xdc00 || low >= 0xe000 then fail t "expected the second half of a surrogate pair";
      Buffer.add_utf_8_uchar t.text
        (Uchar.of_int (0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00)))
    end
    else if high >= 0xdc00 && high < 0xe000 then fail t "half of a surrogate pair"
    else Buffer.add_utf_8_uchar t.text (Uchar.of_int high)
  | _ -> fail t "unknown escape"

(* A character of more than one byte. *)
let wide t =
  let first = Char.code (peek t) in
  let length, low, high =
    if first >= 0xc2 && first < 0xe0 then 1, 0x80, 0xbf
    else if first = 0xe0 then 2, 0xa0, 0xbf
    else if first = 0xed then 2, 0x80, 0x9f
    else if first > 0xe0 && first < 0xf0 then 2, 0x80, 0xbf
    else if first = 0xf0 then 3, 0x90, 0xbf
    else if first > 0xf0 && first < 0xf4 then 3, 0x80, 0xbf
    else if first = 0xf4 then 3, 0x80, 0x8f
    else fail t "no UTF-8"
  in
  let take () = Buffer.add_char t.text (peek t); advance t in
  take ();
  for k = 1 to length do
    let c = Char.code (peek t) in
    let low, high = if k = 1 then low, high else 0x80, 0xbf in
    if c < low || c > high then fail t "no UTF-8";
    take ()
  done

let[@inline] is_itself c = c <> '"' && c <> '\\' && c >= ' ' && c < '\x80'

let string t =
  if token t <> '"' then fail t "expected a string";
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
      | c when c < ' ' -> fail t "a control character, or the end, inside a string"
      | _ -> go ()
    end
  in
  go ()

let word t text =
  String.iter (fun c -> if peek t = c then advance t else fail t ("expected " ^ text)) text;
  match peek t with
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '"' | '\x80' .. '\xff' ->
    fail t ("expected " ^ text)
  | _ -> ()

let boolean t =
  match token t with
  | 't' -> word t "true"; true
  | 'f' -> word t "false"; false
  | _ -> fail t "expected true or false"

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
    if Buffer.length text = before then fail t "expected a digit"
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
     fail t "no number"
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
      | _ -> fail t (Printf.sprintf "expected ',' or '%c'" close)
    in
    go ()

let array t item =
  if token t <> '[' then fail t "expected an array";
  items t ']' item

let deepest = 1000

let rec skip t depth =
  if depth > deepest then fail t "nested too deeply";
  match token t with
  | '{' -> items t '}' (fun () -> ignore (string t); expect t ':'; skip t (depth + 1))
  | '[' -> items t ']' (fun () -> skip t (depth + 1))
  | '"' -> ignore (string t)
  | 't' | 'f' -> ignore (boolean t)
  | 'n' -> word t "null"
  | _ -> ignore (number t)

(* An object with the given keys, those of `required` for certain and each once at most; calls
   `member` with the place of the key among them. Others are skipped. Returns a bit for each key
   seen. *)
let obj t what keys required member =
  if token t <> '{' then fail t (what ^ ": expected an object");
  let seen = ref 0 in
  items t '}' (fun () ->
      let key = string t in
      expect t ':';
      let rec find k = if k = Array.length keys || keys.(k) = key then k else find (k + 1) in
      let k = find 0 in
      if k = Array.length keys then skip t 1
      else begin
        if !seen land (1 lsl k) <> 0 then
          fail t (Printf.sprintf "duplicate key '%s' in a %s" key what);
        seen := !seen lor (1 lsl k);
        member k
      end);
  for k = 0 to required - 1 do
    if !seen land (1 lsl k) = 0 then fail t (Printf.sprintf "%s without '%s'" what keys.(k))
  done;
  !seen

let finish t = if token t <> '\000' || more t then fail t "something follows"
