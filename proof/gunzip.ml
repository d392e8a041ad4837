(* Gzip (RFC 1952) over deflate (RFC 1951), as a stream: compressed bytes from a function, those
   after the first two, plain ones on demand. The checksum is checked; what follows the last member is ignored. *)

exception Damaged
exception Ends_early

type code = { counts : int array; symbols : int array }  (* a Huffman code: see `decode` *)
type state = Member | Block | Stored of int | Codes of code * code | End

type t = {
  more : Bytes.t -> int -> int -> int;
  compressed : Bytes.t;
  mutable next : int;  (* of the compressed bytes *)
  mutable known : int;  (* so many of them are there *)
  mutable bits : int;  (* read ahead, the next one lowest *)
  mutable bit_count : int;
  window : Bytes.t;  (* the last 32 KiB, and what was not asked for yet *)
  mutable filled : int;  (* so much of it is plain text *)
  mutable given : int;  (* and so much was handed out *)
  mutable ended_early : bool;
  mutable state : state;
  mutable is_last : bool;
  mutable crc : int;
  mutable length : int;
}

let reach = 32768
let size = 4 * reach

let create more =
  { more; compressed = Bytes.create 65536; next = 0; known = 0; bits = 0; bit_count = 0; window = Bytes.create size; filled = 0; given = 0;
    ended_early = false; state = Member;
    is_last = false; crc = 0xffffffff; length = 0 }

let crc_table =
  Array.init 256 (fun n ->
      let c = ref n in
      for _ = 1 to 8 do
        c := if !c land 1 = 1 then 0xedb88320 lxor (!c lsr 1) else !c lsr 1
      done;
      !c)

let emit t c =
  Bytes.set t.window t.filled (Char.chr c);
  t.filled <- t.filled + 1;
  t.crc <- crc_table.((t.crc lxor c) land 255) lxor (t.crc lsr 8);
  t.length <- t.length + 1

(* The next compressed byte, -1 at the end. *)
let byte t =
  if t.next = t.known then begin
    t.known <- t.more t.compressed 0 (Bytes.length t.compressed);
    t.next <- 0
  end;
  if t.known = 0 then -1
  else begin
    t.next <- t.next + 1;
    Char.code (Bytes.get t.compressed (t.next - 1))
  end

let must t = match byte t with -1 -> raise Ends_early | c -> c

let rec bits t count =
  if t.bit_count >= count then begin
    let value = t.bits land ((1 lsl count) - 1) in
    t.bits <- t.bits lsr count;
    t.bit_count <- t.bit_count - count;
    value
  end else begin
    t.bits <- t.bits lor (must t lsl t.bit_count);
    t.bit_count <- t.bit_count + 8;
    bits t count
  end

let to_byte t =
  let odd = t.bit_count land 7 in
  ignore (bits t odd)

(* ---- Huffman codes ---- *)

(* counts.(n): how many codes have n bits; symbols: in the order of their codes. *)
let code lengths =
  let counts = Array.make 16 0 in
  Array.iter (fun n -> counts.(n) <- counts.(n) + 1) lengths;
  counts.(0) <- 0;
  let next = Array.make 17 0 and left = ref 1 in
  for n = 1 to 15 do
    next.(n + 1) <- next.(n) + counts.(n);
    left := (2 * !left) - counts.(n);
    if !left < 0 then raise Damaged
  done;
  let symbols = Array.make (Array.length lengths) 0 in
  Array.iteri
    (fun symbol n ->
      if n > 0 then begin
        symbols.(next.(n)) <- symbol;
        next.(n) <- next.(n) + 1
      end)
    lengths;
  { counts; symbols }

let decode t code =
  let rec go n value first index =
    if n > 15 then raise Damaged;
    let value = value lor bits t 1 in
    let count = code.counts.(n) in
    if value - first < count then code.symbols.(index + value - first)
    else go (n + 1) (value lsl 1) ((first + count) lsl 1) (index + count)
  in
  go 1 0 0 0

let fixed =
  lazy
    (let bits k = if k < 144 then 8 else if k < 256 then 9 else if k < 280 then 7 else 8 in
     code (Array.init 288 bits), code (Array.make 30 5))

