# A decision tree: how it was made, how good it can be, what to doubt, and what its drawing and its charts say.
# $n, $depth: counts; $own, $rest: shares; $columns, $question, $path, $leaf: of the data, as they are

remedy-name-trees = A decision tree
remedy-phrase-trees = a decision tree
remedy-short-trees = A tree of questions that people can follow.
trees-question = Can a few yes-or-no questions predict as well, with the groups kept alike?
trees-not-for = { learn-no-score }

tree-made = On the training cases, { $way ->
    [grown] a tree was grown question by question
    [program] the best tree was searched for by integer programming
    [some] many trees were compared
   *[all] all trees were compared
}, with at most { $depth } { $depth_count ->
    [one] question
   *[other] questions
} a person.
tree-made-keeps = It had to leave no group worse off than without the remedy on the training cases.
tree-solved = { $method ->
    [scip] SCIP, a solver of integer programs, found the tree.
    [published] SCIP found the tree in the integer program as first published.
    [look-ahead] The tree was grown without a solver of integer programs.
   *[search] Our own search found the tree, without a solver of integer programs.
}
tree-confirmed = { $confirmed ->
    [yes] SCIP confirms its limits and errors in the integer program as first published.
    [no] SCIP does not confirm its limits and errors in the integer program as first published.
   *[too-large] The integer program as first published is too large to check it there.
}
tree-best-proven = It is proven that no other tree of this size, within what was asked, does better there.
tree-best-infeasible = It is proven that no tree of this size keeps to what was asked: this one does not.
# $above: how far, as a share of the best possible
tree-best-within = It is at most { $above } above the best possible tree of this size.
tree-best-open = How far it is from the best possible tree is not known.

tree-similar = { $own } of test cases are treated as similar people of all groups are, against { $rest } without the remedy.
tree-similar-none = No test case is similar to people of another group.

tree-caution-work = The search ended with the work allowed: with more work it may find a better tree.
tree-caution-one-leaf = The tree asks nothing: within what was asked, no question made it better.
tree-caution-not-kept = No tree was found that keeps to the limit on the training cases.
tree-caution-few = { $n } { $n_count ->
    [one] answer was
   *[other] answers were
} learned from fewer than { $few } people, and may be chance.
tree-caution-against = { $n } { $n_count ->
    [one] answer is
   *[other] answers are
} wrong for most of { $n_count ->
    [one] its
   *[other] their
} own training cases. Can you justify that to them?
tree-caution-unseen = Test cases have values in { $columns } that the tree has never seen.
tree-caution-not-weighed = No weighted columns were found that do better than one amount.
tree-caution-settings = Not all other settings were tried: that was stopped.
tree-caution-reveals = { $n } { $n_count ->
    [one] question uses
   *[other] questions use
} columns that reveal the group.
tree-caution-close = The tree asks for columns that nearly reveal the group, and can stand in for it: { $columns }.
# $node: its number; $size: by how much
tree-caution-moved = Answer { $node } gives people { $size } { $direction ->
    [less] less
   *[more] more
} than they have on average, which brings the groups closer.

# What a search says of itself
tree-note-revealing = The tree was made without { $columns }, which reveal the group.
tree-note-rare = Rare values of { $column } are taken together.
tree-note-untried = Not every question about { $columns } was tried, so a better one may be left out.
tree-note-part = Trees were looked for among the { $n } most promising combinations of questions.
tree-note-one-group = There is only one group, so nothing can be alike.
tree-note-lacking = { $n } of { $all } groups have nobody { $outcome ->
    [with] with
   *[without] without
} the outcome, so they are not compared in that.
tree-note-chance = The limit would hold on about { $share } of new tables of { $n } cases.
tree-note-not-weighed = Columns with missing values are not weighed.

tree-caution-components = The tree asks for columns as they are, not for principal components.

