# The answer to a check, of shares and of amounts.
# $protected, $others: groups as plurals, "women"; $verb: "were approved"; $what: what an amount is, where no verb says it
# $quantity: share or amount; $direction: less or more, seen from the protected group; $similar: "at similar incomes"

question-name-checks = The gap between groups
# What is not defined with rounded or hidden counts, as pages call it
question-name-amount = A comparison of amounts
question-name-cluster = Rows that depend on each other
question-name-remedies = Remedies
check-less-or-more = { $quantity ->
    [share] { $direction ->
        [less] less often
       *[more] more often
    }
   *[amount] { $direction ->
        [less] less
       *[more] more
    } { $what }
}

check-headline-gap = { CAP($protected) } { $verb } { check-less-or-more } than { $others }
check-headline-gap-within = { CAP($protected) } { $verb } { check-less-or-more } than { $others }, even { $similar }
check-headline-gap-none-within = { CAP($protected) } { $verb } { check-less-or-more } overall, but not { $similar }
check-headline-turns-around = { CAP($protected) } { $verb } { check-less-or-more } overall, but not so { $similar }
check-headline-both-ways = The gap between { $protected } and { $others } goes both ways { $similar }
check-headline-gap-similar = { CAP($protected) } { $verb } { check-less-or-more } than { $others } { $similar }
check-headline-gap-perhaps-small = { CAP($protected) } { $verb } { check-less-or-more } than { $others }, perhaps only slightly
check-headline-no-gap = { $quantity ->
    [share] { CAP($protected) } { $verb } about as often as { $others }
   *[amount] { CAP($protected) } { $verb } about as much { $what } as { $others }
}
check-headline-gap-only-within = { $quantity ->
    [share] { CAP($protected) } { $verb } about as often overall, but not { $similar }
   *[amount] { CAP($protected) } { $verb } about as much { $what } overall, but not { $similar }
}
check-headline-too-few = There are too few cases to compare { $protected } with { $others }
check-headline-one-decision = All decisions are the same, so there is nothing to compare
check-headline-no-group = No case is known to be of { $protected }
check-headline-no-others = All cases are of { $protected }
check-headline-not-shown = This answer would show a number that is too small to publish

# Counts that are rounded or hidden. $side: whether both ends of the gap are on one side, on both, or written the same
check-headline-bounds-open = The published counts are too coarse to compare { $protected } with { $others }
check-lead-bounds = Some counts in the table are rounded or hidden.
check-lead-bounds-gap = { $side ->
    [both] In the tables that fit, anything from { $low } { $low_count ->
        [one] point
       *[other] points
    } less often to { $high } { $high_count ->
        [one] point
       *[other] points
    } more often is possible.
    [same] In each table that fits, the gap is about { $low } percentage { $low_count ->
        [one] point
       *[other] points
    }.
   *[one] In the tables that fit, the gap is { $low } to { $high } percentage points.
}
check-lead-bounds-nobody = In some tables that fit, a group has nobody.
check-lead-bounds-within = { $side ->
    [both] { CAP($similar) }, anything from { $low } { $low_count ->
        [one] point
       *[other] points
    } less often to { $high } { $high_count ->
        [one] point
       *[other] points
    } more often is possible.
    [same] { CAP($similar) }, { $protected } { $verb } { check-less-or-more }, by about { $low } { $low_count ->
        [one] point
       *[other] points
    }.
   *[one] { CAP($similar) }, { $protected } { $verb } { check-less-or-more }, by { $low } to { $high } points.
}
check-lead-bounds-within-none = { CAP($similar) }, the average gap is within the tolerance in each of them.
check-sure-bounds-both = In each of them both gaps are more than { check-allowed }, and too large for chance.
check-sure-bounds-clear = In each of them it is more than { check-allowed }, and too large for chance.
check-sure-bounds-no-gap = In each of them, every size that fits the data is within { check-allowed }.
check-sure-bounds-perhaps-small = In each of them there is more than chance, but the gap may be within { check-allowed }.
check-sure-bounds-open = The bounds are too wide for a verdict.

