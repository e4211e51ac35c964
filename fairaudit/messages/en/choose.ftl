# Which remedy to try

choose-question = What could make the gap smaller?
choose-lead = Each is tried on people it has not learned from. That it works does not make it lawful.
choose-fit = Which fit my case? Three questions
# $n: of remedies
choose-fitting = { $n_count ->
    [one] One remedy fits
   *[other] { $n } remedies fit
}
choose-none = No remedy is all of that. Change one answer below.
choose-by-group = Decides by group: may be unlawful.
choose-changes-facts = Better not here: it would learn from facts that were changed.
# $name: of a remedy that is left out
choose-out-group = Left out: { $name } decides by group.
choose-out-score = Left out: { $name } gives no score.
choose-out-read = Left out: { $name } cannot be read.
