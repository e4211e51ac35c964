# Whom a score or a prediction gets wrong.
# $group, $other: groups as plurals, "women"; $first, $second: the same, of two errors
# $happened: said of people with the outcome that is warned of, "reoffended", or of those without; $flagged: "were rated high risk"
# $error: flagged or missed; $more, $fewer: shares

question-name-errors = Errors
errors-happened = had the outcome that is warned of
errors-not-happened = did not have the outcome that is warned of
errors-flagged = were flagged

errors-kind = { $error ->
    [flagged] wrongly flagged
    [too_low] placed too low
    [too_high] placed too high
    [wrong] given a wrong level
   *[missed] wrongly missed
}
errors-verdict = { $error ->
    [flagged] Wrongly flagged
   *[missed] Wrongly missed
}: { $verdict }

errors-headline-most-least = { CAP($group) } are { $error ->
    [flagged] wrongly flagged most often, and wrongly missed least often
   *[missed] wrongly missed most often, and wrongly flagged least often
}
errors-headline-most-both = { CAP($group) } are wrongly flagged and wrongly missed most often
errors-headline-more-less = { CAP($group) } are { $error ->
    [flagged] wrongly flagged more often than { $other }, and wrongly missed less often
   *[missed] wrongly missed more often than { $other }, and wrongly flagged less often
}
errors-headline-more-both = { CAP($group) } are wrongly flagged and wrongly missed more often than { $other }
errors-headline-two = { CAP($first) } are wrongly flagged most often, and { $second } wrongly missed most often
errors-headline-most = { CAP($group) } are { errors-kind } most often
errors-headline-more = { CAP($group) } are { errors-kind } more often than { $other }
errors-headline-more-perhaps-small = { CAP($group) } are { errors-kind } more often than { $other }, perhaps only slightly
errors-headline-unequal = Not all groups are { errors-kind } equally often
errors-headline-alike-two = { CAP($group) } and { $other } are wrongly flagged and wrongly missed about equally often
errors-headline-alike-two-one = { CAP($group) } and { $other } are { errors-kind } about equally often
errors-headline-alike = All groups are wrongly flagged and wrongly missed about equally often
errors-headline-alike-one = All groups are { errors-kind } about equally often
errors-headline-too-few = There are too few cases to compare the errors
errors-headline-repeats = The prediction repeats the decision, so there are no errors to compare
errors-headline-one-group = There is only one group, so there is nothing to compare
errors-headline-no-prediction = Nobody is flagged yet, as the score has no cut
errors-headline-not-shown = The errors would show numbers that are too small to publish

errors-lead-flagged = Of { $group } who { $happened }, { $share } { $flagged }, against { $rest } of { $other }.
errors-lead-missed = Of { $group } who { $happened }, { $share } were missed, against { $rest } of { $other }.
errors-lead-missed-same = Of those who { $happened }, { $share } were missed, against { $rest }.
errors-lead-flagged-range = Of those who { $happened }, { errors-range } { $flagged }{ errors-depending }.
errors-lead-missed-range = Of those who { $happened }, { errors-range } were missed{ errors-depending }.
errors-range = { $spread ->
    [none] about { $more }
   *[some] { $fewer } to { $more }
}
errors-depending = { $spread ->
    [none] { " " }in each group
   *[some] , depending on the group
}
errors-lead-few = Too few people who { $happened } are in these groups to compare who was { errors-kind }.
errors-lead-repeats = Name as decision the column that says what happened later.
errors-lead-no-prediction = Say at which value the score flags people.

errors-likely = { $error ->
    [flagged] Wrongly flagged
    [too_low] Placed too low
    [too_high] Placed too high
    [wrong] Given a wrong level
   *[missed] Wrongly missed
}: { check-range }
# $limit: the tolerance
errors-sure-clear-one = The clear gap is more than { $limit } { $limit_count ->
    [one] point
   *[other] points
}, and too large for chance.
errors-sure-small = The gaps are unlikely to be chance, but may be within { $limit } { $limit_count ->
    [one] point
   *[other] points
}.
errors-sure-small-one = The one gap is unlikely to be chance, but may be within { $limit } { $limit_count ->
    [one] point
   *[other] points
}.
errors-sure-alike = Every gap that fits the data is within { $limit } { $limit_count ->
    [one] point
   *[other] points
}.
errors-sure-open = All these differences may be chance.
errors-sure-open-one = Differences in who was { errors-kind } may be chance.

