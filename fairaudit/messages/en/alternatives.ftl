# Alternatives that discriminate less: whether another model serves as well with a smaller gap.
# $protected, $others, $verb, $quantity, $limit, $allowed: as in a check
# $used: what is in use: the prediction or the score in the data, or a model of past decisions
# $loss: by how much a model may be worse and still count as equally good
# $measure: by what: how often it is right, how well it ranks, or who is among as many approved
# $similar: "at similar incomes", where the gap is that among similar cases

question-name-alternatives = Alternatives
alternatives-annex = How alternatives were searched
alternatives-line = Alternatives: { $verdict }. { $headline }.

alternatives-in-use = { $used ->
    [prediction] The prediction in use
    [score] The score in use
   *[model] The model in use
}
alternatives-used = { $used ->
    [prediction] the prediction in use
    [score] the score in use
   *[model] the model in use
}
alternatives-loss = { $loss } { $loss_count ->
    [one] point
   *[other] points
}

# $n: of equally good models whose gap is smaller by more than chance
alternatives-headline-smaller = { $n_count ->
    [1] An equally good model has a smaller gap
    [2] Two equally good models have a smaller gap
    [3] Three equally good models have a smaller gap
    [4] Four equally good models have a smaller gap
    [5] Five equally good models have a smaller gap
    [6] Six equally good models have a smaller gap
    [7] Seven equally good models have a smaller gap
    [8] Eight equally good models have a smaller gap
    [9] Nine equally good models have a smaller gap
   *[other] { $n } equally good models have a smaller gap
}
alternatives-headline-chance = An equally good model has a smaller gap, but that may be chance
alternatives-headline-none = No equally good model with a smaller gap was found
alternatives-headline-no-gap = What is in use leaves no gap to make smaller
alternatives-headline-few = There are too few cases to find an equally good model

# $name: the one with the smallest gap where models were picked; $size: its gap; $before: that of the model in use; $turned: on its other side
# $among: whether the gap is that of all people, or among similar cases
alternatives-lead-gap = The best of them leaves a gap of { check-size }{ $turned ->
    [yes] { " " }the other way round
   *[no] { "" }
} instead of { $before }{ $among ->
    [similar] { " " }{ $similar }
   *[all] { "" }
}: { $name }.
# $low, $high: the ends of what fits the data, for whichever of all that were judged is picked; $size: within which it is
alternatives-lead-range = Allowing for how it was picked, its gap is likely { $low } to { $high } points.
alternatives-lead-range-both = Allowing for how it was picked, its gap is likely at most { $high } points, either way.
# $right, $without: how often it and the model in use are right
alternatives-lead-right-decision = It matches { $right } of past decisions; { alternatives-used }, { $without }.
alternatives-lead-right-outcome = It is right for { $right } of test cases; { alternatives-used }, { $without }.
alternatives-lead-right-auc = It ranks { $right } of pairs of people rightly; { alternatives-used }, { $without }.
alternatives-lead-right-approvals = Of those it picks, { $right } { $verb }; of those { alternatives-used } picks, { $without }.
# $tried: models; $good: of them equally good
alternatives-lead-none = { $tried } models were tried, and { $good } of them are about as good.
# $few: for which that is not shown
alternatives-lead-unclear = For { $few } more the cases do not show it.
alternatives-lead-few = { $tried } models were tried. For { $few } of them the cases do not show whether they are as good.

# $given: with it; $before: with the model in use
alternatives-caution-given-decision = With it { $given } { $would }, against { $before } with { alternatives-used }.
alternatives-caution-given-outcome = It predicts the favourable result for { $given }, { alternatives-used } for { $before }.
alternatives-caution-in-use = { CAP(alternatives-used) } may have been made from these very cases, which flatters it.
alternatives-caution-group = Thresholds by group may be unlawful, so the answer is not about them.

