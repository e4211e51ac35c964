# A legal form
# $group, $reference: people, "Female applicants"; $selected: what happened to those counted, in the words of the rule
# $columns: by which people were compared
# $ratio: what the rule calls the ratio of rates; $limit: below which, or from which on, the rule looks closer
# $protected, $others: the two sides of a gap in pay; $gap: how much less or more, as a share

question-name-presets = The legal form
# A value that is a noun stands in the plural, as it does beside other people
form-group = { $name ->
    [woman] women
    [Woman] women
    [man] men
    [Man] men
   *[other] { $name }
} { $people }

verdict-form-below = { CAP($ratio) } below { $limit }
verdict-form-below-may-be-chance = { CAP($ratio) } below { $limit }, may be chance
verdict-form-lower = Lower rate, not below { $limit }
verdict-form-reference-lower = Lower rate of the comparison group
verdict-form-reference-none = Nobody of the comparison group
verdict-form-none-below = { $limits ->
    [one] None below { $limit } by { $columns }
   *[several] None below its limit by { $columns }
}
verdict-form-marked = { $k_count ->
    [one] One gap
   *[other] { $k } gaps
} of { $limit } or more
# $why: what closes the gaps that are marked
verdict-form-marked-with-reasons = Gaps of { $limit } or more, { $why ->
    [reasons] reasons given
    [remedies] remedied
   *[both] with reasons or remedied
}
# $statistic: of what the marked gaps are; $column: by which column
verdict-form-none-marked = No { $statistic } gap of { $limit } or more by { $column }
verdict-form-to-publish = Figures to publish
verdict-form-answered = Answer ready
verdict-form-held-back = Averages held back
verdict-form-means-differ = Means differ
verdict-form-means-no-clear-difference = No clear difference
verdict-form-not-all-shown = Not all shown

