# What a remedy does to the gap, at what price, and what to look at before it is used.
# $protected, $others, $verb, $what, $similar, $quantity, $direction: as in a check
# $kind: what comes out: model, thresholds, score, rules or tree; $about: decision, outcome or amount
# $measure: share, flagged, missed or amount: what the gap is in; $called: whether a wrong no is refused or flagged

remedy-with = { $kind ->
    [rules] these rules
    [thresholds] these thresholds
    [score] this score
    [tree] this tree
   *[model] this model
}
remedy-it = { $kind ->
    [rules] them
    [thresholds] them
   *[model] it
}
remedy-many = { $kind ->
    [rules] They
    [thresholds] They
   *[model] It
}
remedy-gap = { $measure ->
    [flagged] { $called ->
        [refused] the gap in wrong refusals
       *[flagged] the gap in wrong flags
    }
    [missed] the gap in wrongly missed cases
   *[share] the gap
}
remedy-points = { $quantity ->
    [share] { " " }{ $after_count ->
        [one] point
       *[other] points
    }
   *[amount] { "" }
}
remedy-size = { $quantity ->
    [share] { $size } { $size_count ->
        [one] point
       *[other] points
    }
   *[amount] { $size }
}

# $before, $after: sizes of the gap
remedy-headline-smaller = With { remedy-with } { remedy-gap } falls from { $before } to { $after }{ remedy-points }
remedy-headline-larger = With { remedy-with } { remedy-gap } grows from { $before } to { $after }{ remedy-points }
remedy-headline-turned = With { remedy-with } { remedy-gap } turns around: from { $before } to { $after }{ remedy-points }
# $wider: surely wider than in past decisions
remedy-headline-gains-nothing = With { remedy-with } { remedy-gap } is { $after }{ remedy-points }, { $wider ->
    [yes] larger
   *[no] no smaller
} than in { remedy-past }
remedy-past = { $about ->
    [amount] actual amounts
    [outcome] what happened
   *[decision] past decisions
}
remedy-headline-unchanged = With { remedy-with } every test case is as without { remedy-it }
remedy-headline-open = With { remedy-with } { remedy-gap } may be as large as without { remedy-it }
remedy-headline-one-answer = With { remedy-with } everybody gets the same answer
remedy-headline-nearly-one-answer = With { remedy-with } nearly everybody gets the same answer
# $rule: a simple rule, by its kind ($simple) and the model that it cuts ($learner)
remedy-headline-simple-rule = { CAP($rule) } does better than { remedy-with }
remedy-simple-rule = { $simple ->
    [constant] the same answer for everybody
    [shifted] { remedy-learner } with one threshold for all
    [by-group] one model with a threshold for each group
   *[plain] { remedy-learner }
}
remedy-learner = { $learner ->
    [logistic-regression] logistic regression
    [mlp] a neural network
    [svm] a support vector machine
    [random-forest] a random forest
    [gradient-boosting] a model of boosted trees
   *[score] the score in the data
}
remedy-headline-no-remedy = This is a model without a remedy
remedy-headline-not-shown = This answer would show numbers that are too small to publish

# $gap: a headline
remedy-lead-gap = { $gap }.
# $own, $rest: shares or means with the remedy
remedy-lead-figures = { $about ->
    [outcome] { remedy-many } { $kind ->
        [rules] expect
        [thresholds] expect
       *[model] expects
    } that { $own } of { $protected } and { $rest } of { $others } { $verb }{ remedy-beside-limit }.
    [amount] With { remedy-it }, { $protected } { $verb } { $own } { $what } on average, and { $others } { $rest }{ remedy-beside-limit }.
   *[decision] With { remedy-it }, { $own } of { $protected } and { $rest } of { $others } { $would }{ remedy-beside-limit }.
}
# $limit: one that was set and is kept; the verdict says of others that they are not. $size: how far apart groups may be
remedy-beside-limit = { $limit ->
    [within] , within your limit of { remedy-size }
   *[none] { "" }
}
# $whom: those who are judged wrongly are a part of whom the verb is about, or of others
remedy-lead-wrongly = { $whom ->
    [verb] Of those who { $verb }
   *[others] { $measure ->
        [missed] Of those who should be flagged
       *[flagged] Of those who should not be flagged
    }
}, { $own } of { $protected } and { $rest } of { $others } are { remedy-wrongly }{ remedy-beside-limit }.
remedy-wrongly = { $measure ->
    [missed] wrongly missed
   *[flagged] { $called ->
        [refused] wrongly refused
       *[flagged] wrongly flagged
    }
}