# What models are called; $learner: such as "random forest"; $column: one that is left out
alternatives-name-model = { $learner }
alternatives-name-without = without { $column }
alternatives-name-constrained = trained to a limit
alternatives-name-retrained = trained on changed labels
alternatives-name-tree = small tree
alternatives-name-list = list of rules
alternatives-name-rules = set of rules
alternatives-name-by-group = { $learner }, a threshold for each group
# $cut: whether more or fewer people have the favourable result than with the model in use
alternatives-name-cut = { $name }, { $cut ->
    [milder] milder
   *[stricter] stricter
}

# By itself
alternatives-row = { CAP($name) }
alternatives-row-best = the best of them

alternatives-reading-smaller = smaller gap
alternatives-reading-chance = may be chance
alternatives-reading-no-smaller = gap no smaller
alternatives-reading-less-good = less good

# The pictures
alternatives-chart-similar = Gap in the share who { $verb } { $similar }, with { $level } range
alternatives-column-auc = pairs ranked rightly
alternatives-column-approvals = { $verb }, of those picked
alternatives-as-good = equally good
alternatives-worse = less good, or too few cases to tell
alternatives-axis = { $measure ->
    [auc] pairs ranked rightly, tuning cases
    [approvals] rightly picked, tuning cases
   *[accuracy] right, tuning cases
}
alternatives-axis-gap = Gap in points, tuning cases
alternatives-spread-title = All models that were tried, on tuning cases
# $n: tried; $good: of them equally good
alternatives-spread = { $n } models: { $good } count as equally good.
alternatives-spread-gaps = Their gaps are { $low } to { $high } points.

# Under More; $judged: of them judged; $tune, $held: cases; $confidence: of all of it
alternatives-how-tried = { $tried } models were compared on { $tune } tuning cases. { $good } of them are at most { alternatives-loss } worse, also allowing for chance.
alternatives-how-measure = { $measure ->
    [auc] Models are compared by the area under the ROC curve: the share of pairs of people that they rank rightly. Each score is cut to pick as many people as now.
    [approvals] Models are compared by who is among those they pick. Each score is cut to pick as many people as now.
   *[accuracy] Models are compared by how often they are right.
}
alternatives-how-judged = Of each kind the one with the smallest gap was judged once, on { $held } test cases: { $judged } in all. With { $confidence } confidence none of their gaps is called smaller by chance.
alternatives-how-ranges = Ranges of gaps allow for that choice: with { $confidence } confidence all of them hold at once. Ranges of changes are those of each model by itself.
# $share, $own, $rest: for whom of all, of the protected and of the others any of them decides otherwise
alternatives-how-otherwise = For { $share } of people some equally good model decides otherwise: { $own } of { $protected }, { $rest } of { $others }.
# $form: small trees, or lists of rules; $n: of them nearly as often right as the best; $low, $high: their gaps
# $rules: rules of a set, at most
alternatives-form = { $form ->
    [tree] trees of two questions in a row
    [list] lists of three rules
   *[rules] { $rules_count ->
        [1] single rules
        [2] sets of up to two rules
       *[other] sets of up to three rules
    }
}
alternatives-how-proven = On cases learned from, { $n } { alternatives-form } out of { $questions } possible questions lose at most 1 point to the best. It is proven that their gaps are { $low } to { $high } points. They decide { $share } of test cases both ways.
alternatives-how-not-proven = On cases learned from, { alternatives-form } that are nearly best have gaps of { $bound } points or more.
# $n: ways to make models
alternatives-how-skipped = { $n_count ->
    [one] One way
   *[other] { $n } ways
} to make models could not be tried with these data.
alternatives-how-stopped = The search was ended early, so not everything was tried.

# The page
alternatives-question = Does another model serve as well, with a smaller gap?
alternatives-context = Alternatives that discriminate less · { $held_count ->
    [one] one test case
   *[other] { $held } test cases
}
alternatives-more = More: how models were searched, exact figures, settings
alternatives-more-settings = Settings
alternatives-more-search = How models were searched
alternatives-more-figures = Exact figures
alternatives-changed = Settings or data have changed since the last search.
