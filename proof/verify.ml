(* A certificate, held against a model. *)

type outcome =
  | Verified of Checker.verdict
  | Refused of int * string  (* the line, 0 if all lines are in order; what is wrong *)

let certificate (model : Model_reader.t) lines =
  match Certificate_reader.read lines model with
  | exception Certificate_reader.Refused (line, what) -> Refused (line, what)
  | exception Gunzip.Damaged -> Refused (Lines.number lines, "damaged compressed file")
  | certificate, verdict ->
    if Checker.check model.model certificate verdict then Verified verdict
    else Refused (0, "it breaks a rule; 'nestor verify' says which")
