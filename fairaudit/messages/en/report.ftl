# The first pages of a report.

report-who = { CAP($protected) } and { $others }
report-explained = What explains the gap
# $n: of periods
report-changed = { $n_count ->
    [2] Change over time
   *[other] Change over { $n } periods
}
# $title: of a question; $group, $other: two that it compares, with which $error
report-pair = { $title }: { $group } against { $other }
report-pair-error = { $title }, { errors-kind }: { $group } against { $other }
report-annexes-to = Annexes to: { $title }
report-audit = Audit of decisions
report-asked-share = How often { $protected } and { $others } { $verb }
report-asked-amount = { $title }: { $protected } and { $others }
report-data = { $name }, { $n } { $n_count ->
    [one] row
   *[other] rows
}
report-data-unsized = data: { $name }
report-decision = { $kind ->
    [amounts] The amount is “{ $column }”.
   *[shares] { $what ->
        [outcome] The outcome
       *[decision] The decision
    } is “{ $column }”, and “{ $good }” is favourable.
}
report-cut = People are flagged where “{ $column }” is { $side ->
    [below] below { $cut }
   *[from] { $cut } or more
}.
report-nothing = This audit describes its data and asks nothing of them
report-nothing-lead = The annexes hold what is known of the data.

report-could-be-done = What could be done
report-not-said = What this does not say
report-not-said-why = Why there is a gap.
report-not-said-right = Whether any decision was right.
report-not-said-treated = Whether anybody was treated right.
report-not-said-law = Whether a law was broken.
report-next = What to do next
report-next-errors = Ask what each error costs people, and whether this score may be used as it is.
report-next-worst = Look at these groups first. Check each among similar cases before you conclude.
report-next-alternatives = Ask why the model in use is kept, if another serves as well with a smaller gap.
report-next-alternatives-test = Test the alternatives on more cases before the model in use is changed.
report-next-watch = Keep watching; after an alarm, check the batches among similar cases.
report-next-explained = Ask whether each of these columns may rightly count.
report-next-left = Ask whether each of these columns may rightly count. What is left needs a reason or a remedy.
report-next-unexplained = Look for other reasons. Without one, try a remedy.
report-next-changed = Ask what else changed at that time, in the rules, in the cases and in how they were recorded.
report-next-searches = Ask on what grounds people are searched, and look at the places where groups differ most.
report-next-other = Read the details in the annexes, with somebody who knows how decisions are made.

report-reasons = Why these columns may count
report-also-asked = What else was asked
# $names: of what was asked
report-unseen = Not shown at all: { $names }. From such figures, counts of few people could be worked out.
report-how = How this was found
report-why = Why this audit was made
# $n: people
report-rounded = Medians and quartiles are rounded until at least { $n } people have them.
report-compared = Who was compared
# $n: of people or cases; $where: "age is over 30"
report-compared-all = { $n } cases were compared.
report-compared-between = { $low } to { $high } cases were compared.
# $weights, $strata, $clusters: columns; $n: rows without a weight above 0
cases-weighted-out = { $n_count ->
    [0] { "" }
    [one] { " " }(1 row without one above 0 is left out)
   *[other] { " " }({ $n } rows without one above 0 are left out)
}
cases-weighted = Each case counts by its weight in column { $weights }{ cases-weighted-out }.
cases-weighted-strata = Each case counts by its weight in column { $weights }{ cases-weighted-out }; the sample was drawn by { $strata }.
cases-weighted-clusters = Each case counts by its weight in column { $weights }{ cases-weighted-out }; the sample was drawn in clusters of { $clusters }.
cases-weighted-both = Each case counts by its weight in column { $weights }{ cases-weighted-out }; the sample was drawn by { $strata }, in clusters of { $clusters }.
report-compared-both = { $own } were compared with { $other }.
report-compared-where = { $n } cases were compared: those where { $where }.
report-compared-only = Only cases where { $where } count.
# $n: of cases
report-left-out = Left out { $why ->
    [filter] by the filter
   *[group] as their group is not known
}: { $n }.
report-compared-hidden = How many cases were compared is not shown.
report-similar = Similar cases
report-similar-asked = { CAP($protected) } and { $others } were also compared { $similar }.
report-similar-not-asked = Similar cases were not compared. So part of a gap may come from cases that differ.
report-sure = How sure this is
# $limit: what is allowed; $quantity: share or amount
report-sure-rule = Some of any gap is chance. The likely range holds the sizes that fit the data. A gap is clear where all of it is beyond { check-limit }.
report-hidden = Counts under { $minimum } are not shown, nor what they could be worked out from.
report-publish-one = Publish one report on these data. Beside another one, hidden counts can be worked out.
# $audits: by the first signs of what their reports are known by
report-hidden-beside = They are hidden beside audit { $audits }, too. Publish no further report on these data.
report-annexes = The annexes hold all tables, from table 1 on, and how to repeat this audit.
# By what it is known
report-check = To check this report
report-check-audit = Saved audit, SHA-256
report-check-data = Data, SHA-256
report-check-seal = Seal, SHA-256
# $when, $by: of a seal; $named: whether it says by whom; $parts: of a saved audit
report-sealed = What is asked was sealed on { $when }{ report-sealed-by } and has not changed since.
report-sealed-changed = What is asked was sealed on { $when }{ report-sealed-by }. Changed since: { $parts }.
report-sealed-by = { $named ->
    [yes] { " " }by { $by }
   *[no] { "" }
}
seal-part = { $part ->
    [data] the data
    [decision] the decision
    [prediction] the prediction
    [score] the score
    [protected_columns] who is protected
    [checks] the gap between groups
    [errors] errors
    [subgroups] worst groups
    [explanations] what explains the gap
    [changes] change over time
    [watches] the gap that is watched
    [inspections] searches and inspections
    [models] what models learn from
    [remedies] remedies
    [alternatives] alternatives
    [presets] legal forms
    [small_cells] small counts
    [seed] the seed
   *[other] { $name }
}
# $file, $code: of a sealed plan
seal-saved = The sealed audit is in { $file }.
groups-seal = Seal the question
groups-seal-by = Sealed by
groups-seal-help = The report then says that the question was fixed before the answer was shown, or what changed after.
groups-sealed = The question is sealed. Give this code to somebody else: { $code }
seal-code = Give this code to somebody else before the answer is shown: { $code }
report-table = Answers with their ranges
report-table-note = Signs: the first group minus the other.
report-column-question = who was compared
report-column-gap = gap
report-column-range = likely range ({ $level })
report-column-verdict = verdict
report-more = { $n } more { $n_count ->
    [one] question is
   *[other] questions are
} answered in the annexes.

