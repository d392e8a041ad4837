(* The text of a formula (docs/logic.md) into its normal form, with the messages of `nestor`. *)

open Formula_lexer

exception Error of int * string  (* at which byte, and what is wrong *)

type phase = Before | Behind of char * Normal_form.t | Whole

(* What has begun and not ended, the innermost first. *)
type frame =
  | Prefix of operator
  | Infix of operator * Normal_form.t * int  (* how tightly it binds *)
  | Group
  | Quantified of bool * phase  (* A or E, which waits for a path *)
  | Path_group of bool * char * phase  (* a bracket after it: a path, or its left operand *)

type parser = { text : string; tokens : token array; mutable next : int; mutable frames : frame list }

let binding = function And -> 4 | Or | Xor | Xnor -> 3 | Iff -> 2 | _ -> 1

let apply operator f g =
  match operator with
  | And -> Normal_form.conjunction f g
  | Or -> Normal_form.disjunction f g
  | Xor -> Normal_form.difference f g
  | Xnor | Iff -> Normal_form.equivalence f g
  | _ -> Normal_form.implication f g

let apply_prefix operator f =
  match operator with
  | Path (universal, letter) -> Normal_form.unary universal letter f
  | _ -> Normal_form.negation f

let token p ahead = p.tokens.(min (p.next + ahead) (Array.length p.tokens - 1))
let text_of p token = String.sub p.text token.first (token.stop - token.first)
let advance p = p.next <- p.next + 1
let push p frame = p.frames <- frame :: p.frames

let fail p what =
  let token = token p 0 in
  raise (Error (token.first, match token.kind with Invalid problem -> problem | _ -> what))

let describe p token =
  let text = text_of p token in
  if token.kind = End then "end of formula"
  else if String.length text <= 40 then Printf.sprintf "'%s'" text
  else
    (* Not in the middle of a character of several bytes. *)
    let rec cut k = if k > 0 && Char.code text.[k] land 0xc0 = 0x80 then cut (k - 1) else k in
    Printf.sprintf "'%s…'" (String.sub text 0 (cut 40))

let fail_expected ?(remark = "") p what =
  fail p (Printf.sprintf "expected %s before %s%s" what (describe p (token p 0)) remark)

let no_path = "; 'A' and 'E' need a path formula"
let closing = function '[' -> "']'" | _ -> "')'"

let letter p token letters =
  match token.kind with
  | Name when token.stop - token.first = 1 && String.contains letters p.text.[token.first] ->
    Some p.text.[token.first]
  | _ -> None

let starts_operand token =
  match token.kind with
  | Name | Quoted | Constant _ | Unary _ | Quantifier _ | Left '(' -> true
  | _ -> false

(* ---- where an operand must stand ---- *)

(* A name, which is a path operator if it is the letter of one and stands where a path begins. *)
let read_name p =
  let operand_follows = starts_operand (token p 1) and until_follows = letter p (token p 1) "URW" <> None in
  let may_be_name = until_follows && starts_operand (token p 2) in
  match letter p (token p 0) "XFG", p.frames with
  | Some path, Quantified (universal, Before) :: outer when not may_be_name ->
    p.frames <- Prefix (Path (universal, path)) :: outer;
    advance p;
    None
  | Some path, Path_group (universal, bracket, Before) :: outer
    when (not may_be_name) && operand_follows ->
    p.frames <- Prefix (Path (universal, path)) :: Path_group (universal, bracket, Whole) :: outer;
    advance p;
    None
  | Some path, _ when operand_follows && not until_follows ->
    fail p (Printf.sprintf "'%c' needs a quantifier 'A' or 'E' right before it" path)
  | _ ->
    let name = text_of p (token p 0) in
    advance p;
    Some (Normal_form.atom (Model_reader.proposition name))

(* Takes a token; the operand if that completes one. *)
let read_operand p =
  let current = token p 0 in
  let take value = advance p; value in
  match current.kind, p.frames with
  | Name, _ -> read_name p
  | Quoted, _ ->
    let name = unquote (text_of p current) in
    take (Some (Normal_form.atom (Model_reader.proposition name)))
  | Constant is_true, _ -> take (Some (if is_true then Normal_form.top else Normal_form.bottom))
  | Unary operator, _ -> push p (Prefix operator); take None
  | Quantifier universal, _ -> push p (Quantified (universal, Before)); take None
  | Left bracket, (Quantified (universal, Before) | Path_group (universal, _, Before)) :: _ ->
    push p (Path_group (universal, bracket, Before));
    take None
  | Left '(', _ -> push p Group; take None
  | Left _, _ -> fail p "'[' can only stand behind 'A' or 'E'"
  | _, Quantified (_, Before) :: _ -> fail_expected p "a path formula"
  | _ -> fail_expected p "a formula"