# $share, $rest: both shares or means; $gap: between them, left out where rounded figures do not subtract
check-lead-figures = { $quantity ->
    [share] { $share } of { $protected } and { $rest } of { $others } { $verb }{ check-apart }.
   *[amount] { $is_known ->
        [yes] { CAP($protected) } { $verb } { check-about-gap } { check-less-or-more } on average: { $share } against { $rest }.
       *[no] { CAP($protected) } { $verb } { $share } { $what } on average, and { $others } { $rest }.
    }
}
# An amount; "about" where the rounded figures do not subtract to it
check-about-gap = { $states_gap ->
    [yes] { $gap }
   *[no] about { $gap }
}
check-apart = { $states_gap ->
    [yes] : { $gap } percentage { $gap_count ->
        [one] point
       *[other] points
    } apart
   *[no] { "" }
}
check-size = { $quantity ->
    [share] { $size } { $size_count ->
        [one] point
       *[other] points
    }
   *[amount] { $size }
}
check-limit = { $quantity ->
    [share] { $limit } { $limit_count ->
        [one] point
       *[other] points
    }
   *[amount] { $limit }
}

# $allowed: set by the person, or proposed
check-allowed = { $allowed ->
    [proposed] { $quantity ->
        [share] { check-limit }
       *[amount] the proposed tolerance of { check-limit }
    }
   *[set] your { check-limit }
}

# Below a table of many groups, or of strata
check-many-ranges = Each range is for one row by itself; verdicts allow for all { $n } rows, by { $method ->
    [bonferroni] Bonferroni's
   *[holm] Holm's
} method.

check-lead-within-same = { CAP($similar) } the gap is about { check-size }.
check-lead-within-none = { CAP($similar) } the average gap is within the tolerance.
check-lead-within-both = { CAP($similar) } the gap is clear in both directions.
check-lead-within-turned = { CAP($similar) }, { $protected } { $verb } { check-less-or-more }, by about { check-size }.
check-lead-within-smaller = { CAP($similar) } the gap is about { check-size }, and unlikely to be chance.
check-lead-within-average = On average { $similar }, { $protected } { $verb } { check-less-or-more }, by about { check-size }.
check-lead-within-open = { CAP($similar) }, { $protected } { $verb } about { check-size } { check-less-or-more }, which may be chance.
check-lead-within-open-none = { CAP($similar) } hardly any gap is left, but there are too few cases to be sure.
check-lead-within-few = { CAP($similar) } there are too few cases to tell.
check-more-strata = { $is_clear ->
    [yes] A clear gap is found in { $n } more.
   *[no] A gap is found in { $n } more.
}
# $place: a stratum, "department A"; $n: of further ones
check-lead-exceptions = The largest exception is { $place }: { $protected } { $verb } { check-less-or-more }, by about { check-size }. { check-more-strata }
check-lead-exception = The exception is { $place }: { $protected } { $verb } { check-less-or-more }, by about { check-size }.
check-lead-found = In { $place }, { $protected } { $verb } { check-less-or-more }, by about { check-size }.
check-lead-found-most = In { $place }, { $protected } { $verb } { check-less-or-more }, by about { check-size }. { check-more-strata }

check-sure-clear = The gap is more than { check-allowed }, and too large for chance.
check-sure-clear-both = Both are more than { check-allowed }, and too large for chance.
check-sure-unknown = There are too few cases to say how far chance could move it.
check-sure-no-gap = Every size that fits the data is within { check-allowed }.
check-sure-perhaps-small = The gap is unlikely to be chance, but may be within { check-allowed }.
check-sure-too-few = { $quantity ->
    [share] The data fit anything from { $low } points less often to { $high } { $high_count ->
        [one] point
       *[other] points
    } more often.
   *[amount] The data fit anything from { $low } less to { $high } more.
}
# Where the range leaves out no gap, and the test of it does not
check-sure-too-few-one-side = A test says that the gap may still be chance.

