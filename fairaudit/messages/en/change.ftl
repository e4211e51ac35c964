# Whether a gap changed from one period to another.
# $protected, $others, $verb, $what, $similar, $quantity: as in a check; $direction: same, less or more, seen from the
# protected group, in one period
# $before, $after: the gap in each period, as change-gap says it; $earlier, $later: periods, as "before 2024"

question-name-changes = Change over time
moved-changes = Whether the gap changed is no longer asked of rows where { $group }.
change-period-before = before { $end }
change-period-from = from { $start }
change-period-between = from { $start } to before { $end }
change-period-in = in { $name }
change-period-earlier = in the earlier table
change-period-later = in the later table
change-period-label = { CAP($period) }

change-points = { $size } { $first ->
    [yes] percentage { "" }
   *[no] { "" }
}{ $size_count ->
    [one] point
   *[other] points
}
change-size = { $quantity ->
    [share] { change-points }
   *[amount] { $size }
}
change-gap = { $direction ->
    [same] { $quantity ->
        [share] about as often
       *[amount] about as much { $what }
    }
   *[other] { change-size } { check-less-or-more }
}

change-headline-smaller = The gap between { $protected } and { $others } shrank
change-headline-larger = The gap between { $protected } and { $others } grew
change-headline-turned = The gap between { $protected } and { $others } turned around
change-headline-changed = The gap between { $protected } and { $others } changed
change-headline-unchanged = The gap between { $protected } and { $others } stayed about the same
change-headline-open = No clear change in the gap between { $protected } and { $others }
change-headline-line-changed = The gap between { $protected } and { $others } did not stay the same
change-headline-not-shown = This answer would show numbers that are too small to publish

change-lead-both = { CAP($protected) } { $verb } { $before } { $earlier }, and { $after } { $later }.
change-lead-same = { CAP($protected) } { $verb } { $before } in { $n_count ->
    [2] both periods
   *[other] all { $n } periods
}.
change-lead-line = { CAP($protected) } { $verb } { $low } to { change-size } { check-less-or-more }, over { $n } periods.
change-lead-line-both = Over { $n } periods, { $protected } { $verb } between { $before } and { $after }.

# $limit: what counts as no change; $allowed: set, or proposed
change-sure-clear = That is too large a change to be chance.
change-sure-small = That is too large a change to be chance, though within { check-allowed }.
change-sure-same = Every change that fits the data is within { check-allowed }.
# $more, $fewer: by how much the gap may have grown or shrunk
change-sure-open = { $quantity ->
    [share] The gap may have grown by up to { $more } { $more_count ->
        [one] point
       *[other] points
    } or shrunk by up to { $fewer }.
   *[amount] The gap may have grown by up to { $more } or shrunk by up to { $fewer }.
}
change-sure-open-sided = { $quantity ->
    [share] The change may be anything from { $fewer } points less often to { $more } points more often.
   *[amount] The change may be anything from { $fewer } less to { $more } more.
}
change-sure-not-tested = There are too few cases to say whether that is chance.
change-sure-line = One test over all periods says that this is more than chance.
change-sure-line-open = One test over all periods says that this may be chance.
change-lead-stands-out = It stands out { $period }.
change-lead-stand-out = It stands out in { $n } of them.

change-mix-rates = { CAP($similar) } the gap changed too.
change-mix-only-rates = { CAP($similar) } the gap did change.
change-mix-mix = { CAP($similar) } it may not have changed, but the mix of cases did.
change-mix-both = Both the mix of cases and the gap { $similar } changed.

change-not-why = This does not say why.
change-recorded-otherwise = The periods are not recorded alike in what the question depends on, and that alone can change a gap.
change-recorded-alike = The periods are recorded alike: the same columns, values and codes, and as much is missing.
change-recorded-elsewhere = The periods differ in columns that the question does not depend on.

change-recorded-matters = The question depends on this column.

change-clustered = Ranges allow for cases that belong together by { $column }.

change-chart-share = Share of people who { $verb }, in each period
change-chart-amount = Average { $what }, in each period
change-chart-apart = { $about ->
    [about] about { change-size }
   *[exact] { change-size }
} apart
# $own, $other: shares or means
change-chart-row = { $label }: { $protected } { $own }, { $others } { $other }.
change-column-cases = { $group }, cases
change-column-share = { $group }, share
change-column-mean = { $group }, mean

change-question = Did the gap change?
change-more = More: exact figures, mix of cases, how the periods were recorded, settings
change-more-figures = Exact figures
change-more-mix = Mix and rates
change-more-mix-why = How much of the change comes from who was there, and how much from other decisions.
change-more-recording = How the periods were recorded
change-more-settings = Settings
change-more-computed = How this is computed
change-computed-tables = Periods are taken as independent. Where the same people are in both, the ranges claim too much or too little.
change-computed-recording = A changed recording is not a changed treatment. Look first at columns, values and what is missing.
change-computed-rule = A change beside a new rule need not be its work. Other things may have changed with it.
change-line = Change over time: { $verdict }. { $headline }.
change-not-shown-few = Small counts are hidden, and counts of few people could be worked out from the answers of several periods.
change-not-shown-leave = See them on their page, and leave this question out of a report that is published.
change-bring-other = Bring the other period as a second table.
change-bring-saved = The saved audit compares with { $table }. Bring that table, or another.