form-headline-below = { CAP($group) } were { $selected } { $size } times as often as { $reference }
form-headline-below-crossed = { CAP($group) } were { $selected } { $size } times as often as the { $compared ->
    [highest] highest
   *[largest] largest
} group
form-headline-none-below = { $limits ->
    [one] No { $ratio } by { $columns } is below { $limit }
   *[several] No { $ratio } by { $columns } is below its limit
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
form-headline-stated = { CAP($protected) } in the same { $category } were paid { $gap } { $direction ->
    [less] less
   *[more] more
} than { $others }
form-headline-pay-same = { CAP($protected) } and { $others } were paid the same on average
# $n, $k: categories with a gap, and those in which it is $limit or more
form-headline-apart = { CAP($protected) } and { $others } are paid { $limit } or more apart in { $k_count ->
    [0] no { $category }
    [one] one { $category }
   *[other] { $k } categories
}
form-headline-held = The average pay of { $which ->
    [both] { $protected } and { $others }
    [protected] { $protected }
   *[others] { $others }
} is held back
form-headline-pay-none = No gap in pay can be stated
form-headline-pay-hidden = No gap in pay can be shown
form-headline-means = { CAP($group) } have a { $direction ->
    [less] lower
   *[more] higher
} mean of { $column } than { $reference }
form-headline-means-alike = The means of { $column } do not clearly differ
form-headline-nothing = There is nothing to compare in this form
form-headline-not-shown = This form would show numbers that are too small to publish

form-lead-rates = { $share } of { $group } were { $selected }, against { $rest } of { $reference }.
form-lead-rates-crossed = { $share } of them were { $selected }, against { $rest } of { $reference }.
form-lead-lowest = The lowest is { $size }, for { $group }.
form-lead-also = { $k_count ->
    [one] One more { $ratio } is below { $limit }.
   *[other] { $k } more are below { $limit }.
}
form-lead-alone = No other { $ratio } is below { $limit }.
form-lead-clear = The difference is too large for chance.
form-lead-chance = Chance may explain the difference.
form-lead-choose = Choose { $group } as the comparison group to see the { $ratio } of { $reference }.
form-lead-marked-one = In { $place } the gap is { $size }.
form-lead-marked = In { $k } of { $n } categories the gap is { $limit } or more.
form-lead-reason-one = { $why ->
    [remedies] It was remedied on { $day }.
   *[reasons] A reason is given there.
}
form-lead-reasons = { $why ->
    [reasons] Reasons are given for each.
    [remedies] Days of remedy are given for each.
   *[both] For each, a reason or a day of remedy is given.
}
form-lead-others = In all others it is under { $limit }.
form-lead-none-marked = In none of { $n } categories is the { $statistic } gap { $limit } or more.
form-lead-median = By the median they were paid { $gap } { $direction ->
    [less] less
   *[more] more
}.
form-lead-quarters = { CAP($protected) } are { $low } of the lowest paid quarter and { $high } of the highest.
# $n: of the categories that are marked
form-lead-measures = { $n_count ->
    [0] Measures are named for each.
    [one] One { $category } has no measure yet.
   *[other] { $n } have no measure yet.
}
form-lead-own = The worker who asked is paid { $amount }.
# $amount, $other: means of the two sides
form-lead-averages = On average { $protected } are paid { $amount } and { $others } { $other }.
form-lead-average = On average { $group } are paid { $amount }.
form-lead-undisclosed = { $share } of { $people } did not disclose their { $category }.
form-lead-shares = { CAP($protected) } and { $others } are counted in { $n_count ->
    [one] one { $category }
   *[other] { $n } categories
}.
form-lead-stated-groups = { $n_count ->
    [one] One group
   *[other] { $n } groups
} can be compared with { $others }.
form-lead-size = The difference is { $size } standard deviations.

form-caution-advice = A calculation, not legal advice.
form-caution-missing = { $n } { $n_count ->
    [one] person without pay is
   *[other] people without pay are
} left out.
form-caution-unknown = { $n } { $people } are left out, because a value is unknown.
form-caution-small = { $n_count ->
    [one] One small { $category } has
   *[other] { $n } small groups have
} no { $ratio }.
# $name: of a group
form-caution-few = The highest rate is of only { $n }: { $name }.
# $n: from how many people on there is a figure
form-caution-few-held = Groups of fewer than { $n } have no figure: it could show what one person is paid.
# $n: of fewer than that
form-caution-few-paid = An average of fewer than { $n } { $people } could show what one of them is paid.
form-caution-no-base = Where { $others } are paid 0 or less on average, no gap can be stated.
form-caution-hidden = Some figures are not shown, so others may be past the limit.
form-caution-not-known = Some values may mean that a group or decision is not known.

# How it stands with the rule
# $checked: the day on which somebody last looked; $since: from which day on it is so; $follows: a sentence of the form
form-status = { $state ->
    [in_force] The rule is in force, as checked on { $checked }.
    [changed] { $is_dated ->
        [yes] The rule changed on { $since }.
       *[no] The rule was changed.
    }
    [repealed] { $is_dated ->
        [yes] The rule was repealed on { $since }.
       *[no] The rule was repealed.
    }
   *[draft] { $is_dated ->
        [yes] The rule is a draft, to be in force from { $since }.
       *[no] The rule is a draft, and not in force.
    }
} { $follows }
form-status-overdue = Nobody has checked this rule since { $checked }: look up what is in force.
form-status-unknown = Whether this rule is in force is not stated in its form.
# Its facts under More and in files
form-state = { $state ->
    [in_force] In force
    [changed] Changed
    [repealed] Repealed
   *[draft] Draft
}{ $is_dated ->
    [yes] , from { $since } on
   *[no] { "" }
}
form-state-unknown = not stated in the form
form-checked = { $checked }{ $is_overdue ->
    [yes] : more than six months before this form was made
   *[no] { "" }
}
form-read = { $by ->
    [others] copy or report by others: { $title }
   *[itself] { $title }
}
form-read-at = { form-read }, { $url }

# The table that the rule prescribes
form-table-pay = What the report must state
form-table-pay-of = What the report must state: { $article }
form-column-asked = item
form-column-what = what
form-column-gap = gap
# $group: one side of a gap in pay
form-column-share = share of { $group }
form-column-average = average of { $group }
form-column-pay = pay
form-column-reason = reason
form-column-remedied = remedied
form-column-measure = measure
form-table-joint = Each category in the joint assessment
form-table-answer = What the worker is given: { $article }
form-item-mean = mean: { $what }
form-item-median = median: { $what }
form-item-mean-receiving = mean if received: { $what }
form-item-median-receiving = median if received: { $what }
form-item-receiving = who receive it: { $what }
form-item-quarter = { $quarter } quarter by pay
form-item-share = shares of both: { $what }
form-item-workforce = all who work there
form-item-none = no figure
form-item-hidden = not shown
# Where a column holds means of several people
form-all-people = all
form-not-in-counts = not in this table of counts
form-counts-unknown = How many { $people } have an unknown { $category } cannot be known from these counts.
form-item-of-means = cannot be known from means

# The picture
form-chart-pay = How much less { $protected } are paid than { $others }, by { $column }
form-chart-groups = How much less each { $category } is paid than { $others }
form-chart-answer = What the worker who asked is paid, and the averages: { $column }
form-worker = worker who asked
form-chart-quarters = Share of { $protected } in each quarter by pay
form-chart-ratios = { CAP($ratio) } of each group
form-chart-limit-pay = from { $limit } on: give a reason
form-chart-limit-ratio = { $limit }
form-chart-reason = { $why ->
    [reasons] reason given
    [remedies] remedied
   *[open] no reason given
}
form-chart-row = { $name }: { $size }.
# $direction: less or more, seen from the protected group; $size: without sign
form-chart-row-pay = { $name }: { $protected } are paid { $size } { $direction ->
    [less] less
   *[more] more
}.

form-chart-row-group = { $name }: paid { $size } { $direction ->
    [less] less
   *[more] more
}.

# The page
form-context = { $title } · { $cases }
form-context-pay = { $title }: { $n } { $protected }, { $m } { $others } · { $cases }
form-context-rates = { $title }: { $n } { $people } · { $cases }
form-choose = Choose a form
# $role: what a column may hold, in the words of the rule
form-name-column = Name the column for: { $role }
form-question = Which tables does the rule ask for?
form-change = Change the form, or what goes into it
form-more = More: all tables, how it is computed, the rule
form-more-tables = All tables
form-more-computed = How this is computed
form-more-rule = The rule
form-more-audit = Ask about these groups

# How a row of a table is read
form-row-rate = { $standing ->
    [highest] highest rate
    [compared-with] { form-row-compared-with }
    [left-out] { form-row-left-out }
    [no-ratio] no ratio
    [higher] higher rate
    [below] below { $limit }
    [lower] lower, but not below { $limit }
   *[not-below] not below { $limit }
}{ $chance ->
    [clear] , more than chance
    [open] , may be chance
   *[none] { "" }
}{ $person ->
    [yes] ; one person decides it
   *[no] { "" }
}{ $small ->
    [yes] ; under { $share } of all
   *[no] { "" }
}
form-row-compared-with = compared with
form-row-left-out = left out: too small
form-row-alike = alike
form-row-mean = { $direction ->
    [less] lower
   *[more] higher
}, { $size ->
    [negligible] negligible
    [small] small
    [medium] medium
   *[large] large
}{ $chance ->
    [clear] , more than chance
    [open] , may be chance
   *[none] { "" }
}
form-row-only = no gap: only { $group }
form-row-under = under { $limit }
form-row-gap = { $protected } have { $gap } { $direction ->
    [less] less
   *[more] more
}
form-row-gap-group = { $gap } { $direction ->
    [less] less
   *[more] more
}
# $row: what a row of pay says
form-pay-said = { CAP($row) }.
# $name: of a group; $share, $rest: selected of it and of the one it is compared with; $size: its ratio
form-strip = { $name }: { $share } against { $rest }, ratio { $size }.
form-row-reason = { $limit } or more; reason given: { $reason }
form-row-remedied = { $limit } or more; remedied on { $day }
form-row-late = { $limit } or more; remedied on { $day }, later than { $due }: { $marked }
form-row-open = { $limit } or more, no reason given: { $marked }
form-row-open-until = { $limit } or more, no reason given: { $marked }, unless remedied by { $due }
form-lead-stated = { $n_count ->
    [one] One { $category }
   *[other] { $n } categories
} can be compared.
form-lead-receiving = { $share } of { $protected } and { $rest } of { $others } receive { $what }.

# Titles and notes of tables
form-pay-title = { $article }: { form-pay-title-alone }
form-pay-title-alone = { $item }{ $is_by ->
    [yes] { " " }by { $column }
   *[no] { "" }
}
form-item-quarters = quarters of { $what }
form-note-counted = { CAP($people) } in this table: { $n }.
form-note-missing = Without a number: { $n }.
form-note-unknown = With an unknown value: { $n }.
form-note-rounded = Medians are rounded, as small counts are hidden.
form-note-small = A { $category } under { $share } of these { $people } has no { $ratio }.
form-note-reason = Reason: { $reason }.
form-note-no-reason = Reason: not given, though the rule asks for it.
form-note-parts = On average { $whole } is less than { $parts }, so it does not hold all components.
form-who = { CAP($protected) } are compared with { $others }.
form-who-not = Not compared: { $n } { $people } ({ $values }).

# Cases that ended undecided
form-some = some
form-doubt = { CAP($n) } { form-doubt-people } with { $values } in { $column } { $number ->
    [one] counts
   *[many] count
} as { $counted ->
    [good] { $selected }
   *[other] not { $selected }
}, though that may mean not decided.
form-doubt-people = { $number ->
    [one] of the { $people }
   *[many] { $people }
}
form-doubt-leave = To leave them out, { $where ->
    [command] add to --where: { $condition }
   *[page] compare only where { $condition }
}.

# How figures are computed
form-limit = { $ratio } below { $limit }
form-limit-by = by { $columns }: { $ratio } below { $limit }
form-how-rate = { CAP($rate) }: { $selected } { $people } divided by all { $people } of the { $category }.
form-how-scoring = { CAP($rate) }: { $people } with a score above the median ({ $median }), divided by all { $people } of the { $category }.
form-how-ratio = { CAP($ratio) }: the { $rate } divided by { $against ->
    [highest] the highest one
   *[largest] that of the largest { $category }, or of the one that is named
}.
# $limits: "impact ratio below 0.80"
form-how-limit = Marked: { $limits }.
form-how-test = { $tables ->
    [some] More than chance, by { $columns }:
   *[all] More than chance:
} over { $deviations } standard deviations; where cases are few, Fisher's exact test with p below { $level }.
form-how-person = One person decides it: with one more, one fewer or one different person, the row would read otherwise.
form-how-unknown = { CAP($people) } with an unknown value are in no table.
form-how-means = Standardised: the difference of means divided by the standard deviation of all. From 0.2 on it is small, from 0.5 medium, from 0.8 large.
form-how-pay = Gap: what { $others } have less what { $protected } have, divided by what { $others } have.
form-how-missing = { CAP($people) } without a number are in no figure. Where nothing was paid, write 0 in the data.
form-how-range = The range ({ $level }) holds the gaps of means that fit. The rule does not ask for it.
form-how-receiving = Receives it: has more than 0 in the column.
form-how-shares = Shares: { $protected } and { $others } of a { $category }, divided by both together.
form-how-workforce = Shares of all { $people } that are looked at, also of those without a number.
form-how-few = Means and medians of fewer than { $n } { $people } are left out.
form-how-groups = Groups of fewer than { $n } { $people } are joined. The larger ones join them until they are as many.
form-how-quarters = Quarters: all in order of pay, in four groups as equal as can be. Equal pay is shared out in proportion.

# $conditions: "race is Black and gender is Woman"
form-group-crossed = { $people } whose { $conditions }

# Settings of a form; $role, $roles: what a column holds, in the words of the rule
form-where = only where { $where }
form-many = Over { $n } values, each a group of its own: { $roles }.
form-counted-unknown = { $role }: counted as unknown
form-compare-with = { $role }: compare with
form-largest = Until you choose, others are compared with the largest group: { $roles }.
form-counts = { $role }: only these count ({ $who })
form-these = { $role }: these are { $group }
form-marked = { $n } { $n_count ->
    [one] category needs
   *[other] categories need
} a reason or a remedy
form-marked-more = The first { $n } are asked about here. A saved audit can hold all.
form-reason = { $name }: objective reason
form-measure = { $name }: measures
form-leave-small = Leave groups under { $share } of the data out of the ratios
form-none-small = No group is that small.
# $items: what is lacking, each by its name
form-to-publish = The rule asks to publish more: { $items }.
form-to-publish-item = { $item ->
    [data_words] the source of the data
    [audit_date] the date of the bias audit
    [distribution_date] the distribution date
   *[reason] why small groups are left out
}
form-not-added = Columns are not added up: each has its own figures.
form-lacking = Say which column holds: { $roles }.
form-worker-lacking = Say which worker asked, as a condition that one person meets.
form-needs-decision = This form needs a decision with a favourable result.
form-needs-decision-or = This form needs a decision with a favourable result, or a column for: { $roles }.
form-audit-asks = The audit now asks about: { $names }.
form-file-not-opened = The form { $name } is a file, which is not opened here. The administrator can add it.
form-no-column = There is no column { $column } for the form { $title }.

form-not-given = not given, though the rule asks to publish it
form-table-rates = { CAP($rate) } and { $ratio } by { $columns }
form-table-means = Mean { $what } by { $columns }
form-role = { SMALL($role) }
form-role-and = { $roles } and { SMALL($role) }
form-by = by { $columns }
form-heading-by = By { $columns }
form-amount-by = { $amount } by { $columns }
form-summary = Summary to be published
form-footer = { $section }; made with fairaudit