# $size: how far apart groups may be, by a limit that was set
remedy-lead-limit-met = That is within your limit of { remedy-size }, also allowing for chance.
remedy-lead-limit-met-in-test = That is within your limit of { remedy-size }, but not for certain.
remedy-lead-limit-not-met = That is above your limit of { remedy-size }.
remedy-lead-limits-met = What you set a limit on is within it in all groups, also allowing for chance.
remedy-lead-limits-met-in-test = What you set a limit on is within it in all groups, but not for certain.
remedy-lead-limits-not-met = At least one of your limits is not met.
# $confidence: with which limits are to hold on new people; $n: cases that it takes in the table; $all: those it has
remedy-lead-limit-certified = That is within your limit of { remedy-size }, with { $confidence } confidence also for new people.
remedy-lead-limits-certified = The limits you set hold, with { $confidence } confidence also for new people.
remedy-lead-certified = With { $confidence } confidence, the limit also holds for new people.
remedy-lead-certified-missed = Other cases had shown it within the limit with { $confidence } confidence, so this may be chance.
remedy-lead-needs-cases = To hold the limit for new people with { $confidence } confidence, about { $n } cases are needed; there are { $all }.
remedy-lead-not-certified = Nothing that was tried holds the limit for new people with { $confidence } confidence.

# $before, $after: sizes of the gap that the remedy is made for
remedy-lead-aim = { remedy-many } { $kind ->
    [thresholds] aim
   *[score] aims
} at errors, whose gap { $moved ->
    [smaller] falls from { $before } to { $after }
    [larger] grows from { $before } to { $after }
   *[open] may not have changed
}{ $moved ->
    [open] { "" }
   *[known] { remedy-points }
}.
remedy-lead-aim-few = { remedy-many } { $kind ->
    [thresholds] aim
   *[score] aims
} at errors, but a group has too few cases with the same outcome to tell that gap.
# $own, $rest: of all test cases, with the remedy and in past decisions or in fact; $moved: whether more or fewer
# $asks: whether many more have it
remedy-lead-in-all = { $about ->
    [outcome] In all, { $kind ->
        [rules] they expect
        [thresholds] they expect
       *[model] it expects
    } that { $own } { $verb }, against { $rest } in fact.
   *[decision] In all, { $own } { $would }, { $moved ->
        [same] about as many as
        [up] up from { $rest }
       *[down] down from { $rest }
    } in past decisions.
}{ $asks ->
    [yes] { " " }Can there be that many?
   *[no] { "" }
}
# $own, $rest: how often it is right, with and without the remedy; of amounts, how far it is off
remedy-lead-matches = { $about ->
    [amount] { remedy-many } { $kind ->
        [rules] miss
       *[tree] misses
    } actual amounts by { $own } on average, against { $rest } without the remedy.
    [outcome] { remedy-many } { $kind ->
        [rules] are
        [thresholds] are
       *[model] is
    } right for { $own } of people, against { $rest } without the remedy.
   *[decision] { remedy-many } { $kind ->
        [rules] match
        [thresholds] match
       *[model] matches
    } { $own } of past decisions, against { $rest } without the remedy.
}
remedy-lead-simple-rule = { $about ->
    [outcome] It is right for { $rest } of people, { remedy-with } for { $own }.
   *[decision] It matches { $rest } of past decisions, { remedy-with } { $own }.
}
# $size, $after: the gap that the simple rule leaves, and the remedy
remedy-lead-simple-gap = It leaves a gap of { remedy-size }, { remedy-with } { $after }.

