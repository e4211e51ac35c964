# The answer to what explains a gap, of shares and of amounts.
# $columns: what may explain it; $number: one or many columns
# $protected, $others, $verb, $what, $similar, $quantity, $direction: as in a check

question-name-explanations = What explains the gap
moved-explanations = What explains the gap is no longer asked of rows where { $group }.
explain-columns-both = { $first } and { $second }
explain-columns-many = these { $n } columns
explain-alike = among people alike in these columns

verdict-explained = Explained
verdict-partly-explained = Partly explained
verdict-not-explained = Not explained
verdict-methods-disagree = Other methods disagree
verdict-no-clear-gap = No clear gap

explain-headline-part = { $part ->
    [all] All
    [nearly-all] Nearly all
    [most] Most
    [half] About half
    [some] Some
    [hardly-any] Hardly any
   *[none] None
} of the gap between { $protected } and { $others } is explained by { $columns }
explain-headline-disagree = Methods disagree on what { $columns } { $number ->
    [one] explains
   *[many] explain
}
explain-headline-unclear = Perhaps none of the gap between { $protected } and { $others } is explained by { $columns }
explain-headline-too-few = There are too few cases to tell what { $columns } { $number ->
    [one] explains
   *[many] explain
}
explain-headline-no-gap = There is no clear gap between { $protected } and { $others } to explain
explain-headline-only-left = { CAP($protected) } { $verb } { check-less-or-more } than { $others } { $similar }, but not overall

# $gap: all of it; $explained: of it, or more; the parts are rounded, so they are "about" so large
explain-lead-part = { CAP($protected) } { $verb } { explain-gap } { check-less-or-more } than { $others }; { $columns } { $number ->
    [one] explains
   *[many] explain
} about { $explained }.
explain-lead-more = { CAP($protected) } { $verb } { explain-gap } { check-less-or-more } than { $others }; by { $columns } alone it would be about { $explained }.
explain-lead-none = { CAP($protected) } { $verb } { explain-gap } { check-less-or-more } than { $others }; { $columns } { $number ->
    [one] explains
   *[many] explain
} { $part ->
    [some] some
    [hardly-any] hardly any
   *[none] none
} of it.
explain-lead-gap = { CAP($protected) } { $verb } { explain-gap } { check-less-or-more } than { $others }.
explain-gap = { $quantity ->
    [share] { $gap } percentage { $gap_count ->
        [one] point
       *[other] points
    }
   *[amount] { $gap }
}
explain-lead-left = { CAP($similar) }, { $protected } { $verb } about { check-size } { check-less-or-more }.
explain-lead-left-chance = { check-lead-within-open }
explain-lead-left-none = { CAP($similar) } hardly any gap is left.

explain-sure-clear = What is left is too large for chance.
explain-sure-rough = Other methods differ, so take its size as rough.
explain-sure-disagree = Another method finds otherwise, so rely on neither yet.
explain-sure-too-few = How much is explained, and how much is left, may all be chance.

explain-not-why = This does not say why.
# $column: one that differs strongly by group
explain-marked = { $column } differs strongly by group: if the group brought that about, it may hide a gap.
explain-few-compared = More than half of all people have no counterpart in the other group, so this is about the others.

# $low, $high: what other methods put in place of what is left; $low_direction, $high_direction: less or more
explain-others-one = Another method puts what is left at { check-size } { check-less-or-more }.
explain-others-same = Other methods put what is left at { $low } to { $high } { $quantity ->
    [share] points
   *[amount] { "" }
} { check-less-or-more }.
explain-others-both = Other methods put what is left between { $low } { $quantity ->
    [share] points less often
   *[amount] less
} and { $high } { $quantity ->
    [share] points more often
   *[amount] more
}.

explain-line = What explains it: { $verdict }. { $headline }.

