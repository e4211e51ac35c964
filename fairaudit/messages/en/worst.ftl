# Worst groups: which groups of people that a few conditions make stand out by more than chance.
# $protected: the group, as a plural; $others: everyone else; $verb, $what, $quantity, $direction: as in a check
# $favorable, $unfavorable: who has either result, after who they are: "with no new offence"
# $flagged: said of people whom the prediction warns of: "were flagged"
# $share, $rest: what the group and everyone else have; $gap: between them

question-name-subgroups = Worst groups
worst-headline-gap = { CAP($protected) } { $verb } { check-less-or-more } than { $others }
worst-headline-flagged = { CAP($protected) } were wrongly flagged { check-less-or-more } than { $others }
worst-headline-missed = { CAP($protected) } were wrongly missed { check-less-or-more } than { $others }
worst-headline-wrong-flags = Flags were wrong { check-less-or-more } for { $protected } than for { $others }
worst-headline-wrong-clearances = Not flagging was wrong { check-less-or-more } for { $protected } than for { $others }
worst-headline-accuracy = The prediction was right { check-less-or-more } for { $protected } than for { $others }
# $n: of groups that stand out
worst-some-people = people in { $n_count ->
    [one] one group
   *[other] some groups
}
worst-headline-none = No group of people differs from everyone else by more than chance

worst-lead-who = The gap is largest for { $protected }.
worst-lead-selection = { $share } of them { $verb }, against { $rest } of { $others }.
worst-lead-flagged = Of people { $favorable }, { $share } in this group { $flagged }, against { $rest } of { $others }.
worst-lead-missed = Of people { $unfavorable }, { $share } in this group were not flagged, against { $rest } of { $others }.
worst-lead-wrong-flags = Of those who { $flagged }, { $share } in this group were people { $favorable }, against { $rest } of { $others }.
worst-lead-wrong-clearances = Of those who were not flagged, { $share } in this group were people { $unfavorable }, against { $rest } of { $others }.
worst-lead-accuracy = It was right for { $share } of them, against { $rest } of { $others }.
worst-lead-amount = They { $verb } { check-about-gap } { check-less-or-more } on average: { $share } against { $rest }.
# $n of $total groups; $side: whether those that stand out fare worse than everyone else; $better: of them that do not
worst-lead-found = { $side ->
    [both] { $n_count ->
        [one] One group fares worse
       *[other] { $n } groups fare worse
    } and { $better } better
    [better] { $n_count ->
        [one] One of { $total } groups fares better
       *[other] { $n } of { $total } groups fare better
    }
   *[worse] { $n_count ->
        [one] One of { $total } groups fares worse
       *[other] { $n } of { $total } groups fare worse
    }
}, more than chance would bring up.
worst-lead-none = { $total } { $total_count ->
    [one] group
   *[other] groups
} of up to { $most } { $most_count ->
    [one] condition
   *[other] conditions
} { $total_count ->
    [one] was
   *[other] were
} compared with everyone else.
# $bounded: groups made of the columns that are searched; $rows: the fewest of each; $size: what the gap of none exceeds
worst-lead-bound = With { $confidence } confidence, { $bounded_count ->
    [one] the one group of { $rows } or more is at most
   *[other] none of these { $bounded } groups of { $rows } or more is over
} { check-size } behind everyone else.
worst-lead-not-clear = What differed most in one half of the data was not clear in the other half.

worst-not-why = The groups are places to look, not reasons, and may overlap.
worst-halves = Found in one half of the data, measured in the other.
worst-not-shown-few = Each group divides people by several columns at once, so small counts could be worked out.
worst-not-shown-leave = See the groups on their page, and leave this question out of a report that is published.

# The picture
worst-chart-flagged = Share wrongly flagged
worst-chart-missed = Share wrongly missed
worst-chart-wrong-flags = Share of flags that were wrong
worst-chart-wrong-clearances = Share of those not flagged who should have been
worst-chart-accuracy = Share of people for whom the prediction was right
worst-this-group = this group
worst-people = { $n } { $n_count ->
    [one] person
   *[other] people
}
# $place: the group; $own, $other: figures; $reading: stands out, or may be chance
worst-chart-row = { CAP($place) }: { $own }, everyone else { $other }, { $reading }.
worst-stands-out = stands out

