# What stands beside figures, in tables, below charts and on the command line.

# Numbers that are written; $one: whether it is 1; $side: of a limit
number-points = { $number } { $one ->
    [yes] point
   *[no] points
}
number-points-few = less than { $number } points
number-near = { $side ->
    [below] just below
    [above] just above
   *[at] about
} { $limit }
# $way: less or more, seen from the protected group; $tiny: whether it is less than what is written
number-difference = { $tiny ->
    [yes] less than { $size }
   *[no] { $size }
} { $way ->
    [less] less
   *[more] more
}
number-same = exactly the same

# $n: of people; $own, $rest: how many are compared on both sides, and who they are; $values: texts, as in the data
cases-compared = Compared: { $own }, { $rest }.
cases-of-filter = Compared, of those where { $where }: { $own }, { $rest }.
cases-out = Left out: { $unknown } of unknown group, { $undecided } undecided.
cases-unknown = { $n_count ->
    [one] One row is left out: its group is
   *[other] { $n } rows are left out: their group is
} unknown.
cases-strata-out = Not compared, as one group is empty there: { $values }.

# The card of a check; $band: the tolerance on both sides; $level, $ends: of a range
card-ratio-none = not defined: nobody else has it
card-ratio-within = between 0.80 and 1.25
card-ratio-below = below 0.80
card-ratio-above = above 1.25
card-same = all decisions are the same
card-beyond = all that fits is beyond { $band }
card-within = the { $level } range, { $ends }, is within { $band }
card-bounds = in the tables that fit
figure-uncertain-cells = Printed cells that are rounded or hidden
card-few = too few rows (Fisher's exact test)
card-open = part of what fits is beyond { $band }
card-people = { $own } protected, { $rest } others, { $unknown } unknown
card-people-undecided = { $own } protected, { $rest } others, { $unknown } unknown, { $n } without { $lacking }
card-open-cases = Still open
card-open-note = they count with the time so far
card-size = standard deviations: { $size ->
    [small] small
    [large] large
   *[medium] medium
}

# The group that is worst off; $own: what it has; $gap: to others; $verdict: its reading
worst-off = Worst off: { $group }, { $own }; { $gap } { $than ->
    [than] than
   *[against] against
} { $others }. { $verdict }.

# Amounts: indices, and similar people; $columns: by which people are alike
share-didi = Disparate impact index (DIDI): { $size }. It is 0 where both shares are the same.
amount-didi = Disparate impact index (DIDI): { $size }. It is 0 where both means are the same.
amount-dtdi = Disparate treatment index (DTDI): { $size }. It is 0 where similar people get the same.
amount-similar-hidden = What similar people get is not shown: it would give away what few have.
amount-similar-nobody = Nobody has people of both groups among the { $n } most similar in { $columns }.
amount-similar = Among the { $n } most similar in { $columns }, { $protected } have { $gap } on average. { $sure ->
    [yes] That is more than chance.
   *[no] That may be chance.
}
amount-similar-drawn = Of { $all } rows that could be used, { $n } were drawn at random.

# Cases that ended before anyone decided them; $values: as the data say so; $column: where
ended-lead = { $some ->
    [yes] Some rows have
   *[no] { $n_count ->
        [one] { $n } row has
       *[other] { $n } rows have
    }
} { $values } in column { $column }, which usually means that nobody decided the case.
# $counted: as what; $side: protected, rest, both, or hidden; $n: such rows; $filter: a condition without them
ended-counted = { $n_count ->
    [one] { $counted ->
        [good] It counts as the favourable result{ ended-side }.
       *[not_good] It does not count as the favourable result{ ended-side }.
    } To leave it out,
   *[other] { $counted ->
        [good] They count as the favourable result{ ended-side }.
       *[not_good] They do not count as the favourable result{ ended-side }.
    } To leave them out,
} add to the filter: { $filter }.
ended-side = { $side ->
    [protected] , in the protected group
    [rest] , among everyone else
    [both] , in both groups
   *[hidden] {""}
}
ended-more = { $values } or another of { $n } such values

# Charts in words; $rows: names and gaps, from the lowest to the highest
alt-groups = Gap of each group to { $others }, in points.
alt-values = Gap among those with the same { $columns }, protected minus others, in points.
alt-group-means = Difference of each group's mean to that of { $others }.
alt-mean-values = Difference of means among those with the same { $columns }.
# $protected, $others: the groups, as they are subtracted
column-gap = { $unit ->
    [points] { $protected } minus { $others }, points
   *[amount] { $protected } minus { $others }
}
column-gap-group = { $unit ->
    [points] group minus everyone else, points
   *[amount] group minus everyone else
}
column-change = { $unit ->
    [points] after minus before, points
   *[amount] after minus before
}
# $rate: of a model, by its statistical name; the result called positive is the favourable one, or that which is flagged
rate-favorable = { $rate ->
    [base-rate] Share with the favourable result
    [selection-rate] Share given the favourable result
    [tpr] Given it, of people with it in the data
    [fpr] Given it, of people without it in the data
    [tnr] Not given it, of people without it in the data
    [fnr] Not given it, of people with it in the data
    [ppv] Right, of people given the favourable result
    [npv] Right, of people not given the favourable result
    [fdr] Wrong, of people given the favourable result
    [for] Wrong, of people not given the favourable result
   *[accuracy] Accuracy
}
# $has: whether it is the result that is called positive
rate-outcome = { $positive ->
    [favorable] { $has ->
        [yes] with the favourable result
       *[no] without the favourable result
    }
   *[unfavorable] { $has ->
        [yes] to be flagged
       *[no] not to be flagged
    }
} in the data
rate-gap = Gap: { $rate }
rate-unfavorable = { $rate ->
    [base-rate] Share to be flagged
    [selection-rate] Share flagged
    [tpr] Rightly flagged
    [fpr] Wrongly flagged
    [tnr] Rightly not flagged
    [fnr] Wrongly missed
    [ppv] Right, of people flagged
    [npv] Right, of people not flagged
    [fdr] Wrong, of people flagged
    [for] Wrong, of people not flagged
   *[accuracy] Accuracy
}
figure-gap = Gap, { $protected } minus { $others }
figure-gap-all = Gap in all rows, { $protected } minus { $others }
axis-within = Gap in points, { $protected } minus { $others }
axis-within-means = Difference of means, { $protected } minus { $others }
axis-within-right = (right: { $figure ->
    [mean] mean
   *[gap] gap
}, number of { $protected })
# Of a value that makes cases similar
stratum-unknown = not known
axis-gaps = Gap in points, against { $others }
axis-means = Difference of means, against { $others }
line-no-difference = no difference; shaded: within ±{ $limit }
alt-rows = From the lowest to the highest: { $rows }.
alt-none = Nothing can be compared.
alt-overall = All together: { $gap }.
alt-zone = { $verdict } from { $low } to { $high } points
alt-tolerance = Verdict at each tolerance: { $rows }. In use: { $limit } points; the gap is { $gap }.
alt-rates = { $rate } of each group.
alt-roc = True against false positive rate at every cut. Area under the curve: { $rows }.
alt-calibration = Observed share against the mean score, bin by bin; { $way }.
alt-calibration-group = { $group }: { $rows }.
alt-calibration-point = { $own } at a score of { $score }
alt-spread = How the score is spread in each group, by true outcome; { $way }.
alt-spread-group = { $group }, { $outcome }: most of { $n } cases from { $low } to { $high }.
# $n: of bins, $most: rows below which a bin says little
alt-few = { $n_count ->
    [one] One bin has
   *[other] { $n } bins have
} fewer than { $most } rows and { $n_count ->
    [one] is
   *[other] are
} drawn fainter.
axis-rate = { $rate } (right: share, rows it is out of)
axis-better-right = { $figure } (better to the right)
axis-better-left = { $figure } (better to the left)
axis-better-below = { $figure } (better below)
axis-better-below-points = { $figure }, points (better below)
# What the command line prints.
cli-left-out = Left out: { $unknown } rows with an unknown group, { $undecided } without a decision.
cli-left-out-amounts = Left out: { $unknown } rows with an unknown group, { $undecided } without an amount.
cli-within = Protected group within each { $strata }:
cli-stays = the rows stay in { $engine }, connection { $connection }
cli-distinct = fingerprint { $fingerprint } (without rows that repeat an earlier one: { $n })
cli-form-lacks = The rule asks to publish more: add { $options }.
cli-form-reference = Compared with the largest group: { $roles }. In practice it is the group that is not protected: add --reference { $role }=VALUE.