# Times until a decision, of which some are still open; $n: open cases, $all: all that are compared
check-waited = { $direction ->
    [less] for less time
   *[more] longer
}
check-headline-waiting-gap = { CAP($protected) } waited { check-waited } than { $others }
check-headline-waiting-perhaps-small = { CAP($protected) } waited { check-waited } than { $others }, perhaps only slightly
check-headline-waiting-no-gap = { CAP($protected) } waited about as long as { $others }
check-lead-waiting = Half of { $protected } waited up to { $share }, half of { $others } up to { $rest }.
check-lead-waiting-few = Too many cases are open: half of { $who ->
    [protected] { $protected }
    [others] { $others }
   *[both] each group
} still waited at the end.
check-lead-waiting-open = { $n } of { $all } cases are still open, and count with their time so far.
check-lead-waiting-within = { CAP($similar) }, { $protected } waited { check-waited }, which is unlikely to be chance.
check-lead-waiting-within-none = { CAP($similar) }, a gap may be chance.
check-sure-waiting-test = The log-rank test says that the gap is unlikely to be chance, but not how large it is.
check-sure-waiting-none = The log-rank test says that a gap may be chance.
# $n: of cases without an amount
check-open-question = How do { $n } cases count that seem to be open?
# $timed: whether they have an amount, which may be the time so far; $seen: what says that they are open, a state or a day
# that is missing with the time
check-open-lead = { $timed ->
    [yes] For them { $column } is { $seen ->
        [empty] empty
       *[state] { $value }
    }, so { $amount } may be their time so far, and too short.
   *[no] They have no { $amount }, and { $seen ->
        [day] the day of their end is missing, too
        [empty] { $column } is empty
       *[state] { $column } is { $value }
    }. Without them, only the quicker cases are compared.
}
check-open-values = Cases are open where { $column } is
check-open-count = Count them with their time so far
check-open-leave-out = Leave them out
check-open-all-closed = All cases are closed
check-open-since = They have waited since, or for
check-open-until = Up to
check-open-until-help = The day on which the data were drawn. Proposed is the last day in the table.
check-open-again = Open cases
check-open-left-out = Cases that are still open are left out, so figures are of the quicker ones.
check-chart-waiting = Median { $what }, with open cases
check-remedy-caution = { CAP($similar) } the gap differs from the gap overall, so a remedy for all may make a new gap there.
check-not-why = This does not say why.
# $n: of similar cases
check-without-counterpart = { $n } { $n_count ->
    [one] case has
   *[other] cases have
} no similar case in the other group.
check-strata-not-shown = Some parts are not shown, and may differ.
check-left-out = { $n } { $n_count ->
    [one] case is
   *[other] cases are
} left out: group or decision not known.

check-left-out-some = Some cases are left out: group or decision not known.

# The picture; $what: what an amount is; $columns: of the strata
check-chart-share = Share of people who { $verb }
check-chart-share-by = Share of people who { $verb }, by { $columns }
check-chart-amount = Average { $what }
check-chart-amount-by = Average { $what }, by { $columns }
check-chart-all = All cases
check-stratum-unknown = { $column } not known
check-chart-figure = { $figure }
chart-bound-row = { $place }: { $group }
check-chart-bounds = Share of people who { $verb }, in the tables that fit
# $low, $high: ends of a share
check-chart-ends = { $low } to { $high }
# $place: all cases, or a stratum
check-chart-row = { $place }: { $protected } { $own }, { $others } { $other }, { $reading }.

