# Decisions in levels, such as grades: who gets which, and who is placed better.
# $protected, $others, $verb, $similar: as in a check; $direction: less or more, seen from the protected group
# $level: a level; $at_least: whether that level or a better one is meant; $share, $rest: of both groups
# $n: of 100 pairs with one of each group, those where the protected one is placed better, ties half

question-name-levels = A decision in levels
levels-worse-or-better = { $direction ->
    [less] worse
   *[more] better
}
levels-less-or-more = { $direction ->
    [less] less often
   *[more] more often
}
levels-or-better = { $at_least ->
    [yes] { $level } or better
   *[no] { $level }
}
levels-headline-placed = { CAP($protected) } were placed { levels-worse-or-better } than { $others }
levels-headline-placed-within = { CAP($protected) } were placed { levels-worse-or-better } than { $others }, even { $similar }
levels-headline-placed-none-within = { CAP($protected) } were placed { levels-worse-or-better } overall, but not { $similar }
levels-headline-placed-turned = { CAP($protected) } were placed { levels-worse-or-better } overall, but not so { $similar }
levels-headline-placed-only = { CAP($protected) } were placed { levels-worse-or-better } than { $others } { $similar }
levels-headline-placed-perhaps-small = { CAP($protected) } were placed { levels-worse-or-better } than { $others }, perhaps only slightly
levels-headline-placed-alike = { CAP($protected) } were placed about as well as { $others }
levels-headline-got = { CAP($protected) } got { $level } { levels-less-or-more } than { $others }
levels-headline-got-within = { CAP($protected) } got { $level } { levels-less-or-more } than { $others }, even { $similar }
levels-headline-got-none-within = { CAP($protected) } got { $level } { levels-less-or-more } overall, but not { $similar }
levels-headline-got-turned = { CAP($protected) } got { $level } { levels-less-or-more } overall, but not so { $similar }
levels-headline-got-only = { CAP($protected) } got { $level } { levels-less-or-more } than { $others } { $similar }
levels-headline-differ = The levels of { $protected } and { $others } differ, perhaps only slightly
levels-headline-got-alike = { CAP($protected) } got each level about as often as { $others }

levels-lead-pairs = { CAP($protected) } were placed better in { $n } of 100 pairs with { $others }.
levels-lead-share = { $share } of { $protected } and { $rest } of { $others } got { levels-or-better }.
# $low, $high: of 100 pairs
levels-sure-range = Anything from { $low } to { $high } fits the data, where half would be no gap.
levels-sure-clear = One test over all levels says that this is more than chance.
levels-sure-open = One test over all levels says that this may be chance.
levels-sure-alike = For each level, every gap that fits the data is within your limit.
levels-lead-within-pairs = { CAP($similar) }, it is { $n } of 100 pairs.
levels-lead-within-clear = { CAP($similar) }, the same test finds more than chance.
levels-lead-within-level = { CAP($similar) }, { $protected } got { $level } { levels-less-or-more } than { $others }.
levels-lead-within-open = { CAP($similar) }, the same test finds nothing beyond chance.
levels-exception = Yet { $share } of { $protected } and { $rest } of { $others } got { levels-or-better }.
levels-yes-no = Remedies and other pages ask for yes or no: who { $verb }.
levels-not-shown = Who got which level is not shown, because small counts are hidden.

levels-chart = Share of people at each level
levels-chart-row = { $own } of { $protected } and { $other } of { $others } got { $place }.
levels-table = Who got which level
levels-table-gaps = Gaps by level
levels-table-pairs = Who is placed better
levels-table-within = Levels among similar cases
levels-table-groups = Levels by { $columns }
levels-all = all cases
levels-average = similar cases together
levels-note = Readings allow for all rows by Holm’s method; ranges are of each row by itself.

# On Data
levels-data-help = With levels, Check says who gets which, and Errors how often a predicted one is right. Other pages still ask for the favourable result.
levels-data-lacking = Name each of these, too, as nobody with such a level may drop out.
