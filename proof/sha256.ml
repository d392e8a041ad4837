(* SHA-256 (FIPS 180-4), of a stream of bytes. Words are the low 32 bits of OCaml's integers. *)

let constants =
  (* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. *)
  [| 0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
     0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
     0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
     0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
     0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
     0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
     0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
     0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

type t = {
  state : int array;
  block : Bytes.t;  (* 64 bytes, of which `filled` wait for the rest *)
  mutable filled : int;
  mutable total : int;  (* bytes *)
  schedule : int array;
}

let create () =
  { state =
      [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab;
         0x5be0cd19 |];
    block = Bytes.create 64; filled = 0; total = 0; schedule = Array.make 64 0 }

(* A word twice, in the high and in the low half: shifting it right rotates the low half. *)
let[@inline] twice x = x lor (x lsl 32)
let mask = 0xffffffff

let compress t bytes at =
  let w = t.schedule and s = t.state in
  for i = 0 to 15 do
    w.(i) <- Int32.to_int (Bytes.get_int32_be bytes (at + 4 * i)) land mask
  done;
  for i = 16 to 63 do
    let x = w.(i - 15) and y = w.(i - 2) in
    let xx = twice x and yy = twice y in
    let s0 = (xx lsr 7) lxor (xx lsr 18) lxor (x lsr 3) in
    let s1 = (yy lsr 17) lxor (yy lsr 19) lxor (y lsr 10) in
    w.(i) <- (w.(i - 16) + (s0 land mask) + w.(i - 7) + (s1 land mask)) land mask
  done;
  let rec rounds i a b c d e f g h =
    if i = 64 then begin
      let add k x = s.(k) <- (s.(k) + x) land mask in
      add 0 a; add 1 b; add 2 c; add 3 d; add 4 e; add 5 f; add 6 g; add 7 h
    end else begin
      let ee = twice e and aa = twice a in
      let s1 = ((ee lsr 6) lxor (ee lsr 11) lxor (ee lsr 25)) land mask in
      let choose = (e land f) lxor (lnot e land g) in
      let t1 = h + s1 + choose + constants.(i) + w.(i) in
      let s0 = ((aa lsr 2) lxor (aa lsr 13) lxor (aa lsr 22)) land mask in
      let majority = (a land b) lxor (a land c) lxor (b land c) in
      rounds (i + 1) ((t1 + s0 + majority) land mask) a b c ((d + t1) land mask) e f g
    end
  in
  rounds 0 s.(0) s.(1) s.(2) s.(3) s.(4) s.(5) s.(6) s.(7)

let rec add t bytes at length =
  if length > 0 then
    if t.filled = 0 && length >= 64 then begin
      compress t bytes at;
      t.total <- t.total + 64;
      add t bytes (at + 64) (length - 64)
    end else begin
      let part = min length (64 - t.filled) in
      Bytes.blit bytes at t.block t.filled part;
      t.filled <- t.filled + part;
      t.total <- t.total + part;
      if t.filled = 64 then begin
        t.filled <- 0;
        compress t t.block 0
      end;
      add t bytes (at + part) (length - part)
    end

let hex t =
  let bits = 8 * t.total in
  let zeros = (119 - t.filled) mod 64 in
  let tail = Bytes.make (1 + zeros + 8) '\000' in
  Bytes.set tail 0 '\x80';
  Bytes.set_int64_be tail (1 + zeros) (Int64.of_int bits);
  add t tail 0 (Bytes.length tail);
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list t.state))