# $size, $was: the gap among similar cases, with the remedy and before; $side: past decisions, or without the remedy
remedy-harm-turned = { CAP($similar) }, { $protected } { $verb } { remedy-size } { check-less-or-more } with { remedy-it }. { remedy-was } it is the other way round.
remedy-harm-opens = { CAP($similar) }, { $protected } { $verb } { remedy-size } { check-less-or-more } with { remedy-it }. { remedy-was } there is no clear gap.
remedy-harm-wider = { CAP($similar) }, { $protected } { $verb } { remedy-size } { check-less-or-more } with { remedy-it }. { remedy-was } it is { $was }.
remedy-was = { $side ->
    [before] Without the remedy
   *[decisions] In past decisions on the test cases
}
remedy-caution-wider = In { remedy-past } the gap is smaller: { remedy-size }.
# $side: less often is worse or, where an unfavourable result is spoken of, more often
remedy-caution-gives-less = Both groups { $verb } { $side ->
    [more] more
   *[less] less
} often than in past decisions.
# $group: who is worse off
remedy-caution-worse-off = { CAP($group) } { $group_kind ->
    [rest] is
   *[named] are
} worse off than without the remedy.
remedy-caution-fewer = Fewer { $group_kind ->
    [rest] others
   *[named] { $group }
} { $verb } than without the remedy: { $own } instead of { $rest }.
remedy-caution-missed = { $own } of the cases to be flagged are missed, against { $rest } without the remedy.
remedy-caution-refused = { $own } of those who { $verb } are wrongly refused, against { $rest } without the remedy.
remedy-caution-by-group = { $kind ->
    [rules] These rules decide
    [thresholds] These thresholds decide
    [score] This score decides
    [tree] This tree decides
   *[model] This model decides
} by group. That may be unlawful: ask counsel first.
remedy-caution-stopped = Stopped before its end: this is the best so far.

# The picture
remedy-chart-share = { $about ->
    [outcome] Share of test cases who { $verb }, in fact and as expected
   *[decision] Share of test cases who { $verb }
}
remedy-chart-amount = Average { $what } of test cases
remedy-chart-wrongly = { $whom ->
    [verb] Of test cases who { $verb }
   *[others] { $measure ->
        [missed] Of test cases that should be flagged
       *[flagged] Of test cases that should not be flagged
    }
}: share { remedy-wrongly }
remedy-row-decided = { $about ->
    [outcome] What happened
    [amount] Actual amounts
   *[decision] Past decisions
}
remedy-row-without = Model without the remedy
remedy-row-no-limit = Model without the remedy, { $kind ->
    [rules] also rules
   *[tree] also a tree
}
remedy-row-with = { CAP($with) }
# $turned: the other way round than in past decisions; $exact: whether both figures subtract to the gap as written
remedy-chart-gap = gap { $exact ->
    [no] about { remedy-size }
   *[yes] { remedy-size }
}{ $turned ->
    [yes] , turned
   *[no] { "" }
}
# $place: past decisions, without the remedy, with it
remedy-chart-row = { $place }: { $protected } { $own }, { $others } { $rest }.

# The page; $n: of test cases, or of repeats; $name: of the remedy
remedy-context = { $name }, on { $n } test cases
remedy-context-where = { $name }, on { $n } test cases · { $cases }
remedy-change = Change settings
remedy-more = More: exact figures, all groups, how it was made
remedy-more-figures = Exact figures
remedy-more-groups = All groups
remedy-more-made = How it was made
remedy-more-off = Predicted minus actual amounts, on average
remedy-certified-title = The limit on new people
# Whom what it predicts hits; $total: groups that were searched; $low, $high: of the gap
remedy-hit-title = Groups that it hits most
remedy-hit-none = No group of people is hit by more than chance, of { $total } that were searched.
remedy-hit-most = Most hit: { $group }.
remedy-hit-share = { $quantity ->
    [amount] On average they get { $share }, against { $rest } of everyone else.
   *[share] { $share } of them { $would }, against { $rest } of everyone else.
}
remedy-hit-range = Likely range of that gap: { $low } to { $high }{ $quantity ->
    [amount] .
   *[share] { "" } points.
}
remedy-way-compare = Compare remedies
remedy-way-another = Try another remedy
remedy-way-simple = Report the simple rule, too: { $name }
remedy-way-repeats = Repeat it { $n } times
remedy-way-repeats-help = So far it is tested on one random split. This tries { $n } more and shows how much figures differ. A report does so, too.
# $verdict: its chip; $answer: headline and more
remedy-line = { $name }: { $verdict }. { $headline }.