# What a tree is called; $n: a count; $limit, $margin, $weight, $bound, $seconds: figures of the settings
tree-name = A decision tree{ $way ->
    [grown] { " " }grown question by question
   *[all] { "" }
} ({ $settings })
tree-name-depth = depth up to { $n }
tree-name-positive = positive predictions alike
tree-name-four-fifths = the 80 % rule
tree-name-missed = false negative rates alike
tree-name-errors = both error rates alike
tree-name-within = { $what } within { $limit }
tree-name-loss = { $what } as far as { $limit } of accuracy can buy
tree-name-margin = a margin of { $margin }
tree-name-means = mean amounts alike
tree-name-means-within = mean amounts within { $limit }
tree-name-weighed = weighted columns in leaves
tree-name-weight = weight { $weight }
tree-name-weight-chosen = weight chosen by cross-validation
tree-name-index = { $index }{ $priced ->
    [yes] { " " }at weight { $weight }
   *[no] { "" }
}{ $bounded ->
    [yes] { " " }up to { $bound }
   *[no] { "" }
}
tree-name-sums = splits by several columns
tree-name-uses = each column asked for { $n_count ->
    [one] once
   *[other] up to { $n } times
}
tree-name-columns = up to { $n } { $n_count ->
    [one] column
   *[other] columns
}
tree-name-splits = up to { $n } splits to choose from
tree-name-solver = { $solver ->
    [search] searched without SCIP
    [scip] through SCIP
   *[published] through SCIP as first published
}
tree-name-leaf = leaves of { $n } rows or more
tree-name-near = { $n } near rows
tree-name-sensitive = also by columns that reveal the group
tree-name-prices = fifty weights tried
tree-name-ahead = looking { $n } ahead
tree-name-sample = splits by { $n } rows
tree-name-work = a search of about { $seconds } seconds' work
tree-objective = { $error } + { $price } times { $index }
tree-objective-share = share of wrong training cases
tree-objective-amount = mean absolute error of the training cases

# The drawing
tree-title = The tree: yes leads up, no leads down
tree-title-share = The tree: yes leads up, no leads down; shares: { $outcome }
tree-title-nothing = The tree asks nothing
tree-title-part = The first { $n } questions of the tree: yes leads up, no leads down
tree-alt = A decision tree with { $n } { $n_count ->
    [one] answer
   *[other] answers
}.
tree-alt-more = more questions follow
tree-alt-end = { CAP($path) }: { $leaf }.
tree-alt-end-rows = { CAP($path) }: { $leaf }, for { $rows }.
tree-cases = { $n } { $n_count ->
    [one] case
   *[other] cases
}
tree-cases-share = { tree-cases }, { $share }
tree-cases-mean = { tree-cases }, mean { $mean }
tree-about = about { $amount }: { $weighed }
tree-group-share = { $group } { $share } of { $n }
tree-group-mean = { $group } mean { $mean } of { $n }
tree-predicts = predicts { $leaf }
tree-asks = asks whether { $question }

# The tree as text
tree-line = { $side ->
    [yes] then { "" }
    [no] otherwise { "" }
   *[root] { "" }
}{ $kind ->
    [ask] if { $words }
   *[leaf] predict { $words }
}
tree-not-shown = The questions are not shown, as small counts are hidden.
tree-missing = A missing or new value leads to “otherwise”.
tree-kept = { $within } of { $n } pairs of groups are within the limit on the test cases.

# A node
tree-node-ask = Asked next: { $question }? Yes leads to { $yes }, no to { $no }.
tree-node-leaf = Predicted: { $leaf }, learned from { $cases }.
tree-node-right = That is right for { $right } of the { $n } test cases that come here.
tree-node-off = For the { $n } test cases that come here it is { $off } off on average.
tree-node-nobody = No test case comes here.
tree-node-against = Most of its own training cases have the other outcome.
tree-node-who = Who comes here: { $path }.
tree-node-reveals = This question reveals the group.
tree-node-close = This question nearly reveals the group, through { $columns }.
tree-choice-ask = { $node }: { $question }?
tree-choice-leaf = { $node }: predicts { $leaf }
tree-drawn = { $n } questions of the tree are not drawn.

tree-old = This tree was found with other settings.

