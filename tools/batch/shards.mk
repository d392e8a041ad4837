# A run of nestor in shards, with any make:
#
#   make -j8 -f tools/batch/shards.mk SHARDS=16 OUT=report.sarif RUN='lint --format=sarif prog.bc'
#
# A part that is there is not made again, so an interrupted run goes on where it was. INPUT names files that the
# parts depend on. Make's own status tells whether there is a report; the status that one run would have is in OUT.status.

NESTOR ?= nestor
SHARDS ?= 8
OUT    ?= report
parts  := $(foreach i,$(shell seq $(SHARDS)),$(OUT).parts/$(i))

.DELETE_ON_ERROR:

$(OUT): $(parts)
	$(NESTOR) merge --quiet -o $@ $^; status=$$?; echo $$status > $@.status; [ $$status -ne 2 ] && [ $$status -ne 4 ]

$(parts): $(INPUT) | $(OUT).parts
	$(NESTOR) $(RUN) --shard=$(@F)/$(SHARDS) -o $@

$(OUT).parts:
	mkdir -p $@
