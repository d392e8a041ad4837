(* The text of a certificate (docs/certificates.md) into the certificate of Statement.v. Nothing
   but the lines `formula` and `verdict` matters for what is proved: the rest is for the checker to
   refuse. *)

open Checker

exception Refused of int * string  (* the line and what is wrong with it *)

type operator = True | Ap | Unary of (positive -> line) | Binary of (positive -> positive -> line)

let operators =
  [ "true", True; "ap", Ap; "not", Unary (fun f -> LNot f); "EX", Unary (fun f -> LEX f);
    "EG", Unary (fun f -> LEG f); "or", Binary (fun f g -> LOr (f, g));
    "and", Binary (fun f g -> LAnd (f, g)); "EU", Binary (fun f g -> LEU (f, g)) ]

(* An instance while its lines are read. *)
type draft = {
  component : int;
  boxes : positive option array;
  digits : string option array;  (* by subformula *)
  exits_of : set option array;  (* by subformula: its context *)
  facts_of : facts points array;  (* by subformula *)
  dead_of : dead points array;
}

type reader = {
  lines_of : Lines.t;
  model : Model_reader.t;
  mutable line : string;
  mutable rest : int;  (* where in the line the next field begins; past its end: there is none *)
  mutable formulas : line list;  (* the last one first *)
  mutable count : int;  (* of them *)
  mutable made : instance table;
  mutable made_count : int;
  mutable draft : draft option;
  columns : (string, set) Hashtbl.t;  (* the subformulas with value 1, by their digits *)
}

let refuse r what = raise (Refused (max 1 (Lines.number r.lines_of), what))
let expect r condition what = if not condition then refuse r what

(* ---- lines and fields ---- *)

let without_comment line =
  let rec go k quoted =
    if k >= String.length line then String.length line
    else
      match line.[k] with
      | '"' -> go (k + 1) (not quoted)
      | '\\' -> go (k + 2) quoted
      | '#' when not quoted -> k
      | _ -> go (k + 1) quoted
  in
  let rec trim k = if k > 0 && line.[k - 1] = ' ' then trim (k - 1) else k in
  let length = trim (if String.contains line '#' then go 0 false else String.length line) in
  if length = String.length line then line else String.sub line 0 length

let rec next_line r =
  match Lines.next r.lines_of with
  | None -> false
  | Some line ->
    r.line <- without_comment line;
    r.rest <- 0;
    r.line <> "" || next_line r

let expect_line r = expect r (next_line r) "the certificate ends without 'end'"
let at_end r = r.rest > String.length r.line

let rest r =
  let text = if at_end r then "" else String.sub r.line r.rest (String.length r.line - r.rest) in
  r.rest <- String.length r.line + 1;
  text

let word r =
  expect r (not (at_end r)) "expected another field";
  let stop = try String.index_from r.line r.rest ' ' with Not_found -> String.length r.line in
  let field = String.sub r.line r.rest (stop - r.rest) in
  expect r (field <> "") "expected another field";
  r.rest <- stop + 1;
  field

let number r field =
  let value = ref 0 in
  expect r (field <> "") "expected a number below 4294967295";
  String.iter
    (fun c ->
      value := (10 * !value) + Char.code c - 48;
      expect r (c >= '0' && c <= '9' && !value < 0xffffffff) "expected a number below 4294967295")
    field;
  !value

let number_below r limit what =
  let value = number r (word r) in
  expect r (value < limit) (Printf.sprintf "there is no %s %d" what value);
  value

let json_string r =
  let text = rest r in
  let json = Json.of_string text in
  match
    expect r (text <> "" && text.[0] = '"') "expected a JSON string";
    let value = Json.string json in
    Json.finish json;
    value
  with
  | value -> value
  | exception Json.Error _ -> refuse r "expected a JSON string"

let position = Model_reader.position

let exit_named r component field =
  let k = number r field in
  let exits = r.model.components.(component).exits in
  expect r (k < r.model.node_counts.(component) && mem (position k) exits)
    (Printf.sprintf "node %d is no exit" k);
  position k

(* ---- formulas ---- *)

let operand r = position (number_below r r.count "formula")