# What makes cases comparable; $low, $high: shares or means across the values of a column
check-comparable-question = What makes two cases comparable?
check-comparable-values = { $low } to { $high } across its values
check-comparable-differ = { $low } to { $high } across its values; { $protected } and { $others } differ in it
# $what: decision or outcome
check-comparable-rule = Choose what was known before the { $what } and may rightly count. First come columns that { $what }s and groups vary with most.
check-comparable-other = Another column
check-comparable-left-out = { $column }: { $why ->
    [protected] protected
    [result] the result
    [filter] filtered
    [key] identifier
    [weight] weight
    [counts] number of people
   *[follows] made later
}
# $column: of which $what, the decision, the prediction or the score, is or may be the origin
check-is-outcome = In this audit { $column } is { $what }.
check-follows = { $column } seems to follow from { $what }.
check-only-if-known = Take it only if it was known before the decision.
check-comparable-go = Compare by { $column }
check-comparable-leave = Leave it at this
check-comparable-again = Other similar cases
check-question = Were both groups treated alike, also among similar cases? This does not say why.
check-exact-counts = All else needs exact counts, and some of this table are rounded or hidden.
# Under More; $why: a whole sentence; $n: of values
check-days-as-texts = { $column } holds days as texts, such as { $value }, so this does not follow the calendar.
check-days-as-texts-mend = Say on Data, under “How the file was read”, how days are written.
check-amounts-as-texts = { $column } holds amounts as texts, such as { $value }, so this does not follow their size.
check-amounts-as-texts-mend = Take signs of money out of the file, and open it again.
check-groups-choose = Choose one or more columns, such as race or sex.
check-strata-choose = Choose what makes two cases similar, such as the department.
check-similar-choose = Choose what makes two people similar.
check-not-compared = Not compared. { $why }
check-explored-kept = It stands among similar cases, and in the report.
check-explored-many = The report draws at most { $n } values.
# $n: of the nearest people; $most: of rows
check-similar-about = For each person the { $n } most similar people are found. Their amounts are compared.
check-similar-drawn = Of many rows { $most } are drawn, the same each time.
check-tolerance-proposed = No tolerance is set: it is about a tenth of the standard deviation of all amounts.
check-more = More: exact figures, all groups, similar cases, settings

# In a report; $n: how many were compared; $low, $high: the ends of the range that fits the data
check-size-of = { $n } { $group_kind ->
    [rest] others
   *[named] { $group }
}
check-size-between = { $low } to { $high } { $group_kind ->
    [rest] others
   *[named] { $group }
}
check-range-bounds = { $side ->
    [both] { $low } { $low_count ->
        [one] point
       *[other] points
    } less to { $high } more in the tables that fit.
    [same] About { $low } { $low_count ->
        [one] point
       *[other] points
    } in each table that fits.
   *[one] { $low } to { $high } points in the tables that fit.
}
check-gap = { $states_gap ->
    [yes] { "" }
   *[no] About { "" }
}{ $quantity ->
    [share] { $gap } { $gap_count ->
        [one] point
       *[other] points
    }
   *[amount] { $gap }
}
check-range = { check-gap }, likely range { $low } to { $high }.
check-range-both = { check-gap }, likely range { $low } less to { $high } more.

check-next-gap = Find out what explains the gap. If it stays, give a reason for it or try a remedy.
check-next-tried = Weigh what could be done, unless a reason justifies the gap.
check-next-similar = Ask whether what makes cases similar may rightly count, and how people come to differ in it.
check-next-only-similar = Look at similar cases first. Overall figures hide the gap.
check-next-no-gap = Look at smaller groups and at errors too. Alike overall does not mean alike everywhere.
check-next-unclear = Gather more cases. Until then, claim neither that the gap is within the tolerance nor that it is above.
check-next-bounds-gap = Ask the office for exact counts, and find out what explains the gap.
check-next-bounds-open = Ask the office for exact counts. Until then, claim neither that the gap is within the tolerance nor that it is above.
check-next-not-shown = Choose larger groups, so that there is enough to show.

# All groups of a column, where that alone was asked. $n: how many; $k: of these, those with a gap
groups-compared = Gap of each of { $n } groups
groups-with-gap = { $k ->
    [0] None of { $n } groups has a gap that is more than chance.
   *[other] { $k } of { $n } groups { $k_count ->
        [one] has
       *[other] have
    } a gap that is more than chance.
}
