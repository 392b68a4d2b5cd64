; Certificate: no input reaches the branch objective count:5:7:true
;   count.c:5:7 in count: `i < 0` is true
; proved by: hand
; assumed: nothing
; 
; How to read it: each function inv_K below says what holds whenever a run is at the places named above
; it; at all other places nothing is said. `false` means that no run comes there, as at the objective. At the
; start a run may have any state. Then each step of the program into one of these places is asked about: from
; what holds before it and the conditions on the way, can what should hold after it fail? No: each of the
; 4 answers is unsat. So the 3 formulas hold by induction over the steps of any run. Steps
; that change nothing in a formula and start where it holds are left out.
; 
; Run it with any SMT-LIB 2 solver, e.g. `cvc5 --incremental FILE`. `covenant check` reads only the formulas
; and their places from this file and asks all questions anew, from the program.
(set-logic QF_BV)
(set-info :covenant-certificate "2")
(set-info :covenant-objective "count:5:7:true")

; Variables of the state.
(declare-const |i| (_ BitVec 32)) ; i (line 1) in count
(declare-const |n| (_ BitVec 32)) ; n (line 1) in count
(set-info :covenant-variable "value count v0 i")
(set-info :covenant-variable "value count v1 n")

; count.c:3 in count: line 3 of the source
(set-info :covenant-at "inv_1 count:bb1")
; count.c:5 in count: line 5 of the source
(set-info :covenant-at "inv_1 count:bb3")
;   -1 < i
(define-fun inv_1 ((|i| (_ BitVec 32))) Bool (bvslt #xffffffff |i|))

; count.c:4 in count: line 4 of the source
(set-info :covenant-at "inv_2 count:bb2")
;   i < n && -1 < i
(define-fun inv_2 ((|i| (_ BitVec 32)) (|n| (_ BitVec 32))) Bool (and (bvslt |i| |n|) (bvslt #xffffffff |i|)))

; count.c:6 in count: line 6 of the source
(set-info :covenant-at "inv_3 count:bb4")
;   no run comes here
(define-fun inv_3 () Bool false)

; the step from the start to count.c:3 in count keeps what the certificate says: inv_1
(push 1)
(assert (not (inv_1 #x00000000))) ; fails after
(set-info :status unsat)
(check-sat) ; expected: unsat
(pop 1)

; the step from count.c:3 in count to count.c:4 in count keeps what the certificate says: inv_1 gives inv_2
(push 1)
(assert (inv_1 |i|)) ; holds before
(assert (bvslt |i| |n|)) ; the way is taken
(assert (not (inv_2 |i| |n|))) ; fails after
(set-info :status unsat)
(check-sat) ; expected: unsat
(pop 1)

; the step from count.c:4 in count to count.c:3 in count keeps what the certificate says: inv_2 gives inv_1
(push 1)
(assert (inv_2 |i| |n|)) ; holds before
(assert (not (inv_1 (bvadd |i| #x00000001)))) ; fails after
(set-info :status unsat)
(check-sat) ; expected: unsat
(pop 1)

; the step from count.c:5 in count to count.c:6 in count keeps what the certificate says: inv_1 gives inv_3
(push 1)
(assert (inv_1 |i|)) ; holds before
(assert (bvslt |i| #x00000000)) ; the way is taken
(assert (not inv_3)) ; fails after
(set-info :status unsat)
(check-sat) ; expected: unsat
(pop 1)
