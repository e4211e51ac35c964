# Alternatives that discriminate less: whether another model serves as well with a smaller gap.
# $protected, $others, $verb, $quantity, $limit, $allowed: as in a check
# $used: what is in use: the prediction or the score in the data, or a model of past decisions
# $loss: by how much a model may be right less often and still count as equally good

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
alternatives-lead-gap = The best of them leaves a gap of { check-size }{ $turned ->
    [yes] { " " }the other way round
   *[no] { "" }
} instead of { $before }: { $name }.
# $right, $without: how often it and the model in use are right
alternatives-lead-right-decision = It matches { $right } of past decisions; { alternatives-used }, { $without }.
alternatives-lead-right-outcome = It is right for { $right } of test cases; { alternatives-used }, { $without }.
# $tried: models; $good: of them equally good
alternatives-lead-none = { $tried } models were tried, and { $good } of them are right about as often.
# $few: for which that is not shown
alternatives-lead-unclear = For { $few } more the cases do not show it.
alternatives-lead-few = { $tried } models were tried. For { $few } of them the cases do not show whether they are right as often.

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
alternatives-name-by-group = { $learner }, a threshold for each group
# $cut: whether more or fewer people have the favourable result than with the model in use
alternatives-name-cut = { $name }, { $cut ->
    [milder] milder
   *[stricter] stricter
}

# By itself
alternatives-row = { CAP($name) }

alternatives-reading-smaller = smaller gap
alternatives-reading-chance = may be chance
alternatives-reading-no-smaller = gap no smaller
alternatives-reading-less-good = right less often

# The picture of all that was tried
alternatives-as-good = equally good
alternatives-worse = right less often, or too few cases to tell
alternatives-axis-right = right, tuning cases
alternatives-axis-gap = Gap in points, tuning cases
alternatives-spread-title = All models that were tried, on tuning cases
# $n: tried; $good: of them equally good
alternatives-spread = { $n } models: { $good } count as equally good.
alternatives-spread-gaps = Their gaps are { $low } to { $high } points.

# Under More; $judged: of them judged; $tune, $held: cases; $confidence: of all of it
alternatives-how-tried = { $tried } models were compared on { $tune } tuning cases. { $good } of them are right at most { alternatives-loss } less often, also allowing for chance.
alternatives-how-judged = Of each kind the one with the smallest gap was judged once, on { $held } test cases: { $judged } in all. With { $confidence } confidence none of their gaps is called smaller by chance.
# $share, $own, $rest: for whom of all, of the protected and of the others any of them decides otherwise
alternatives-how-otherwise = For { $share } of people some equally good model decides otherwise: { $own } of { $protected }, { $rest } of { $others }.
# $form: small trees, or lists of rules; $n: of them nearly as often right as the best; $low, $high: their gaps
alternatives-form = { $form ->
    [tree] trees of two questions in a row
   *[list] lists of three rules
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