let dynamic t =
  let literals = bits t 5 + 257 in
  let distances = bits t 5 + 1 in
  let given = bits t 4 + 4 in
  if literals > 286 || distances > 30 then raise Damaged;
  let lengths = Array.make 19 0 in
  for k = 0 to given - 1 do
    lengths.([| 16; 17; 18; 0; 8; 7; 9; 6; 10; 5; 11; 4; 12; 3; 13; 2; 14; 1; 15 |].(k)) <- bits t 3
  done;
  let of_lengths = code lengths in
  let all = Array.make (literals + distances) 0 in
  let at = ref 0 in
  let repeat value count =
    if !at + count > Array.length all then raise Damaged;
    Array.fill all !at count value;
    at := !at + count
  in
  while !at < Array.length all do
    match decode t of_lengths with
    | 16 -> if !at = 0 then raise Damaged; repeat all.(!at - 1) (3 + bits t 2)
    | 17 -> repeat 0 (3 + bits t 3)
    | 18 -> repeat 0 (11 + bits t 7)
    | n -> repeat n 1
  done;
  if all.(256) = 0 then raise Damaged;
  code (Array.sub all 0 literals), code (Array.sub all literals distances)

(* ---- blocks ---- *)

let copy t symbol distances =
  if symbol > 285 then raise Damaged;
  let k = symbol - 257 in
  let length =
    if k < 8 then k + 3
    else if k = 28 then 258
    else
      let extra = (k - 4) / 4 in
      3 + ((4 + (k land 3)) lsl extra) + bits t extra
  in
  let d = decode t distances in
  let distance =
    if d < 4 then d + 1
    else
      let extra = (d - 2) / 2 in
      1 + ((2 + (d land 1)) lsl extra) + bits t extra
  in
  if distance > min reach t.length || distance > t.filled then raise Damaged;
  for _ = 1 to length do emit t (Char.code (Bytes.get t.window (t.filled - distance))) done

(* What follows the first two bytes of a member. *)
let header t =
  if must t <> 8 then raise Damaged;
  let flags = must t in
  if flags land 0xe0 <> 0 then raise Damaged;
  let skip count = for _ = 1 to count do ignore (must t) done in
  let rec skip_text () = if must t <> 0 then skip_text () in
  skip 6;
  if flags land 4 <> 0 then begin
    let low = must t in
    skip (low lor (must t lsl 8))
  end;
  if flags land 8 <> 0 then skip_text ();
  if flags land 16 <> 0 then skip_text ();
  if flags land 2 <> 0 then skip 2

let trailer t =
  to_byte t;
  let word () = let low = bits t 16 in low lor (bits t 16 lsl 16) in
  if word () <> t.crc lxor 0xffffffff then raise Damaged;
  if word () <> t.length land 0xffffffff then raise Damaged;
  t.crc <- 0xffffffff;
  t.length <- 0;
  t.is_last <- false;
  let next () = if t.bit_count > 0 then bits t 8 else byte t in
  t.state <- (if next () = 0x1f && next () = 0x8b then Member else End)

let block t =
  if t.is_last then trailer t
  else begin
    t.is_last <- bits t 1 = 1;
    match bits t 2 with
    | 0 ->
      to_byte t;
      let length = bits t 16 in
      if bits t 16 <> length lxor 0xffff then raise Damaged;
      t.state <- Stored length
    | 1 ->
      let literals, distances = Lazy.force fixed in
      t.state <- Codes (literals, distances)
    | 2 ->
      let literals, distances = dynamic t in
      t.state <- Codes (literals, distances)
    | _ -> raise Damaged
  end

(* Decodes some plain bytes, about `wanted` at most. *)
let decode_some t wanted =
  if t.filled > reach then begin
    Bytes.blit t.window (t.filled - reach) t.window 0 reach;
    t.filled <- reach
  end;
  t.given <- t.filled;
  let limit = min (size - 258) (t.filled + wanted) in
  while t.state <> End && t.filled < limit do
    match t.state with
    | End -> ()
    | Member -> header t; t.state <- Block
    | Block -> block t
    | Stored 0 -> t.state <- Block
    | Stored length -> emit t (bits t 8); t.state <- Stored (length - 1)
    | Codes (literals, distances) ->
      (match decode t literals with
       | 256 -> t.state <- Block
       | symbol when symbol < 256 -> emit t symbol
       | symbol -> copy t symbol distances)
  done

(* As many plain bytes as are asked for, or all there are; how many, 0 at the end. As zlib, it gives
   none of them if one is damaged, but all of a file that ends early, and says so after them. *)
let input t buffer at length =
  let rec go found =
    let count = min (length - found) (t.filled - t.given) in
    Bytes.blit t.window t.given buffer (at + found) count;
    t.given <- t.given + count;
    let found = found + count in
    if found = length || (t.state = End && t.given = t.filled) then found
    else if t.ended_early && t.given = t.filled then
      if found > 0 then found else raise Ends_early
    else begin
      (try decode_some t (length - found) with Ends_early -> t.ended_early <- true);
      go found
    end
  in
  go 0
