# The first pages of a report.

report-who = { CAP($protected) } and { $others }
report-explained = What explains the gap
report-changed = Change over { $column }
report-annexes-to = Annexes to: { $title }
report-audit = Audit of decisions
report-nothing = This audit describes its data and asks nothing of them
report-nothing-lead = The annexes hold what is known of the data.

report-could-be-done = What could be done
report-not-said = What this does not say
report-not-said-why = Why there is a gap.
report-not-said-right = Whether any decision was right.
report-not-said-treated = Whether anybody was treated right.
report-not-said-law = Whether a law was broken.
report-next = What to do next
report-next-other = Read the details in the annexes, with somebody who knows how decisions are made.

report-how = How this was found
report-why = Why this audit was made
report-compared = Who was compared
# $n: of people or cases; $where: "age is over 30"
report-compared-all = { $n } cases were compared.
report-compared-where = { $n } cases were compared: those where { $where }.
report-compared-hidden = How many cases were compared is not shown.
report-similar = Similar cases
report-similar-asked = { CAP($protected) } and { $others } were also compared { $similar }.
report-similar-not-asked = Similar cases were not compared. So part of a gap may come from cases that differ.
report-sure = How sure this is
# $limit: what is allowed; $quantity: share or amount
report-sure-rule = Some of any gap is chance. The likely range holds the sizes that fit the data. A gap is clear where all of it is beyond { check-limit }.
report-hidden = Counts under { $minimum } are not shown, nor what they could be worked out from.
report-annexes = The annexes hold all exact figures, from table 1 on, and how to repeat this audit.
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

# $name: of a remedy; $gap: with it, or the largest without; $low: the smallest without; $given, $decided: shares
report-gap = { $kind ->
    [share] { $gap } { $gap_count ->
        [one] point
       *[other] points
    }
   *[amount] { $gap }
}
report-remedies-before = Without a remedy: { $same ->
    [yes] { report-gap }
   *[no] { $low } to { report-gap }
} apart.
report-remedies-before-given = Without a remedy: { $same ->
    [yes] { report-gap }
   *[no] { $low } to { report-gap }
} apart. Today { $decided } { $verb }.
report-remedy = { $name }: { report-gap } apart.
report-remedy-given = { $name }: { report-gap }, { $given } { $verb }.
report-remedy-hidden = { $name }: its gap is not shown.
report-remedy-by-group = May be unlawful: decides by group.
report-remedies-more = { $n } more { $n_count ->
    [one] remedy is
   *[other] remedies are
} in the annexes.
report-remedy-relabel = Retrain on changed decisions
report-remedy-thresholds = A threshold for each group
report-remedy-equalize = One score for all groups
report-remedy-constrain = Train to your limits
report-remedy-rules = A short list of rules
report-remedy-trees = A decision tree