# What is compared, as a noun
worst-measure-selection = how many { $verb }
worst-measure-flagged = wrongly flagged
worst-measure-missed = wrongly missed
worst-measure-wrong-flags = flags that were wrong
worst-measure-wrong-clearances = wrongly not flagged, of those not flagged
worst-measure-accuracy = how often the prediction was right
worst-measure-mean = average amounts
worst-title = Worst groups: { $what }
worst-line = Worst groups, { $what }: { $verdict }. { $headline }.

# Under More
worst-more = More: exact figures, chance, settings
worst-more-figures = Exact figures
worst-more-people = How many people, and how large a gap
worst-more-chance = What chance would show
worst-more-group = One group
worst-more-settings = Settings
worst-question = Searches all groups that a few conditions describe, such as women under 25 in one district, for those worst off.
# $what: what is compared; $columns: which a group may be made of; $protected: of which it names one
worst-asked = Compares { $what }, in groups by { $columns }.
worst-asked-protected = Each group differs from others in at least one of { $protected }.
worst-by-columns = { $n } columns
# $what: what is compared; $cases: among which
worst-context = { CAP($what) } · groups by { $columns } · { $cases }
# $group: in a few words
worst-check-worst = Check: { $group }
worst-check-one = Ask about this group
worst-filter-one = Look only at this group
worst-changed = Settings have changed since the last search.
worst-group-who = { CAP($protected) }:
worst-group-stands-out = That is more than chance would show.
worst-group-chance = Chance could show as much.
# $n: of further such groups
worst-same-people = Mostly the same people: { $groups }{ $n_count ->
    [0] { "" }
   *[other] ; and { $n } more
}.
worst-how-considered = { $total } { $total_count ->
    [one] group
   *[other] groups
} of up to { $most } { $most_count ->
    [one] condition
   *[other] conditions
} on { $columns } { $total_count ->
    [one] was
   *[other] were
} compared with everyone else.
worst-how-protected = Each of them names one of { $protected }.
worst-how-halves = { $searched } rows drawn at random were searched; the other { $judged } judge what was found.
worst-how-judged = Chance alone makes a group stand out in at most { $error } of searches, by Holm's method.
worst-how-alone = Each range is of its group alone.
worst-how-chance = Results were dealt out at random { $shuffles } times. In half of the deals the largest gap was above { $usual }, in one of twenty above { $high }.
worst-size = { check-size }
worst-how-largest = The largest gap that the search saw is { $largest }.
worst-how-proven = The search is proven to have missed none that is larger.
worst-how-ended = The search ended early: no group has a gap of more than { check-size } in the half that was searched.
# $bounded: groups that are large enough; $rows: the fewest rows of these
worst-how-bounded = How far behind any group can be was worked out for { $bounded } { $bounded_count ->
    [one] group
   *[other] groups
} in all rows, each with { $rows } or more on either side.
worst-how-weighted-unbounded = How far behind any group can be is not worked out with sampling weights.
worst-how-none-bounded = No group has { $rows } rows or more on either side, so no bound for all groups can be given.
worst-left-out = Column { $column } was left out: { $why }.
worst-affected-share = Affected: how many of 100 people would fare otherwise if the group had the same share as all.
worst-affected-amount = Affected: by how much the group moves the average of all, up or down.
worst-map-title = How many people are affected, and how large the gap to everyone else is.
# $above: above or below everyone else
worst-map-row = { CAP($place) }: { check-size } { $above ->
    [above] above
   *[below] below
} everyone else, { $people }, { $reading }.
worst-map-note = Hollow: in the half that was searched. Filled: in the half that judges. Larger circles are larger groups.
worst-map-band = Shaded: where the best of as many groups lies in 19 of 20 random shuffles, for hollow circles.

# Columns of the tables
worst-ranking-people = people affected
worst-ranking-gap = largest gap
worst-ranking-evidence = clearest gap
