(* verify_list FOLDER: of each line `MODEL CERTIFICATE …` of FOLDER/list, what the proved checker
   says: holds, fails or refused. Models that follow each other are read once. *)

let () =
  let folder = Sys.argv.(1) in
  let path name = Filename.concat folder name in
  let last = ref None in
  let model name =
    match !last with
    | Some (same, model) when same = name -> model
    | _ ->
      let file = open_in_bin (path name) in
      let model = Model_reader.read file in
      close_in file;
      last := Some (name, model);
      model
  in
  let list = Lines.of_channel (open_in_bin (path "list")) in
  let rec go () =
    match Lines.next list with
    | None -> ()
    | Some line ->
      (match String.split_on_char ' ' line with
       | name :: certificate :: _ ->
         let file = open_in_bin (path certificate) in
         print_endline
           (match Verify.certificate (model name) (Lines.of_channel file) with
            | Verified Holds -> "holds"
            | Verified Fails -> "fails"
            | Refused _ -> "refused");
         close_in file
       | _ -> failwith line);
      go ()
  in
  go ()