let formula r =
  ignore (word r);
  expect r (number r (word r) = r.count) "expected formulas to be numbered from 0 upwards";
  let line =
    match List.assoc_opt (word r) operators with
    | None -> refuse r "unknown operator"
    | Some True -> LTt
    | Some Ap -> LAp (Model_reader.proposition (json_string r))
    | Some (Unary make) -> make (operand r)
    | Some (Binary make) ->
      let f = operand r in
      make f (operand r)
  in
  expect r (at_end r) "expected nothing more on this line";
  r.formulas <- line :: r.formulas;
  r.count <- r.count + 1

let is_existential = function LEX _ | LEU _ | LEG _ -> true | _ -> false

(* ---- instances ---- *)

(* By node: the subformulas whose digit is 1. *)
let values r digits nodes =
  let table = ref Empty in
  let column = Bytes.create r.count in
  for n = 0 to nodes - 1 do
    for f = 0 to r.count - 1 do
      Bytes.unsafe_set column f (String.get digits.(f) n)
    done;
    let key = Bytes.to_string column in
    let ones =
      match Hashtbl.find_opt r.columns key with
      | Some ones -> ones
      | None ->
        let ones = ref Empty in
        String.iteri (fun f digit -> if digit = '1' then ones := put (position f) () !ones) key;
        Hashtbl.add r.columns key !ones;
        !ones
    in
    table := put (position n) ones !table
  done;
  !table

let nothing = { at_node = Empty; at_return = Empty }

let by_formula points =
  let table = ref Empty in
  Array.iteri (fun f p -> if p != nothing then table := put (position f) p !table) points;
  !table

let end_instance r formulas =
  match r.draft with
  | None -> ()
  | Some d ->
    let given what = function
      | Some x -> x
      | None -> refuse r ("before this, expected a line " ^ what)
    in
    let callees = ref Empty and contexts = ref Empty in
    Array.iteri
      (fun b j -> callees := put (position b) (given "'box' for each box" j) !callees)
      d.boxes;
    let digits = Array.map (given "'value' for each formula") d.digits in
    Array.iteri
      (fun f exits ->
        if is_existential formulas.(f) then
          contexts := put (position f) (given "'context' for each EX, EU and EG" exits) !contexts)
      d.exits_of;
    let instance =
      { component_of = position d.component; callees = !callees; contexts = !contexts;
        values = values r digits r.model.node_counts.(d.component);
        proofs = by_formula d.facts_of; deaths = by_formula d.dead_of }
    in
    r.made <- put (position r.made_count) instance r.made;
    r.made_count <- r.made_count + 1;
    r.draft <- None

let instance r formulas =
  end_instance r formulas;
  expect r (number r (word r) = r.made_count) "expected instances to be numbered from 0 upwards";
  let found = Hashtbl.find_opt r.model.number_of (json_string r) in
  let component = match found with Some c -> c | None -> refuse r "there is no such component" in
  r.draft <-
    Some
      { component; boxes = Array.map (fun _ -> None) r.model.callees.(component);
        digits = Array.make r.count None; exits_of = Array.make r.count None;
        facts_of = Array.make r.count nothing; dead_of = Array.make r.count nothing }

let once r there = expect r (not there) "the same said a second time"

let value r d =
  let f = number_below r r.count "formula" in
  once r (d.digits.(f) <> None);
  let digits = rest r in
  expect r
    (String.length digits = r.model.node_counts.(d.component)
     && (let ok = ref true in
         String.iter (fun c -> if c <> '0' && c <> '1' then ok := false) digits;
         !ok))
    "expected a digit 0 or 1 for each node";
  d.digits.(f) <- Some digits

let context r formulas d =
  let f = number_below r r.count "formula" in
  expect r (is_existential formulas.(f)) "only EX, EU and EG have contexts";
  once r (d.exits_of.(f) <> None);
  let exits = ref Empty in
  while not (at_end r) do
    exits := put (exit_named r d.component (word r)) () !exits
  done;
  d.exits_of.(f) <- Some !exits

(* ---- what is said of points ---- *)

type place = Node of positive | Return of positive * positive

let place r d is_return =
  if is_return then begin
    let b = number_below r (Array.length d.boxes) "box" in
    let x = exit_named r r.model.callees.(d.component).(b) (word r) in
    Return (position b, x)
  end
  else Node (position (number_below r r.model.node_counts.(d.component) "node"))

let at points = function
  | Node n -> get n points.at_node
  | Return (b, x) ->
    (match get b points.at_return with Some by_exit -> get x by_exit | None -> None)

