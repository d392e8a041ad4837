(* RSM JSON (docs/formats.md) into the model of Statement.v. Components, nodes and boxes become
   their positions in the file, counted from 1; propositions are numbered as they come. *)

open Checker

(* Names are resolved when all has been read: no place can be given. *)
let fail_name what name = raise (Json.Error (0, 0, Printf.sprintf "%s '%s'" what name))

(* ---- numbers ---- *)

let rec to_positive k =
  if k = 1 then XH
  else if k land 1 = 1 then XI (to_positive (k lsr 1))
  else XO (to_positive (k lsr 1))

(* Small numbers are made once; most are small. *)
let small = ref [||]

let positive k =
  assert (k > 0);
  if k >= 1 lsl 22 then to_positive k
  else begin
    if k >= Array.length !small then begin
      let old = !small in
      let size = max 1024 (min (1 lsl 22) (2 * (k + 1))) in
      let grown = Array.make size XH in
      Array.blit old 0 grown 0 (Array.length old);
      for i = max 2 (Array.length old) to size - 1 do
        let half = grown.(i lsr 1) in
        grown.(i) <- (if i land 1 = 1 then XI half else XO half)
      done;
      small := grown
    end;
    !small.(k)
  end

(* The k-th thing of a file, counted from 0. *)
let position k = positive (k + 1)
let place p =
  let rec to_int = function XH -> 1 | XO p -> 2 * to_int p | XI p -> (2 * to_int p) + 1 in
  to_int p - 1
(* ---- what is read, before names are resolved ---- *)

type reference = Node of string | Box_node of string * string
type raw_node = { name : string; is_entry : bool; is_exit : bool; propositions : positive list }
type raw_box = {
  box_name : string;
  callee_name : string;
  calls : string list;
  returns : string list;
}

type raw_component = {
  component_name : string;
  raw_nodes : raw_node array;
  raw_boxes : raw_box array;
  transitions : (reference * reference list) list;
  position_of : (string, int) Hashtbl.t;  (* of a node *)
  box_of : (string, int) Hashtbl.t;
}

(* Strings that recur are kept once. *)
let kept : (string, string) Hashtbl.t = Hashtbl.create 4096

let keep text =
  match Hashtbl.find_opt kept text with Some same -> same | None -> Hashtbl.add kept text text; text

let propositions : (string, positive) Hashtbl.t = Hashtbl.create 64

let proposition text =
  match Hashtbl.find_opt propositions text with
  | Some p -> p
  | None ->
    let p = position (Hashtbl.length propositions) in
    Hashtbl.add propositions text p;
    p

let list json item =
  let found = ref [] in
  Json.array json (fun () -> found := item () :: !found);
  List.rev !found

let name json =
  let text = Json.string json in
  if text = "" then Json.fail json "a name is empty";
  keep text

let read_node json =
  let node = ref { name = ""; is_entry = false; is_exit = false; propositions = [] } in
  let seen =
    Json.obj json "node" [| "name"; "labels"; "is_entry"; "is_exit"; "file"; "line" |] 4 (function
      | 0 -> node := { !node with name = name json }
      | 1 ->
        let found = list json (fun () -> proposition (Json.string json)) in
        node := { !node with propositions = found }
      | 2 -> node := { !node with is_entry = Json.boolean json }
      | 3 -> node := { !node with is_exit = Json.boolean json }
      | 4 -> ignore (name json)
      | _ ->
        (match int_of_string_opt (Json.number json) with
         | Some line when line >= 1 && line <= 0xffffffff -> ()
         | _ -> Json.fail json "'line' is no integer from 1 to 4294967295"))
  in
  if seen land 0b110000 = 0b100000 then Json.fail json "'line' without 'file'";
  !node

let read_box json =
  let box = ref { box_name = ""; callee_name = ""; calls = []; returns = [] } in
  let names () = list json (fun () -> keep (Json.string json)) in
  ignore
    (Json.obj json "box" [| "name"; "component"; "call_nodes"; "return_nodes" |] 4 (function
       | 0 -> box := { !box with box_name = name json }
       | 1 -> box := { !box with callee_name = name json }
       | 2 -> box := { !box with calls = names () }
       | _ -> box := { !box with returns = names () }));
  !box

let read_reference json =
  let members = [| ""; ""; ""; "" |] in
  let seen =
    Json.obj json "reference" [| "type"; "name"; "box_name"; "node_name" |] 1 (fun k ->
        members.(k) <- keep (Json.string json))
  in
  match members.(0) with
  | "node" when seen land 0b10 <> 0 -> Node members.(1)
  | "box_node" when seen land 0b1100 = 0b1100 -> Box_node (members.(2), members.(3))
  | _ ->
    Json.fail json
      "a reference is neither a 'node' with its 'name' nor a 'box_node' with both names"

let read_transition json =
  let source = ref (Node "") and targets = ref [] in
  ignore
    (Json.obj json "transition" [| "source"; "targets" |] 2 (function
       | 0 -> source := read_reference json
       | _ -> targets := list json (fun () -> read_reference json)));
  !source, !targets

let positions what names =
  let table = Hashtbl.create (Array.length names) in
  Array.iteri
    (fun k name ->
      if Hashtbl.mem table name then fail_name ("duplicate " ^ what) name;
      Hashtbl.add table name k)
    names;
  table