# $name, $verdict: of a remedy; $after: the gap it leaves; $reading: whether that is within the limit of the audit
# $given, $past: of all test cases, with it and in past decisions; $moved: whether more or fewer
report-remedy = { $name }: { $verdict }.
# $turned: on the other side than in past decisions; $same: as the model without it
report-remedy-gap = It leaves { remedy-gap } at { $after }{ remedy-points }{ $turned ->
    [yes] { " " }the other way round
   *[no] { "" }
}{ $same ->
    [yes] , as the model without it
   *[no] { "" }
}{ $reading ->
    [limit-met] , within the limit for certain
    [limit-met-in-test] , within the limit, not for certain
   *[none] { "" }
}.
# $given: of all test cases
report-remedy-given = { $given } { $would }, { $moved ->
    [same] as many as now
    [up] up from { $past }
   *[down] down from { $past }
}.
report-remedy-by-group = May be unlawful: decides by group.

# The page
report-page-ready = Your report is ready to make
report-page-making = Your report is being made
report-page-made = Your report is made
report-page-outdated = Your report is out of date
report-page-lead = It opens with the finding, not with the method. All tables go into a second file.
report-page-first = Page 1 of the report. Its text is below, under More.
report-page-whom = Who is it for?
report-page-for-committee = A committee
report-page-for-checkers = People who check it
report-page-for-everyone = Everyone affected
report-page-gets-committee = Two to four pages, and the annexes beside them.
report-page-gets-checkers = The annexes first, then the tables and the saved audit under More.
report-page-gets-everyone = Small counts are hidden, so that nobody can be recognised.
report-page-asked = What was asked
report-page-more = More: what is in it, author and date, small counts, other files
report-page-contents = What is in it
report-page-opens = It opens with
report-page-about = About the report
report-page-files = Other files
report-page-text = The report as text
report-page-all = All files (zip)
report-page-all-help = Hand over all files in one: only so can others check that none was changed.
report-page-lacking = { $n_count ->
    [one] One remedy is made with the report, which takes longer.
   *[other] { $n } remedies are made with the report, which takes longer.
}
# $n: remedies that are made already; $splits: on which they are tested besides, to see how much figures differ
report-page-splits = { $n_count ->
    [one] One remedy is
   *[other] { $n } remedies are
} tested on { $splits } more random { $splits_count ->
    [one] split
   *[other] splits
}, to see how much the figures differ. That takes longer.
report-page-leave-out = Leave { $n_count ->
    [one] it
   *[other] them
} out
report-page-changed = Settings or data have changed since this report.
report-page-changed-asked = Settings have changed since you asked for the report. Make it again.
report-page-no-columns = These data lack the columns that models learned from, so no remedy can be in the report.
report-page-last = Of several trees or lists of rules, only the last is ticked at first.
report-page-not-made = Not made yet with these data.
report-page-old = Out of date: settings have changed since.
report-page-unended = It was stopped before its end.
report-page-stopped = A remedy was stopped or cannot be made. Make the report again, or leave it out.
report-page-after = The report is made when these are done.
report-page-without = Make it without { $n_count ->
    [one] this remedy
   *[other] these remedies
}
report-page-published = Published before (zip)
report-page-published-help = Reports on the same data that hide small counts. Nothing hidden then follows from all together.
report-page-unpublished = Leave them out
report-page-waits = The report waits for those of others. { $line }
report-page-repeat = To repeat it, put plan.toml beside the data file and run this.
report-page-repeat-database = To repeat it, let FAIRAUDIT_CONNECTIONS name the file of databases and run this.
report-page-minimum = Counts under { $n } are hidden, as before.
report-page-nothing = Nothing is chosen for the report yet.
report-footer = fairaudit report, audit { $audit }
report-footer-data = fairaudit report, audit { $audit }, data { $data }

# $file: where the numbers of a chart stand; $of: whether they are of the favourable result, and those of the chart not
report-chart-numbers = { $of ->
   *[same] (numbers: { $file })
    [favourable] (numbers of the favourable result: { $file })
}

# At the foot of each page; of a table that is too wide for one page
report-page-of = page { $page } of { $pages }
report-columns-part = (columns, part { $number } of { $n })
