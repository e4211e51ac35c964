# What models learn from beside those whom the gap is about.
# $where: the filter in words; $n: cases that do not meet it
learning-filter = Models also learn from { $n_count ->
    [one] 1 case
   *[other] { $n } cases
} outside the filter: { $where }.
learning-filter-alone = Models learn from nobody outside the filter: { $where }.
learning-filter-hidden = Models also learn from cases outside the filter: { $where }.
# $who: of several remedies, or of any
learning-unknown = { $n_count ->
    [one] 1 case
   *[other] { $n } cases
} of no known group { learning-unknown-use }.
learning-unknown-hidden = Cases of no known group { learning-unknown-use }.
learning-unknown-use = { $who ->
    [learn] can be learned from, but not tested
    [some] are learned from by some remedies, and tested by none
   *[none] are neither learned from nor tested
}
# $what: "a decision"
learning-undecided = { $n_count ->
    [one] 1 case
   *[other] { $n } cases
} without { $what } { $n_count ->
    [one] is
   *[other] are
} left out.
# $good: whether they count as favourable; $leave_out: a condition
learning-counts-decision = They count as { $good ->
    [yes] favourable
   *[no] not favourable
} for models. To leave them out, add to the filter: { $leave_out }.

# $engine: where the data stay; $by: what strata are made of
learning-sample = The data stay in { $engine }. { $n } of { $all } cases were drawn there at random, within { $by }.
learning-sample-all = The data stay in { $engine }. All { $n } cases were drawn there.
learning-sample-part = The data stay in { $engine }. A part of the cases was drawn there at random, within { $by }.

# The pictures of all remedies
remedies-chart-groups = How often each group is predicted positive, rightly or wrongly, before and after
remedies-chart-groups-row = { CAP($what) }, { $group }: { $shares }.
remedies-chart-few = Too few test cases to be drawn: { names-first }.
# $better: which way is better on the first axis
remedies-chart-models = Models by { $x } and { $y }
remedies-chart-numbered = { $number }, { $name }
remedies-chart-model = { $model }: { $figures }.
remedies-chart-model-best = { $model }: { $figures }, bettered by none.
remedies-chart-decided = { CAP($what) }: { $size } points.
remedies-decided = the gap in past decisions
remedies-happened = the gap in what happened