# A made-up person
tree-person = Fill in what the tree asks for. Empty means not known.
tree-person-nothing = The tree asks nothing: everybody gets the same answer.
tree-person-old = Find the tree again to try a made-up person: the settings have changed.
tree-person-predicted = Predicted: { $leaf }
tree-person-amount = Predicted: { $leaf } { $what }
tree-person-step = { $step }: on to { $node }
tree-person-range = { $low } to { $high } among training cases

# Charts: how the search closed in, other settings, depth, similar people
tree-bounds-title = How the search closed in on the best tree
tree-bounds-alt = The best tree has { $objective }; { $bound } is proven to be the least possible.
tree-bounds-note = No tree of this size can come below the proven bound.
tree-settings-title = What other settings give, on the tuning cases
tree-option = { $setting }: { $quality }, { $distance }
tree-option-this = { $setting }: { $quality }, { $distance } (this tree)
tree-setting-asked = as asked
tree-setting-free = without limit
tree-setting-depth = at most { $n } { $n_count ->
    [one] question
   *[other] questions
}
tree-setting-limit = limit of { $limit }
tree-setting-index = index up to { $limit }
tree-setting-price = price { $price }
tree-quality-share = { $quality } right
tree-quality-amount = off by { $quality }
tree-distance-points = { $distance } points apart
tree-distance-amount = { $distance } apart
tree-distance-ratio = ratio { $distance }
tree-distance-index = index { $distance }
tree-depths-errors = Wrong answers, by the number of questions
tree-depths-off = How far amounts are missed, by the number of questions
tree-depths-priced = Errors and the price of discrimination, by the number of questions
tree-depths-alt = { $n }: { $own } ({ $own_name }), { $rest } ({ $rest_name }).
tree-line-best = best tree found
tree-line-bound = proven bound
tree-line-training = training cases
tree-line-tuning = tuning cases
tree-similar-title = How far similar people of the own group differ from all similar people
tree-alike-within = Treated alike: at most { $within } apart.
tree-row-with = This tree
tree-bin = { $low } to { $high }
tree-bin-none = none
tree-bin-within = at most { $high }
tree-kind-limit = another limit
tree-kind-weight = another price
tree-kind-depth = another depth
tree-settings-note = Each is a search of its own, with a share of the work.
tree-axis-work = Share of the work allowed
tree-axis-objective = What is made small
tree-axis-depth = Questions at most
tree-axis-right = Right, tuning cases
tree-axis-off = Off on average, tuning cases
tree-axis-points = Largest gap in points, tuning cases
tree-axis-amount = Largest gap, tuning cases
tree-axis-ratio = Smallest share over the largest, tuning cases
tree-axis-index = Index of discrimination, tuning cases
tree-axis-similar = Share of test cases

# While it is searched for
tree-search-none = none yet
tree-search-priced = with its price
tree-search-wrong = wrong training cases
tree-search-off = off on average, training cases
tree-search-proven = proven so far
tree-search-weights = of gaps between groups
tree-search-far = more than twice the bound
tree-search-near = above the best possible, at most
tree-drawing-note = Thicker lines: more training cases. Click a box to see who comes there.
tree-take = Puts it in the settings. Then find the tree with all the work allowed.

# The form
tree-form-deep = With this many questions the search mostly uses all of its work, and keeps the best tree so far.
tree-form-now = In the training cases themselves the gap is { $gap }.
tree-form-none-allowed = With no gap allowed, often only one amount for everybody is left.

# Remedies of amounts
# $protected, $others, $verb, $what: as in a check; $own, $rest: means
amount-errors-none = No group is predicted too much or too little on average, beyond chance.
amount-errors-off = { CAP($group) }: predicted { $size } too { $direction ->
    [less] little
   *[more] much
} on average, beyond chance.
amount-note = { CAP($name) }.
amount-note-r2 = R² is { $own } with the remedy, { $rest } without it. Without it: { $name }.
amount-errors-row = { $group }: { $own } with the remedy, { $rest } without it.
tree-search-again = Again, as the tuning cases ask for more ({ $n } of { $most })
