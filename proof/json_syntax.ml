(* What is wrong with a text that is no JSON, and where. Only words: json.ml decides whether it is. *)

exception Found of int * string

let is_word c =
  match c with
  | '0' .. '9' | 'a' .. 'z' | 'A' .. 'Z' | '_' | '.' | '+' | '-' -> true
  | _ -> false

(* How many bytes a character has whose first one is c. *)
let character_size c = if c < '\xc0' then 1 else if c < '\xe0' then 2 else if c < '\xf0' then 3 else 4

let bad_utf8 text =
  let byte at = if at < String.length text then Char.code text.[at] else -1 in
  let rec go at =
    if at >= String.length text then None
    else if byte at < 0x80 then go (at + 1)
    else
      let is_inside k low high = byte (at + k) >= low && byte (at + k) <= high in
      match Json.wide_character (byte at) with
      | Some (length, low, high)
        when is_inside 1 low high
             && (length < 2 || is_inside 2 0x80 0xbf) && (length < 3 || is_inside 3 0x80 0xbf) ->
        go (at + 1 + length)
      | _ -> Some (at, Printf.sprintf "byte 0x%02X is not UTF-8" (byte at))
  in
  go 0

type checker = { text : string; mutable at : int }

let at_end t = t.at >= String.length t.text
let peek t = if at_end t then '\000' else t.text.[t.at]
let fail at form = Printf.ksprintf (fun what -> raise (Found (at, what))) form

let rec blanks t =
  match peek t with ' ' | '\t' | '\n' | '\r' -> t.at <- t.at + 1; blanks t | _ -> ()

let accept t c = (not (at_end t)) && t.text.[t.at] = c && (t.at <- t.at + 1; true)

let expected t what =
  let starts prefix =
    let length = String.length prefix in
    t.at + length <= String.length t.text && String.sub t.text t.at length = prefix
  in
  let found =
    if at_end t then "end of file"
    else if starts "\xef\xbb\xbf" then "a byte order mark"
    else
      let c = peek t in
      if c < ' ' || c = '\x7f' then Printf.sprintf "byte 0x%02X" (Char.code c)
      else
        let size = min (character_size c) (String.length t.text - t.at) in
        Printf.sprintf "'%s'" (String.sub t.text t.at size)
  in
  fail t.at "found %s, expected %s" found what

(* ---- strings ---- *)

let code_unit t =
  let digits = if t.at + 6 <= String.length t.text then String.sub t.text (t.at + 2) 4 else "" in
  let is_hex = function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false in
  if digits <> "" && String.sub t.text t.at 2 = "\\u" && String.for_all is_hex digits then begin
    t.at <- t.at + 6;
    Some (int_of_string ("0x" ^ digits))
  end
  else None

let escape t =
  let start = t.at in
  match if t.at + 1 < String.length t.text then t.text.[t.at + 1] else '\000' with
  | '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' -> t.at <- t.at + 2
  | 'u' ->
    let half () = fail start "half of a surrogate pair in a string, expected both halves" in
    (match code_unit t with
     | None -> fail start "\\u in a string, expected four hexadecimal digits after it"
     | Some unit when unit >= 0xd800 && unit < 0xdc00 ->
       (match code_unit t with
        | Some second when second >= 0xdc00 && second < 0xe000 -> ()
        | _ -> half ())
     | Some unit -> if unit >= 0xdc00 && unit < 0xe000 then half ())
  | _ ->
    fail start "unknown escape in a string, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"

let string t =
  let start = t.at in
  t.at <- t.at + 1;
  let rec go () =
    if at_end t then fail start "string without a closing quote";
    match peek t with
    | '"' -> t.at <- t.at + 1
    | '\\' -> escape t; go ()
    | c when c < ' ' -> fail t.at "byte 0x%02X in a string, expected it escaped" (Char.code c)
    | _ -> t.at <- t.at + 1; go ()
  in
  go ()

(* ---- numbers and words ---- *)

let word t =
  let rec go stop =
    if stop < String.length t.text && stop - t.at < 40 && is_word t.text.[stop] then go (stop + 1)
    else stop
  in
  String.sub t.text t.at (go t.at - t.at)

let number t =
  let start = t.at in
  let digits () =
    let before = t.at in
    while (match peek t with '0' .. '9' -> true | _ -> false) do t.at <- t.at + 1 done;
    t.at > before
  in
  ignore (accept t '-');
  let good =
    (accept t '0' || digits ())
    && ((not (accept t '.')) || digits ())
    && ((not (accept t 'e' || accept t 'E'))
        || (if not (accept t '+') then ignore (accept t '-'); digits ()))
  in
  if (not good) || is_word (peek t) then begin
    t.at <- start;
    fail start "malformed number '%s'" (word t)
  end

let literal t =
  match word t with
  | ("true" | "false" | "null") as found -> t.at <- t.at + String.length found
  | found -> fail t.at "found '%s', expected a value" found

(* ---- the whole text ---- *)

(* `closing`: the brackets to come. *)
let rec value t closing what =
  blanks t;
  match peek t with
  | '{' ->
    t.at <- t.at + 1;
    blanks t;
    if accept t '}' then after t closing else member t closing "a key in double quotes or '}'"
  | '[' ->
    t.at <- t.at + 1;
    blanks t;
    if accept t ']' then after t closing else value t (']' :: closing) "a value or ']'"
  | '"' -> string t; after t closing
  | '-' | '0' .. '9' -> number t; after t closing
  | c when is_word c -> literal t; after t closing
  | _ -> expected t what

and member t closing what =
  blanks t;
  if peek t <> '"' then expected t what;
  string t;
  blanks t;
  if not (accept t ':') then expected t "':'";
  value t ('}' :: closing) "a value"

and after t closing =
  blanks t;
  match closing with
  | [] -> if not (at_end t) then expected t "the end of the file"
  | bracket :: outer ->
    if accept t bracket then after t outer
    else if not (accept t ',') then expected t (Printf.sprintf "',' or '%c'" bracket)
    else if bracket = '}' then member t outer "a key in double quotes"
    else value t closing "a value"

(* The first error: the place and what is wrong. *)
let first_error text =
  let found = match value { text; at = 0 } [] "a value" with
    | () -> None
    | exception Found (at, what) -> Some (at, what)
  in
  match found, bad_utf8 text with
  | Some (at, _), Some ((bad, _) as earlier) when bad <= at -> Some earlier
  | None, bad -> bad
  | found, _ -> found

(* Whether the text cannot even be cut into tokens: `nestor` sees that before all else. *)
let has_no_tokens text =
  let rec outside at =
    at < String.length text && (if text.[at] = '"' then inside (at + 1) else outside (at + 1))
  and inside at =
    at >= String.length text
    || match text.[at] with
       | '"' -> outside (at + 1)
       | '\\' -> inside (at + 2)
       | c -> c < ' ' || inside (at + 1)
  in
  bad_utf8 text <> None || outside 0

(* Line and column of a byte, from 1. *)
let locate text at =
  let line = ref 1 and start = ref 0 in
  String.iteri (fun k c -> if k < at && c = '\n' then begin incr line; start := k + 1 end) text;
  !line, at - !start + 1

(* What to say of a model that was refused, for `Json.Malformed` or `Json.Unexpected`. *)
let explain text unexpected =
  let at, what =
    match unexpected, first_error text with
    | None, Some error -> error
    | None, None -> 0, "not readable as JSON"
    | Some (at, _), Some ((earlier, _) as error) when earlier <= at || has_no_tokens text -> error
    | Some found, _ -> found
  in
  let line, column = locate text at in
  line, column, what