let read_component json =
  let component = ref "" and nodes = ref [||] and boxes = ref [||] and transitions = ref [] in
  ignore
    (Json.obj json "component" [| "name"; "nodes"; "boxes"; "transitions" |] 4 (function
       | 0 -> component := name json
       | 1 -> nodes := Array.of_list (list json (fun () -> read_node json))
       | 2 -> boxes := Array.of_list (list json (fun () -> read_box json))
       | _ -> transitions := list json (fun () -> read_transition json)));
  { component_name = !component; raw_nodes = !nodes; raw_boxes = !boxes; transitions = !transitions;
    position_of = positions "node" (Array.map (fun (n : raw_node) -> n.name) !nodes);
    box_of = positions "box" (Array.map (fun b -> b.box_name) !boxes) }

(* ---- names become positions ---- *)

type t = {
  model : model;
  number_of : (string, int) Hashtbl.t;  (* of a component *)
  components : component array;
  node_counts : int array;
  callees : int array array;  (* by component and box *)
  hash : string;  (* SHA-256 of the file *)
}

let find table what name =
  match Hashtbl.find_opt table name with Some k -> k | None -> fail_name ("unknown " ^ what) name

let resolve raw number_of c =
  let callee b = raw.(find number_of "component" b.callee_name) in
  let callee_node b name = let d = callee b in d, find d.position_of "node" name in
  let box name = c.raw_boxes.(find c.box_of "box" name) in
  Array.iter
    (fun b ->
      if b.calls = [] then fail_name "no call nodes in box" b.box_name;
      let all what ok =
        List.iter (fun name ->
            let d, k = callee_node b name in
            if not (ok d.raw_nodes.(k)) then fail_name ("no " ^ what) name) in
      all "entry" (fun n -> n.is_entry) b.calls;
      all "exit" (fun n -> n.is_exit) b.returns)
    c.raw_boxes;
  let target = function
    | Node name -> Plain (position (find c.position_of "node" name))
    | Box_node (box_name, name) ->
      let b = box box_name in
      if not (List.mem name b.calls) then fail_name "no call node" name;
      Call (position (Hashtbl.find c.box_of box_name), position (snd (callee_node b name)))
  in
  (* Targets in the order of the file, over all transitions of a source. *)
  let next = Array.make (Array.length c.raw_nodes) [] in
  let after = Array.make (Array.length c.raw_boxes) Empty in
  List.iter
    (fun (source, references) ->
      let targets = List.rev (List.rev_map target references) in
      match source with
      | Node name ->
        let k = find c.position_of "node" name in
        next.(k) <- List.rev_append targets next.(k)
      | Box_node (box_name, name) ->
        if targets <> [] then begin
          let b = box box_name in
          if not (List.mem name b.returns) then fail_name "no return node" name;
          let k = Hashtbl.find c.box_of box_name and x = position (snd (callee_node b name)) in
          let before = match get x after.(k) with Some ts -> ts | None -> [] in
          after.(k) <- put x (before @ targets) after.(k)
        end)
    c.transitions;
  let nodes = ref Empty and exits = ref Empty and boxes = ref Empty in
  Array.iteri
    (fun k n ->
      nodes := put (position k) { labels = n.propositions; next = List.rev next.(k) } !nodes;
      if n.is_exit then exits := put (position k) () !exits)
    c.raw_nodes;
  Array.iteri
    (fun k b ->
      let callee = position (Hashtbl.find number_of b.callee_name) in
      boxes := put (position k) { callee; after = after.(k) } !boxes)
    c.raw_boxes;
  { nodes = !nodes; exits = !exits; boxes = !boxes }

let initial_nodes json c one several =
  let names =
    match one, several with
    | _, Some [] -> Json.fail json "'initial_nodes' is empty"
    | Some name, Some (first :: _) when name <> first ->
      fail_name "'initial_node' is not the first of 'initial_nodes':" name
    | _, Some names -> names
    | Some name, None -> [ name ]
    | None, None ->
      List.filter_map
        (fun (n : raw_node) -> if n.is_entry then Some n.name else None)
        (Array.to_list c.raw_nodes)
  in
  ignore (positions "initial node" (Array.of_list names));
  if names = [] then
    Json.fail json "no initial node is named and the initial component has no entry";
  List.rev_map (fun name -> position (find c.position_of "node" name)) names

let read channel =
  let json = Json.of_channel channel in
  let initial = ref "" and one = ref None and several = ref None and raw = ref [] in
  ignore
    (Json.obj json "model"
       [| "initial_component"; "components"; "initial_node"; "initial_nodes" |] 2
       (function
         | 0 -> initial := name json
         | 1 -> raw := list json (fun () -> read_component json)
         | 2 -> one := Some (name json)
         | _ -> several := Some (list json (fun () -> Json.string json))));
  Json.finish json;
  let raw = Array.of_list !raw in
  let number_of = positions "component" (Array.map (fun c -> c.component_name) raw) in
  let components = Array.map (resolve raw number_of) raw in
  let start = find number_of "initial component" !initial in
  let table = ref Empty in
  Array.iteri (fun k c -> table := put (position k) c !table) components;
  let callees c = Array.map (fun b -> Hashtbl.find number_of b.callee_name) c.raw_boxes in
  { model =
      { components = !table; initial_component = position start;
        initial_nodes = initial_nodes json raw.(start) !one !several };
    number_of; components;
    node_counts = Array.map (fun c -> Array.length c.raw_nodes) raw;
    callees = Array.map callees raw;
    hash = Sha256.hex json.hash }
