(* A certificate, held against a model, and against a formula if one is given. *)

type outcome =
  | Verified of Checker.verdict
  | Refused of int * string  (* the line and what is wrong there *)

let certificate ?formula (model : Model_reader.t) lines =
  match Certificate_reader.read lines model with
  | exception Certificate_reader.Refused (line, what) -> Refused (line, what)
  | exception Gunzip.Damaged -> Refused (Lines.number lines, "damaged compressed file")
  | exception Gunzip.Ends_early ->
    Refused (Lines.number lines, "damaged compressed file: it ends too early")
  | read when read.model_hash <> model.hash ->
    Refused (read.model_line, "the certificate is about another model")
  | read when formula <> None && formula <> Some (Normal_form.of_certificate read.certificate) ->
    Refused (read.verdict_line, "the certificate is about another formula")
  | read ->
    if read.repeated = None && Checker.check model.model read.certificate read.verdict then
      Verified read.verdict
    else
      let line, what = Diagnosis.first_fault model read in
      Refused (line, what)
