# Rankings: who stands among the first of lists.
# $protected, $others: groups as plurals, "women"; $first: how many of a list stand among the first; $lists: one or many

question-name-rankings = Rankings
moved-rankings = The question about lists of { $group } left the audit.
rankings-title = Who stands among the first
rankings-annex = How lists were compared
rankings-line = Rankings: { $verdict }. { $headline }.

# Said of several people
rankings-verb = { $lists ->
    [one] { $first_count ->
        [one] came first
       *[other] were among the first { $first }
    }
   *[many] { $first_count ->
        [one] came first in their lists
       *[other] were among the first { $first } of their lists
    }
}
rankings-headline-nothing = Any order gives the same shares, so there is nothing to compare
# $n: lists that are compared; $share, $rest: of both groups among the first
rankings-lead-lists = On average over { $n } { $n_count ->
    [one] list
   *[other] lists
}, { $share } of { $protected } and { $rest } of { $others } were among the first{ check-apart }.
# $chance: of pairs of one list, one case of each group
rankings-lead-higher = Of pairs in one list, { $protected } stand higher than { $others } in { $chance }.
# What makes lists alike, where the plan has no phrase for it; a kind of lists, "kind office"
rankings-similar = in lists with the same { $columns }
rankings-place = { $columns } { $value }
# $n: lists left out; $all: lists
rankings-caution-left-out = { $n_count ->
    [one] One of { $all } lists holds one group or too few.
   *[other] { $n } of { $all } lists hold one group or too few.
}
# $n: cases without a rank or score
rankings-caution-unranked = { $n_count ->
    [one] One case has
   *[other] { $n } cases have
} no rank or score and { $n_count ->
    [one] is
   *[other] are
} left out, also where that means the last place.

# The picture
rankings-chart = Share of { $protected } among the first of { $lists ->
    [one] the list
   *[many] their lists
}, place by place
rankings-chart-protected = { CAP($protected) }
rankings-chart-lot = by lot
rankings-chart-axis = Among the first
rankings-chart-first = first { $first }
rankings-chart-row = Among the first { $first }, { $share } are { $protected }; by lot it would be { $lot }.

# Under More
rankings-how-first = Of the first, { $share } are { $protected }. Places drawn by lot would give { $lot }.
rankings-how-exposure = { CAP($protected) } have { $share } of the attention, which falls off with places. By lot it would be { $lot }.
rankings-how-merit = In lists with a merit, { $protected } have { $share } of the attention. By merit it would be { $lot }.
rankings-how-higher = Of pairs in one list, { $protected } likely stand higher in { $low } to { $high }.
# $n: lists that fail; $all: that are tested; $place: the first where one list fails
rankings-how-prefix-fails = The prefix test fails: among the first { $place } there are too few { $protected }.
rankings-how-prefix-passes = The prefix test finds no beginning of the list with too few { $protected }.
rankings-how-prefix-lists = The prefix test finds too few { $protected } at the top of { $n } of { $all } lists, allowing for all of them.
rankings-how-exact = The test of the gap counts all draws by lot, given who is in each list.
rankings-how-normal = The test of the gap takes the spread of places drawn by lot.
rankings-how-kinds-left-out = Kinds of which no list is compared: { $names }.
rankings-how-one-group = { $n_count ->
    [one] One list has
   *[other] { $n } lists have
} one group only.
rankings-how-not-longer = { $n_count ->
    [one] One list
   *[other] { $n } lists
} with both groups { $n_count ->
    [one] is
   *[other] are
} not longer than the first { $first }, so all its people would be among them.
rankings-how-tied = { $n } cases share their place with others. A lot decides between them, so each counts by its chance.
rankings-how-split = In { $n_count ->
    [one] one list
   *[other] { $n } lists
} such a tie crosses the last of the first { $first }.
rankings-how-unknown = { $n_count ->
    [one] One case keeps its place
   *[other] { $n } cases keep their places
}, and no group is known for { $n_count ->
    [one] it
   *[other] them
}.
rankings-how-unlisted = { $n_count ->
    [one] One case has
   *[other] { $n } cases have
} no list and { $n_count ->
    [one] is
   *[other] are
} left out.

rankings-kinds = Lists of each kind

# Rows of the table of what stands beside the gap
rankings-row-first = of the first
rankings-row-exposure = of the attention
rankings-row-merit = of the attention, against merit
rankings-row-higher = stands higher
rankings-row-prefix = prefix test

# The page
rankings-question = Do both groups stand among the first equally often?
rankings-ask = Choose the rank or the score that the list is ordered by.
rankings-more = More: exact figures, lists, settings
rankings-more-figures = Exact figures
rankings-more-settings = Settings
rankings-order = Ordered by
rankings-by-rank = a rank
rankings-by-score = a score
