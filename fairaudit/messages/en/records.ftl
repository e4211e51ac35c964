# A record that a rule asks for: filled from the other answers of an audit, and by a person.

record-hidden = Not shown, because small counts are hidden.
record-nobody = Nobody has written this yet.
record-empty = Left empty.
record-words = { $text }
record-said = { $headline }.

# The answer; $part: what the record opens with and the audit does not hold
record-headline-none = This audit holds { $part ->
    [alternatives] no search for alternatives
   *[checks] no gap between two groups
} yet
record-lead-none = { $part ->
    [alternatives] Search on the page Alternatives, then open this record again.
   *[checks] Ask about a gap on the page Check, then open this record again.
}
# $n: items that the record needs and nobody has written; $m: all that it states
record-lead-open = { $n_count ->
    [0] Nothing that it needs is still to be written.
    [one] One of its { $m } parts is still to be written.
   *[other] { $n } of its { $m } parts are still to be written.
}
record-lead-unsealed = { $sealed ->
    [yes] What is measured was sealed, and has not changed since.
   *[no] No seal shows what was chosen before the result.
}

# A search for alternatives
record-gap-in-use = { CAP(alternatives-used) } leaves a gap of { check-size } between { $protected } and { $others }{ $among ->
    [similar] { " " }{ $similar }
   *[all] { "" }
}.
record-gap-range = The gap is likely { $low } to { $high } points.
record-gap-range-both = The gap is likely at most { $high } points, either way.
record-as-good = A model serves as well where it is at most { alternatives-loss } worse than { alternatives-used }.
# $kind: how models were made
record-tried = { $kind ->
    [model] Other kinds of models.
    [without] Models without one of the columns.
    [constrained] Models that were trained to a limit on the gap.
    [retrained] Models that were trained on changed labels.
    [tree] Small trees of questions.
    [list] Short lists of rules.
    [rules] Small sets of rules.
   *[by_group] Thresholds for each group.
}
# $name: a model; $gap: its size; $quality: how good it is, by $measure; $reading: what that is called
record-judged = { CAP($name) }, with a gap of { $gap } points, { $measure ->
    [auc] ranks { $quality } of pairs rightly
    [approvals] picks rightly in { $quality } of cases
   *[accuracy] is right for { $quality }
}: { $reading }.
record-no-proof = A search shows what was found among these models, and never that no other alternative exists.

# An audit
# $sized: whether the number of rows is shown
record-data = The data are { $name }{ $sized ->
    [yes] { " " }with { $n } rows
   *[no] { "" }
}.
record-quality = { $n_count ->
    [0] Nothing remarkable was found about the data.
    [one] One remark on the quality of the data stands in the report.
   *[other] { $n } remarks on the quality of the data stand in the report.
}
record-group = { CAP($protected) } were compared with { $others }.
record-groups-errors = Errors were compared by { $columns }.
record-measure-gap = How often { $protected } { $verb } against { $others }, with a tolerance of { $limit } points.
record-measure-amount = What { $protected } get on average, against { $others }.
# $name: what a question is called
record-measure-other = { $name }.
record-finding = { $name }: { $headline }.
record-sealed = The plan was sealed on { $when } with the code { $code }.
record-seal-kept = What is measured has not changed since.
record-seal-changed = Changed since it was sealed: { $part }.
record-not-sealed = The plan was not sealed, so nothing shows that measures were chosen before the result.
record-reasons-sealed = These reasons stood in the sealed plan.
record-reasons-after = These reasons were written or changed after the plan was sealed.
record-reasons-not-sealed = The plan was not sealed, so these reasons may have been written after the result.
record-no-treatment = No remedy and no alternative was tried in this audit.
record-left-untreated = Nothing was changed, so every gap found stands as it is.
record-left-tried = Each remedy leaves the gap that its line in the report states, and all else as it was found.
record-left-unseen = Groups that the data do not name were not examined.

# The document
record-headline-own = { $open_count ->
    [0] The record holds all that it needs
   *[other] The record lacks parts that it needs
}
record-source = { $source ->
    [audit] the audit
    [person] a person
    [form] the form
   *[nobody] nobody yet
}
record-heading = { $label }{ $has ->
    [yes] { " " }({ $article })
   *[no] { "" }
}
# $known: what the audit says of a part that a person writes
record-known = The audit says: { $known }

# The command; $label: what is still to be written, $item: how the option calls it
cli-form-open = Still to be written: { $label }, with --answer { $item }=TEXT.

# The page
record-context = { $title }
record-label = { $label }{ $needed ->
    [yes] { " " }(needed)
   *[no] { "" }
}
record-more-items = What the record states
