# A gap that is watched batch by batch, and gives an alarm where it is beyond the tolerance
# $protected, $others, $verb, $quantity, $direction, $size: as in a check; $n: batches; $batch: what one is called
# $limit: the tolerance; $error: the chance of a false alarm

question-name-watches = Watch
moved-watches = Whether { $group } fare otherwise is no longer watched.
watch-headline-alarm = { CAP($protected) } { $verb } { check-less-or-more } than { $others }
watch-headline-alarm-once = For a time, { $protected } { $verb } { check-less-or-more } than { $others }
watch-headline-none = No gap above your limit between { $protected } and { $others } has shown so far
watch-headline-nothing = No batch so far holds both { $protected } and { $others }
watch-lead-alarm = The gap is more than { check-limit }, as batch { $batch } has shown.
watch-lead-alarm-once = The gap was more than { check-limit }, as batch { $batch } has shown.
watch-lead-gap = Over { $n_count ->
    [one] one batch
   *[other] all { $n } batches
}, { $protected } { $verb } { $direction ->
    [same] about as often as { $others }
   *[other] { check-size } { check-less-or-more }
}.
watch-lead-false = With no gap above your limit, a false alarm comes in at most { $error } of watches, however long.
# $n: batches without a decision; $batch: the first of them
watch-undecided = { $n_count ->
    [one] Batch { $batch } has no decision, so it changes nothing.
   *[other] { $n } batches, from { $batch } on, have no decision, so they change nothing.
}
watch-not-why = An alarm does not say why.
watch-not-shown-few = Each batch holds few people, so small counts could be worked out.
watch-not-shown-leave = Leave this question out of a report that is published.
watch-line = Watch: { $verdict }. { $headline }.

# The page
watch-question = Does the gap stay within your limit, batch by batch?
watch-no-amounts = Averages are not watched: a bound on false alarms needs amounts with known limits. Choose a decision with a favourable result.
watch-no-column = No column says when a row came, so there are no batches to watch.
watch-choose-column = Choose the column that says which night, week or batch a row is of.
watch-more = More: exact figures, settings, how it is computed
watch-more-figures = After each batch
watch-more-settings = Settings
watch-more-computed = How it is computed
watch-next = The command `fairaudit watch` takes new batches as they come, and keeps what it needs in a file.

# The picture
watch-chart-title = Gap so far between { $protected } and { $others }, after each batch
watch-chart-axis = Batches so far
watch-chart-side = Points more (above) or less (below) often
watch-chart-within = within your { $limit } { $limit_count ->
    [one] point
   *[other] points
}
watch-chart-alarm = alarm: { $batch }

# Under More
# $n, $rest: cases of the protected group and of the others; $least: the evidence of an alarm
watch-how-cases = So far: { $n } cases of { $protected }, and { $rest } of { $others }.
watch-how-evidence = The alarm comes once the evidence for a gap above your limit is { $least } or more.
watch-how-alike = All cases of a batch are compared together; for similar cases, watch them alone with a filter.
watch-how-first = The first batch only says how often people get the result, and gives no evidence.
# $low, $high: ends of the range; $low_side, $high_side: less or more
watch-how-range = The gap so far is between { $low } { $low_count ->
    [one] point
   *[other] points
} { $low_side ->
    [less] less
   *[more] more
} and { $high } { $high_count ->
    [one] point
   *[other] points
} { $high_side ->
    [less] less
   *[more] more
} often, after all batches at once ({ $level }).