let set points place what =
  match place with
  | Node n -> { points with at_node = put n what points.at_node }
  | Return (b, x) ->
    let by_exit = match get b points.at_return with Some by_exit -> by_exit | None -> Empty in
    { points with at_return = put b (put x what by_exit) points.at_return }

let rank r = Model_reader.positive (number r (word r) + 1)

let choice r d place =
  match word r with
  | "here" -> Here
  | field ->
    let c = r.model.components.(d.component) in
    let targets = match place with Node n -> next_of c n | Return (b, x) -> after_of c b x in
    (match List.nth_opt targets (number r field), at_end r with
     | None, _ -> refuse r "there is no such successor to choose"
     | Some target, true -> By (target, None)
     | Some (Plain _), false -> refuse r "only a call returns through an exit"
     | Some (Call (b, _) as target), false ->
       let callee = r.model.callees.(d.component).(Model_reader.place b) in
       By (target, Some (exit_named r callee (word r))))

let fact r formulas d is_return =
  let f = number_below r r.count "formula" in
  expect r (match formulas.(f) with LEU _ -> true | _ -> false) "only EU has facts";
  let place = place r d is_return in
  let target = match word r with "goal" -> None | field -> Some (exit_named r d.component field) in
  let rank = rank r in
  let fact = { rank; chosen = choice r d place } in
  let known =
    match at d.facts_of.(f) place with
    | Some known -> known
    | None -> { to_goal = None; to_exit = Empty }
  in
  let more =
    match target with
    | None -> once r (is_some known.to_goal); { known with to_goal = Some fact }
    | Some x ->
      once r (is_some (get x known.to_exit));
      { known with to_exit = put x fact known.to_exit }
  in
  d.facts_of.(f) <- set d.facts_of.(f) place more

let dead r formulas d is_return =
  let f = number_below r r.count "formula" in
  expect r (match formulas.(f) with LEG _ -> true | _ -> false) "only EG has the dead";
  let place = place r d is_return in
  let height = rank r in
  let exits = match word r with "none" -> [] | field -> String.split_on_char ',' field in
  let reach = List.fold_left (fun s x -> put (exit_named r d.component x) () s) Empty exits in
  once r (is_some (at d.dead_of.(f) place));
  d.dead_of.(f) <- set d.dead_of.(f) place { height; reach }

let item r formulas =
  match word r, r.draft with
  | "instance", _ -> instance r formulas
  | _, None -> refuse r "expected an instance"
  | "box", Some d ->
    let b = number_below r (Array.length d.boxes) "box" in
    once r (d.boxes.(b) <> None);
    d.boxes.(b) <- Some (position (number r (word r)))
  | "context", Some d -> context r formulas d
  | "value", Some d -> value r d
  | "fact", Some d -> fact r formulas d false
  | "point", Some d -> fact r formulas d true
  | "dead", Some d -> dead r formulas d false
  | "deadpoint", Some d -> dead r formulas d true
  | _, Some _ -> refuse r "unknown keyword"

(* The certificate and the verdict that it is for. *)
let read lines_of (model : Model_reader.t) =
  let r =
    { lines_of; model; line = ""; rest = 0; formulas = []; count = 0; made = Empty; made_count = 0;
      draft = None; columns = Hashtbl.create 64 }
  in
  expect r (next_line r && r.line = "nestor-certificate 1") "expected 'nestor-certificate 1'";
  expect_line r;
  expect r (word r = "model") "expected 'model' and the model's SHA-256";
  expect r (json_string r = model.hash) "the certificate is about another model";
  expect_line r;
  while String.length r.line >= 8 && String.sub r.line 0 8 = "formula " do
    formula r;
    expect_line r
  done;
  expect r (r.count > 0) "expected a formula";
  let verdict =
    match r.line with
    | "verdict holds" -> Holds
    | "verdict fails" -> Fails
    | _ -> refuse r "expected 'verdict holds' or 'verdict fails'"
  in
  let formulas = Array.of_list (List.rev r.formulas) in
  expect_line r;
  while r.line <> "end" do
    item r formulas;
    expect r (at_end r) "expected nothing more on this line";
    expect_line r
  done;
  end_instance r formulas;
  expect r (r.made_count > 0) "expected the root, instance 0, before the end";
  expect r (not (next_line r)) "expected nothing after 'end'";
  let lines = ref Empty in
  Array.iteri (fun f line -> lines := put (position f) line !lines) formulas;
  { lines = !lines; last = position (r.count - 1); instances = r.made }, verdict