# The picture
explain-chart-title = What makes up the gap of { check-size }
explain-chart-gap = The gap
explain-chart-alone = No counterpart
explain-chart-left = What is left
explain-chart-equal = equal
explain-chart-figure = { $size } { check-less-or-more }
explain-chart-less = ← { $protected } { $verb } { $quantity ->
    [share] less often, in points
   *[amount] less
}
explain-chart-more = { $quantity ->
    [share] more often
   *[amount] more
} →
# $place: the gap, a column, or what is left
explain-chart-row = { $place }: { $figure }.

# The page
explain-choose = Columns that may explain the gap
explain-choose-example = Such as grade, years of service
explain-choose-help = Take what was known before the decision, and not what the decision or the group itself brought about. The same grade may hide a gap in grading.
explain-choose-first = Choose at least one column.
explain-more = More: exact figures, other methods, what could overturn it, settings
explain-reasons = For the report: why these columns may count
explain-reason = Why { $column } may rightly count
explain-reason-example = such as: people choose where they apply
explain-reason-missing = Not in the report yet: say why { $column } may rightly count
explain-reason-go = Give the reason

# More, the annex and the command line
explain-people = { $n_protected } { $protected } and { $n_others } { $others_kind ->
    [rest] others
   *[named] { $others }
} are compared.
explain-method = { $model ->
    [strata] Both groups are compared within each combination of these columns (Kitagawa).
    [linear] Both groups are compared by a linear model (Oaxaca and Blinder).
   *[logistic] Both groups are compared by a logistic model (Oaxaca and Blinder).
}
explain-method-orders = The part of a column is its average over all orders in which columns can be taken.
explain-method-reference = Differences between the groups are valued as in { explain-reference }.
explain-protected = the protected group
explain-reference = { $reference ->
    [average] the average of both groups
    [rest] { $others }
    [protected] { $protected }
    [similar] similar cases, as on Check
   *[pooled] both groups together
}
explain-check-agrees = The model with the group and the one learned from other rows agree.
explain-check-disagrees = The model with the group and the one learned from other rows differ by more than chance.
explain-check-imprecise = The one learned from other rows is too imprecise to check the model with the group.
explain-method-similar = What is left is the average gap among similar cases, as on Check.
explain-clustered = Ranges allow for rows that depend on each other by { $column }.
explain-other-average = What is left need not equal the gap among similar cases on Check, which weighs the strata otherwise.
explain-not-said-columns = Other columns, or these recorded better, might explain more or less.
explain-not-said-right = What is explained is not thereby right: the same grade may hide a gap in grading.
explain-not-said-chance = Ranges allow for chance, not for a wrong model or for columns that are missing.
explain-not-shown-few = Counts of few people could be worked out from the parts of this gap. Look at them on the page only.

# Other methods, as rows of a table
explain-methods = What is left, by method
explain-method-here = { $model ->
    [strata] Within strata, as above
    [linear] Linear model, as above
   *[logistic] Logistic model, as above
}
explain-method-model = { $model ->
    [linear] Linear model with the group
   *[logistic] Logistic model with the group
}
explain-method-crossed = Learned from other rows (cross-fitted)

# What could overturn it; $strength: of the association of a missing column
explain-overturn-differ = Methods do not agree on what is left, so there is nothing yet to overturn.
explain-overturn-nothing = With these columns alike there may be no gap, so no missing column is needed to take one away.
explain-overturn-ratio = A missing yes/no column with odds ratios of at least { $strength } would bring the range to zero.
explain-overturn-share = A missing yes/no column that explains { $strength } of both group and amount would bring the range to zero.
explain-overturn-not-by-ratio = Even a missing yes/no column with odds ratios of { $strength } would not bring the range to zero.
explain-overturn-not-by-share = Even a missing yes/no column that explains { $strength } of both would not bring the range to zero.
explain-overturn-times = A missing column { $times } times as strong as { $column }, the strongest here, could take the gap away.
explain-curve-title = Where the gap could lie if a yes/no column were missing, by its strength
explain-curve-text = With these columns alike, the range of the gap runs from { $low } to { $high } under the strongest missing column drawn.
explain-curve-note = Dark: the gap. Light: with its likely range. Dashed: no gap.
explain-row-part = of it by { $column }