errors-wrong-way = In every group the score ranks people worse than chance. Check first which way it points.
errors-not-why = Where the outcome is more common, even a good score wrongly flags more people.
errors-against-decision = The decision is what somebody decided, not what happened: an error here is another answer than that decision.
errors-hidden = Some groups are not shown, so others may be worse off.

# The picture
errors-chart = Share of people the prediction got wrong
errors-chart-flagged = { $happened }, but { $flagged }
errors-chart-missed = { $happened }, but were missed
errors-chart-few = too few to tell: { $n } { $n_count ->
    [one] person
   *[other] people
}
errors-chart-row = { CAP($group) }: { $share } { errors-kind } of { $n }.
errors-chart-row-few = { CAP($group) }: { errors-kind }, too few to tell.
errors-chart-largest = Of { $total } groups, the { $n } largest are drawn.

# A table of both errors, group by group
errors-table = Wrongly flagged and wrongly missed, by group
errors-column-group = group
errors-column-share = { errors-kind }
errors-column-range = { errors-kind }, likely range
errors-column-of = { errors-kind }, out of
# $has_worst: whether the group that others are compared with is known to be worst off
errors-column-reading = { errors-kind }, { $has_worst ->
    [yes] against the group worst off
   *[no] against one group
}
errors-table-note = Ranges are those of each group by itself. Readings allow for all groups and for both errors.
errors-reading-worst = worst off
errors-reading-reference = others are against it

# Does a score mean the same; $group against $other
errors-score-headline-same = Where the score is the same, about as many of { $group } and { $other } { $happened }
errors-score-headline-differs = Where the score is the same, { $direction ->
    [more] more
   *[less] fewer
} of { $group } than of { $other } { $happened }
errors-score-headline-open = There are too few cases to say whether the score means the same for { $group } and { $other }
errors-score-same = { errors-score-headline-same }.
errors-score-differs = { errors-score-headline-differs }: by about { $size } { $size_count ->
    [one] point
   *[other] points
}.
errors-score-open = { errors-score-headline-open }.
errors-score-by = The difference is about { $size } { $size_count ->
    [one] point
   *[other] points
}.
errors-score-name = Statistical name: calibration.
errors-ranking = Of 100 pairs with both outcomes, the score ranks { $first } right among { $group }, and { $second } among { $other }.
errors-ranking-alone = Of 100 pairs with both outcomes, the score ranks { $first } right among { $group }.
errors-ranking-name = Statistical name: ROC curve and the area under it (AUC).
errors-spread = How the scores of each group are spread, by what happened.
# $one, $another: costs of an error
errors-cost-flag = Cost of a wrong flag
errors-cost-miss = Cost of a miss
errors-costs = A wrong flag costs { $one } and a miss { $another }: errors cost { $group } most, { $first } a person.
errors-costs-range = A wrong flag costs { $one } and a miss { $another }: errors cost { $spread ->
    [none] about { $first }
   *[some] { $fewer } to { $first }
} a person, depending on the group{ $hidden ->
    [yes] , of those that are shown
   *[no] { "" }
}.
errors-costs-alike = A wrong flag costs { $one } and a miss { $another }: errors cost all groups the same, { $first } a person.

errors-question = Whom does the score get wrong?
errors-more = More: figures, settings, scores, costs
errors-more-figures = Exact figures
errors-more-rates = All rates
errors-more-settings = Settings
errors-more-score = Does a score mean the same?
errors-more-costs = Costs
errors-more-computed = How it is computed
# $columns: how many make the groups
errors-many = There are { $n } groups, more than anyone can read. { $columns_count ->
    [one] Put the values of the column into classes first.
   *[other] Choose fewer columns, or put their values into classes first.
}
errors-many-few = { $few_count ->
    [one] One group has
   *[other] { $few } groups have
} fewer than { $least } rows, too few to compare.
errors-change = Change
errors-context = Flagged where { $when }, by { $by } · { $cases }
errors-context-flagged = Flagged where { $when } · { $cases }
errors-context-score = By { $by } · { $cases }
errors-asked = { $number }. By { $by }
errors-computed-rates = Of people without the outcome that is warned of, the wrongly flagged are those of whom it was predicted.
errors-computed-missed = Of people with that outcome, the wrongly missed are those of whom it was not predicted.
errors-computed-few = A group is compared where at least { $n } people can bear the error.
errors-computed-test = A gap is clear where a pair of groups is beyond the tolerance. Holm's method allows for all pairs and both errors.
errors-computed-names = Statistical names: false positive rate and false negative rate of the outcome that is warned of.

