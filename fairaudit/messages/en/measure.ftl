# Four questions from which it follows what is compared, and why.
# $measure: what is compared; $decided: benefit, limited, burden; $limit: in points; $happened: yes or no

measure-title = Which measure fits? Four questions, if you like
measure-more = Answer what is decided, and whether what truly happened is known.
measure-borne = Say who bears an error: errors can then be compared.
measure-compare = { $measure ->
    [demographic_parity] Compare how often each group gets the favourable result.
    [four_fifths] Compare how often each group gets the favourable result, as a ratio.
    [equal_opportunity] Compare how often people are wrongly refused.
    [fdr] Compare how often the favourable result was given wrongly.
    [fpr] Compare how often people are wrongly flagged.
    [fnr] Compare how often people are wrongly missed.
   *[equalized_odds] Compare both kinds of errors.
}
measure-because = { $measure ->
    [demographic_parity] What truly happened is not known, so errors cannot be counted.
    [four_fifths] Places are few and what truly happened is not known, so errors cannot be counted.
    [equal_opportunity] Whoever is wrongly refused bears the error.
    [fdr] Others bear the error of a favourable result that was wrong.
    [fpr] Whoever is wrongly flagged bears the error.
    [fnr] Others bear the error where somebody is wrongly missed.
   *[equalized_odds] Both sides bear errors.
}
measure-limit-points = Gaps up to { $limit } percentage { $limit_count ->
    [one] point
   *[other] points
} count as equal treatment.
measure-limit-ratio = One group's share should be at least { $ratio } of the other's.
measure-is = { $happened ->
    [yes] The column is taken for what happened later.
   *[no] The column is taken for what somebody decided.
}
measure-needs-prediction = Name the prediction or score under More, so that errors can be counted.
measure-group-no = The group may not be used to decide.
measure-group-yes = The group may be used to decide.
measure-use = Use this
measure-used = What your answers ask for: { $compare }
measure-back = Take it back
measure-heading = Why this measure
measure-answered = Four answers say what should be compared.
