(* The tokens of a formula (docs/logic.md). One that cannot be read is an error only if the parser
   gets that far, so that the leftmost error is named. *)

type operator = Not | And | Or | Xor | Xnor | Iff | Implies | Path of bool * char

type kind =
  | Name
  | Quoted
  | Constant of bool
  | Unary of operator
  | Binary of operator
  | Quantifier of bool  (* whether it is A *)
  | Left of char  (* '(' or '[' *)
  | Right of char
  | Assign
  | Invalid of string
  | End

type token = { kind : kind; first : int; stop : int }

let reserved =
  [ "A", Quantifier true; "E", Quantifier false; "or", Binary Or; "and", Binary And;
    "not", Unary Not; "xor", Binary Xor; "xnor", Binary Xnor; "true", Constant true;
    "TRUE", Constant true; "false", Constant false; "FALSE", Constant false ]
  @ List.concat_map
      (fun letter ->
        [ Printf.sprintf "A%c" letter, Unary (Path (true, letter));
          Printf.sprintf "E%c" letter, Unary (Path (false, letter)) ])
      [ 'X'; 'F'; 'G' ]

(* Longer symbols stand before their beginnings. *)
let symbols =
  [ "<->", Binary Iff; "-->", Binary Implies; "->", Binary Implies; "&&", Binary And;
    "&", Binary And; "||", Binary Or; "|", Binary Or; "!", Unary Not; "~", Unary Not;
    "(", Left '('; ")", Right ')'; "[", Left '['; "]", Right ']'; ":=", Assign ]

let begins_name = function 'a' .. 'z' | 'A' .. 'Z' | '_' | '$' -> true | _ -> false
let in_names c = begins_name c || match c with '0' .. '9' | '.' -> true | _ -> false
let is_control c = c < ' ' || c = '\x7f'

let starts text at prefix =
  let length = String.length prefix in
  at + length <= String.length text && String.sub text at length = prefix

let rec skip_while test text at =
  if at < String.length text && test text.[at] then skip_while test text (at + 1) else at

(* Where the word that begins at `from` ends, index parts such as `[3]` included. *)
let word_end text from =
  let rec go at =
    let stop = skip_while in_names text at in
    let is_reserved = List.mem_assoc (String.sub text from (stop - from)) reserved in
    if stop < String.length text && text.[stop] = '[' && not is_reserved then
      let index = skip_while in_names text (stop + 1) in
      if index > stop + 1 && index < String.length text && text.[index] = ']' then go (index + 1)
      else stop
    else stop
  in
  go from

let is_hex = function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false

let escape_length text at =
  if starts text at "\\\"" || starts text at "\\\\" then 2
  else if starts text at "\\x" && at + 4 <= String.length text
          && is_hex text.[at + 2] && is_hex text.[at + 3] then 4
  else 0

let quoted text from =
  let invalid at what = { kind = Invalid what; first = at; stop = at } in
  let rec go at =
    if at >= String.length text || text.[at] = '\n' || starts text at "\r\n" then
      invalid from "quoted name without closing '\"'"
    else
      match text.[at] with
      | '"' -> { kind = Quoted; first = from; stop = at + 1 }
      | '\\' ->
        (match escape_length text at with
         | 0 ->
           invalid at "unknown escape in a quoted name; '\\\"', '\\\\' and '\\xHH' are known"
         | length -> go (at + length))
      | c when is_control c ->
        let code = Char.code c in
        invalid at
          (Printf.sprintf "control character 0x%02x in a quoted name; write '\\x%02x'" code code)
      | _ -> go (at + 1)
  in
  go (from + 1)

let unquote text =
  let name = Buffer.create 16 in
  let rec go at =
    if at < String.length text - 1 then
      if text.[at] <> '\\' then begin Buffer.add_char name text.[at]; go (at + 1) end
      else begin
        let length = escape_length text at in
        Buffer.add_char name
          (if length = 2 then text.[at + 1]
           else Char.chr (int_of_string ("0x" ^ String.sub text (at + 2) 2)));
        go (at + length)
      end
  in
  go 1;
  Buffer.contents name

let unknown_character c =
  let code = Char.code c in
  if is_control c then Printf.sprintf "control character 0x%02x" code
  else if code >= 0x80 then
    Printf.sprintf "unexpected byte 0x%02x; such names go in double quotes" code
  else if in_names c then
    Printf.sprintf "a name cannot start with '%c'; such names go in double quotes" c
  else Printf.sprintf "unexpected '%c'; names that contain it go in double quotes" c

(* All tokens; the last one, and only it, is End or Invalid. End stands right behind the one before
   it. *)
let tokens text =
  let rec go found at =
    if at >= String.length text then
      let stop = match found with [] -> at | last :: _ -> last.stop in
      { kind = End; first = stop; stop } :: found
    else
      match text.[at] with
      | ' ' | '\t' | '\r' | '\n' -> go found (at + 1)
      | '"' -> add found (quoted text at)
      | c when begins_name c ->
        let stop = word_end text at in
        let word = String.sub text at (stop - at) in
        let kind = Option.value (List.assoc_opt word reserved) ~default:Name in
        add found { kind; first = at; stop }
      | c ->
        (match List.find_opt (fun (symbol, _) -> starts text at symbol) symbols with
         | Some (symbol, kind) ->
           add found { kind; first = at; stop = at + String.length symbol }
         | None when c = '#' || starts text at "--" || starts text at "//" ->
           go found (skip_while (fun c -> c <> '\n') text at)
         | None -> add found { kind = Invalid (unknown_character c); first = at; stop = at })
  and add found token =
    match token.kind with Invalid _ -> token :: found | _ -> go (token :: found) token.stop
  in
  Array.of_list (List.rev (go [] 0))
