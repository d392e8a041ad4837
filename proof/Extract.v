(** The checker as an OCaml program. ExtrOcamlBasic takes Coq's booleans, options, pairs and lists
    for OCaml's and [andb], [orb] for its [&&], [||]; numbers and tables stay as they are. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Nestor Require Import Table Statement Check.

Extraction Language OCaml.
Set Extraction AccessOpaque.
Extraction "checker.ml" put get mem check.