(* ---- behind an operand ---- *)

(* Ends what binds tighter than every binary operator: prefix operators, and `E p U q`. *)
let rec reduce_tight p f =
  match p.frames with
  | Prefix operator :: outer -> p.frames <- outer; reduce_tight p (apply_prefix operator f)
  | Quantified (universal, Behind (letter, left)) :: outer ->
    p.frames <- outer;
    reduce_tight p (Normal_form.binary universal letter left f)
  | _ -> f

let rec reduce_binary p tighter_than f =
  match p.frames with
  | Infix (operator, left, tightness) :: outer when tightness > tighter_than ->
    p.frames <- outer;
    reduce_binary p tighter_than (apply operator left f)
  | _ -> f

type next = Operand | Operator of Normal_form.t

let read_until p letter f =
  (match p.frames with
   | Quantified (universal, Before) :: outer ->
     p.frames <- Quantified (universal, Behind (letter, f)) :: outer
   | Path_group (universal, bracket, Before) :: outer ->
     p.frames <- Path_group (universal, bracket, Behind (letter, f)) :: outer
   | Path_group (_, _, Behind _) :: _ ->
     fail p (Printf.sprintf "second path operator '%c' behind one quantifier" letter)
   | _ ->
     fail p (Printf.sprintf "'%c' needs a quantifier 'A' or 'E' before its left operand" letter));
  advance p;
  Operand

let close p bracket f =
  let opening = if bracket = ']' then '[' else '(' in
  let matches other = if other <> opening then fail_expected p (closing other) in
  match p.frames with
  | [] -> fail p (Printf.sprintf "'%c' without '%c'" bracket opening)
  | Group :: outer -> matches '('; advance p; p.frames <- outer; Operator f
  | Path_group (universal, other, phase) :: outer ->
    matches other;
    if phase = Before && bracket = ']' then
      fail_expected p "'U', 'R' or 'W'" ~remark:no_path;
    advance p;
    p.frames <- outer;
    let f =
      match phase with
      | Behind (letter, left) -> Normal_form.binary universal letter left f
      | _ -> f
    in
    (* A path in parentheses is the whole formula, its quantifier included. *)
    if phase <> Before then
      p.frames <-
        (match outer with
         | Quantified _ :: outer -> outer
         | Path_group (universal, other, _) :: outer ->
           Path_group (universal, other, Whole) :: outer
         | other -> other);
    Operator f
  | _ -> assert false

let fail_behind p =
  let bracket = match p.frames with Path_group (_, bracket, _) :: _ -> bracket | _ -> '(' in
  match (token p 0).kind, p.frames with
  | Assign, _ -> fail p "':=' can only stand behind a name at the start of a line"
  | _, [] -> fail_expected p "an operator"
  | End, _ -> fail_expected p (closing bracket)
  | _ -> fail_expected p ("an operator or " ^ closing bracket)

let read_operator p f =
  let f = reduce_tight p f in
  let current = token p 0 in
  let until = letter p current "URW" in
  match current.kind, until, p.frames with
  | _, Some letter, Quantified _ :: _ -> read_until p letter f
  | _, None, Quantified _ :: _ -> fail_expected p "'U', 'R' or 'W'" ~remark:no_path
  | kind, _, Path_group (_, bracket, Whole) :: _
    when (match kind with Right _ -> false | _ -> true) ->
    fail_expected p (closing bracket) ~remark:"; a path formula is no operand"
  | Binary operator, _, _ ->
    let tightness = binding operator in
    let f = reduce_binary p (if operator = Implies then tightness else tightness - 1) f in
    push p (Infix (operator, f, tightness));
    advance p;
    Operand
  | kind, _, _ ->
    let f = reduce_binary p 0 f in
    (match kind, until with
     | _, Some letter -> read_until p letter f
     | Right bracket, _ -> close p bracket f
     | End, _ when p.frames = [] -> Operator f
     | _ -> fail_behind p)

let parse text =
  let p = { text; tokens = tokens text; next = 0; frames = [] } in
  let rec operand () = match read_operand p with Some f -> behind f | None -> operand ()
  and behind f =
    match read_operator p f with
    | Operand -> operand ()
    | Operator f when p.frames = [] && (token p 0).kind = End -> f
    | Operator f -> behind f
  in
  operand ()