# The chapter of a report; $n: of test cases, or the number of a remedy
remedies-tried = Remedies tried
remedies-tested = All are tested on the same { $n } cases, which no model has learned from.
# $where: a filter in words
remedies-other-question = No question of this report is about this gap: between { $protected } and { $others }{ $among ->
    [some] , where { $where }
   *[all] , among all cases
}.
remedies-side-by-side = Side by side, on the test cases
remedies-rates = TPR, FPR: true and false positive rate.
# $n: of cases with an outcome
remedies-rates-few = Of a group with fewer than { $n } cases of an outcome, that rate is not compared.
# $positive: the outcome that is called positive
remedies-positive = Positive means: { $positive }.
remedies-frontier = Accuracy against the size of the gap. A filled point is a model that no other beats in both.
remedies-rates-chart = Each group without the remedy and with it.
remedy-within-order = Gaps: { $protected } minus { $others }.
remedies-does = What it does.
remedies-done = How it was made.
remedies-doubt = What to doubt
remedies-doubt-more = More to doubt
remedies-wish = No group was to be worse off than without it.
# $n: cases of those to learn from
remedies-set-aside = { $n } of the cases to learn from were set aside to test the limit, and none was learned from.
remedies-some-set-aside = Some of the cases to learn from were set aside to test the limit, and none was learned from.
# $limit: on the gap, with its unit
remedies-searched-within = So that the limit holds for new people, it was searched within { $limit }. What is proven is about these.
remedies-files = Its numbers are in the files that begin with remedy_{ $n }_.
# $low, $high: the smallest and largest gap, or how far to either side; $side: on which the protected group is
remedies-repeats = With the remedy, over all repeats the protected group's share was { $low } to { $high } points { $side ->
    [lower] lower
   *[higher] higher
}.
remedies-repeats-both = Over all repeats the protected group's share was up to { $low } points lower, or { $high } higher, with the remedy.
remedies-repeats-without = Without it, it was { $low } to { $high } points { $side ->
    [lower] lower
   *[higher] higher
}.
remedies-repeats-without-both = Without it, it was up to { $low } points lower and up to { $high } higher.
remedies-repeats-accuracy = Accuracy with the remedy was { $low } to { $high }.
# $columns: that say who is in which group
remedies-shows-group = It may use { $columns }, which shows who is in which group. That may be unlawful.
remedies-read-tested = Figures are of test cases, which no model has learned from. Ranges do not allow for chance in learning.
remedies-read-past = Past decisions may have been wrong: what repeats them well is wrong, too.
remedies-read-befores = Rules and trees are compared with their own kind of model without the remedy, the others with another kind.
remedies-read-several = The one that looks best here will do somewhat less well with new people.

# What to doubt; $what: "model", "tree"; $groups: names of groups
doubt-not-settled = The { $what } did not settle, so its figures may still change. Fewer columns may help.
doubt-same-answer = The { $what } gives every test case the same answer. Where all are treated alike, there is no gap.
doubt-same-amount = The model predicts the same amount for everybody, so no gap is left.
doubt-unknown-groups = People of no known group are not learned from.
doubt-all-pass = Its threshold lets everyone pass: { $groups }.
doubt-none-passes = Its threshold lets no one pass: { $groups }.
# $n: fewer than so many
doubt-few-cases = Figures of groups with fewer than { $n } test cases say little: { $groups }.
doubt-few-outcomes = With fewer than { $n } cases of an outcome, rates are mostly chance: { $groups }.
# $rate: "false positive rate"; $first, $second: groups; $width: by how much chance moves the gap
doubt-chance = Chance alone moves the gap in the { $rate } between { $first } and { $second } by { $width }{ $quantity ->
    [share] { " " }points
   *[amount] { "" }
}, more than your limit allows.
# $k, $n: of repeats
doubt-repeats = On { $k } of { $n } repeats it could not be made: these are left out.
