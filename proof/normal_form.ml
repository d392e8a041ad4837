(* Formulas in existential normal form, each kept once, so that those that are equal up to
   abbreviations are the same number: `nestor verify -f` compares them so. *)

open Checker

type t = int

type key = Atom of positive | True | Not of t | Or of t * t | Next of t | Until of t * t | Always of t

let numbers : (key, t) Hashtbl.t = Hashtbl.create 64
let keys : (t, key) Hashtbl.t = Hashtbl.create 64

let number key =
  match Hashtbl.find_opt numbers key with
  | Some f -> f
  | None ->
    let f = Hashtbl.length numbers in
    Hashtbl.add numbers key f;
    Hashtbl.add keys f key;
    f

let atom p = number (Atom p)
let top = number True
let bottom = number (Not top)
let negation f = match Hashtbl.find keys f with Not g -> g | _ -> number (Not f)

(* What is trivially constant disappears; all this holds in dead ends, too. *)
let disjunction f g =
  if f = top || g = top || (f <> g && negation f = g) then top
  else if g = bottom || f = g then f
  else if f = bottom then g
  else number (Or (f, g))

let conjunction f g = negation (disjunction (negation f) (negation g))
let next f = if f = bottom then bottom else number (Next f)

let until f g =
  if g = top || g = bottom || f = bottom || f = g then g else number (Until (f, g))

let always f = if f = top || f = bottom then f else number (Always f)

(* ---- what is written in other operators ---- *)

let implication f g = disjunction (negation f) g
let equivalence f g = disjunction (conjunction f g) (negation (disjunction f g))
let difference f g = conjunction (disjunction f g) (negation (conjunction f g))

(* By the letter of a path operator; universal if `A` stands before it. *)
let unary universal letter f =
  match universal, letter with
  | false, 'X' -> next f
  | false, 'F' -> until top f
  | false, _ -> always f
  | true, 'X' -> negation (next (negation f))
  | true, 'F' -> negation (always (negation f))
  | true, _ -> negation (until top (negation f))

let binary universal letter f g =
  match universal, letter with
  | false, 'U' -> until f g
  | false, 'W' -> disjunction (until f g) (always f)
  | false, _ -> disjunction (until g (conjunction f g)) (always g)
  | true, 'U' ->
    let neither = negation (disjunction f g) in
    negation (disjunction (until (negation g) neither) (always (negation g)))
  | true, 'W' -> negation (until (negation g) (negation (disjunction f g)))
  | true, _ -> negation (until (negation f) (negation g))

(* ---- certificates ---- *)

(* Of the formula that a certificate is about. *)
let of_certificate (certificate : certificate) =
  let found = Array.make (Model_reader.place certificate.last + 1) top in
  let at f = found.(Model_reader.place f) in
  let form = function
    | LAp p -> atom p
    | LTt -> top
    | LNot f -> negation (at f)
    | LOr (f, g) -> disjunction (at f) (at g)
    | LAnd (f, g) -> conjunction (at f) (at g)
    | LEX f -> next (at f)
    | LEU (f, g) -> until (at f) (at g)
    | LEG f -> always (at f)
  in
  Array.iteri
    (fun k _ -> Option.iter (fun line -> found.(k) <- form line)
        (get (Model_reader.position k) certificate.lines))
    found;
  at certificate.last
