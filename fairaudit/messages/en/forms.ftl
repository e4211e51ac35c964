# A legal form
# $group, $reference: people, "Female applicants"; $selected: what happened to those counted, in the words of the rule
# $ratio: what the rule calls the ratio of rates; $limit: below which, or from which on, the rule looks closer
# $protected, $others: the two sides of a gap in pay; $gap: how much less or more, as a share

form-group = { $name } { $people }

verdict-form-below = { CAP($ratio) } below { $limit }
verdict-form-below-may-be-chance = { CAP($ratio) } below { $limit }, may be chance
verdict-form-lower = Lower rate, not below { $limit }
verdict-form-reference-lower = Lower rate of the comparison group
verdict-form-reference-none = Nobody of the comparison group
verdict-form-none-below = { $limits ->
    [one] No { $ratio } below { $limit }
   *[several] No { $ratio } below its limit
}
verdict-form-marked = { $k_count ->
    [one] One gap
   *[other] { $k } gaps
} of { $limit } or more
verdict-form-marked-with-reasons = Gaps of { $limit } or more, reasons given
verdict-form-none-marked = No gap of { $limit } or more
verdict-form-to-publish = Figures to publish
verdict-form-means-differ = Means differ
verdict-form-means-no-clear-difference = No clear difference
verdict-form-not-all-shown = Not all shown

form-headline-below = { CAP($group) } were { $selected } { $size } times as often as { $reference }
form-headline-below-crossed = { CAP($group) } were { $selected } { $size } times as often as the { $compared ->
    [highest] highest
   *[largest] largest
} group
form-headline-none-below = { $limits ->
    [one] No { $ratio } is below { $limit }
   *[several] No { $ratio } is below its limit
}
form-headline-none-shown-below = { $limits ->
    [one] No { $ratio } that is shown is below { $limit }
   *[several] No { $ratio } that is shown is below its limit
}
form-headline-reference-none = None of the { $group } were { $selected }, but some of the { $reference } were
form-headline-none-selected = Nobody was { $selected }
form-headline-pay = { CAP($protected) } were paid { $gap } { $direction ->
    [less] less
   *[more] more
} than { $others }{ form-needs-reason }
form-needs-reason = { $open_count ->
    [0] { "" }
    [one] , and one { $category } needs a reason
   *[other] , in { $open } cases without a reason
}
form-headline-pay-same = { CAP($protected) } and { $others } were paid the same on average
form-headline-pay-none = There is no gap in pay to state
form-headline-means = { CAP($group) } have a { $direction ->
    [less] lower
   *[more] higher
} mean of { $column } than { $reference }
form-headline-means-alike = The means of { $column } do not clearly differ
form-headline-nothing = There is nothing to compare in this form
form-headline-not-shown = This form would show numbers that are too small to publish

form-lead-rates = { $share } of { $group } were { $selected }, against { $rest } of { $reference }.
form-lead-lowest = The lowest is { $size }, for { $group }.
form-lead-also = { $k_count ->
    [one] One more { $ratio } is below { $limit }.
   *[other] { $k } more are below { $limit }.
}
form-lead-alone = No other { $ratio } is below { $limit }.
form-lead-clear = The difference is too large to be chance.
form-lead-chance = Chance may explain the difference.
form-lead-choose = Choose { $group } as the comparison group to see the { $ratio } of { $reference }.
form-lead-marked-one = In { $place } the gap is { $size }.
form-lead-marked = In { $k } of { $n } categories the gap is { $limit } or more.
form-lead-reason-one = A reason is given there.
form-lead-reasons = Reasons are given for each.
form-lead-others = In all others it is under { $limit }.
form-lead-none-marked = In none of { $n } categories is the gap { $limit } or more.
form-lead-median = By the median they were paid { $gap } { $direction ->
    [less] less
   *[more] more
}.
form-lead-quarters = { CAP($protected) } are { $low } of the lowest paid quarter and { $high } of the highest.
form-lead-size = The difference is { $size } standard deviations.

form-caution-advice = A calculation, not legal advice.
form-caution-missing = { $n } { $n_count ->
    [one] person
   *[other] people
} without pay are left out.
form-caution-unknown = { $n } { $people } are left out, because a value is unknown.
form-caution-small = { $n_count ->
    [one] One small { $category } has
   *[other] { $n } small groups have
} no { $ratio }.
form-caution-few = The highest rate is that of only { $n } { $group }.
form-caution-hidden = Some figures are not shown, so others may be past the limit.
form-caution-not-known = Some values may mean that a group or decision is not known: see More.

# The table that the rule prescribes
form-table-pay = What the report must state
form-table-pay-of = What the report must state: { $article }
form-column-asked = item
form-column-what = what
form-column-gap = gap
form-item-mean = mean: { $what }
form-item-median = median: { $what }
form-item-mean-receiving = mean if received: { $what }
form-item-median-receiving = median if received: { $what }
form-item-receiving = who receive it: { $what }
form-item-quarter = { $quarter } quarter by pay
form-item-none = no figure
form-item-hidden = not shown

# The picture
form-chart-pay = How much less { $protected } are paid than { $others }, by { $column }
form-chart-quarters = Share of { $protected } in each quarter by pay
form-chart-ratios = { CAP($ratio) } of each group
form-chart-limit-pay = from { $limit } on: give a reason
form-chart-limit-ratio = { $limit }
form-chart-reason = reason given
form-chart-no-reason = no reason given
form-chart-row = { $name }: { $size }.

# The page
form-context = { $title }
form-context-pay = { $title }: { $n } { $protected }, { $m } { $others }
form-context-rates = { $title }: { $n } { $people }
form-question = Which tables does the rule ask for?
form-change = Change the form or its columns
form-more = More: all tables, how it is computed, the rule
form-more-tables = All tables
form-more-counted = Who is counted
form-more-computed = How this is computed
form-more-rule = The rule
form-more-audit = Ask about these groups