# A predicted level, such as a grade, against the true one; $level: a level; $share, $rest: of both groups
level-errors-headline-same = { CAP($group) } are { errors-kind } more often than { $other }, even { $similar }
level-errors-headline-gone = { CAP($group) } are { errors-kind } more often overall, but not { $similar }
level-errors-lead = { $share } of { $group } and { $rest } of { $other } are { errors-kind }.
level-errors-lead-range = { errors-range } of people are { errors-kind }{ errors-depending }.
level-errors-few = Fewer than two groups have { $n } people or more with both levels.
level-errors-right = The prediction is right for { $share } of { $group } and { $rest } of { $other }.
level-errors-at-level = Of those truly at { $level }, { $share } of { $group } and { $rest } of { $other } are predicted right.
level-errors-within-same = { CAP($similar) }, the same gap is more than chance.
level-errors-within-gone = { CAP($similar) }, every such gap that fits the data is within your limit.
level-errors-within-open = { CAP($similar) }, this may be chance.
level-errors-sure-clear = The gap is more than { $limit } { $limit_count ->
    [one] point
   *[other] points
}, and too large for chance.
level-errors-sure-small = The gap is unlikely to be chance, but may be within { $limit } { $limit_count ->
    [one] point
   *[other] points
}.
level-errors-not-why = Where more people are truly at the best level, more can be placed too low.
level-errors-not-shown = How often each level is right is not shown, because small counts are hidden.
level-errors-yes-no = The figures below ask for yes or no: who { $flagged }.
level-errors-chart-among = { $error ->
    [too_low] predicted level worse than the true one
    [too_high] predicted level better than the true one
   *[wrong] predicted level not the true one
}
level-errors-table = Errors by group, with ranges
level-errors-table-shares = Right, too low and too high, by group
level-errors-table-recall = Predicted right at each true level
level-errors-table-counts = Who is predicted which level
level-errors-table-gaps = Errors among similar cases together, each group against everyone else
level-errors-table-strata = Errors among similar cases
level-errors-note = Readings allow for all rows by Holm’s method; ranges are of each row by itself.
level-errors-data-good = Errors compares all levels where the same values are good in decision and prediction.
level-errors-context = Predicted { $prediction } against { $decision }, by { $by } · { $cases }
level-errors-computed = A level is right where it is the true one; too low where a worse one was predicted.
level-errors-computed-test = Shares of wrong, too low and too high are compared as rates are, allowing for all three and all groups.
level-errors-computed-levels = True levels and similar cases are read by Holm’s method; over similar cases, by Cochran, Mantel and Haenszel.

# In a report beside the answer of a check
errors-alone = The outcome itself is compared here, and not how people were predicted.
errors-alone-see = The outcome itself is compared here. Whom the prediction gets wrong stands in a chapter of its own.
errors-beside = Clear gap in errors by { $by }
errors-title = Errors by { $by }
errors-line = Errors by { $by }: { $verdict }. { $headline }.
errors-more-in-annex = Whether the score means the same in each group is drawn in an annex.
errors-score-not-shown = The score by group is not shown, as small counts could be worked out from it.
errors-choose-columns = Choose the columns whose groups are compared.
errors-needs-prediction = Errors show where a prediction, score or decision turned out wrong. On Data, say which column holds what happened, and which the prediction.
errors-name-prediction = Name what happened and the prediction
errors-asked-costs = by { $groups }, a false positive costs { $flagged }, a false negative { $missed }
# $n: rows
errors-gaps-note = A rate of fewer than { $n } rows is not compared. Of many groups, the two furthest apart differ by chance alone.
