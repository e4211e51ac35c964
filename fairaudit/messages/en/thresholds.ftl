# A threshold for each group.

remedy-name-thresholds = A threshold for each group
remedy-phrase-thresholds = a threshold for each group
remedy-short-thresholds = Each group gets its own threshold, so that errors are alike.
thresholds-question = From which score on should each group get a yes, so that errors fall alike on all? The gap in who gets a yes may stay.
thresholds-not-for = Leave it where the group is unknown or may not be used. Deciding by group is often unlawful: ask counsel first.
thresholds-nothing = Nothing has been tested yet.
thresholds-by-hand = Try thresholds by hand
# $n: tuning cases
thresholds-tried-on = All figures here are of { $n } tuning cases. Test cases stay unseen until you press “Test these thresholds”.
thresholds-other-score = All scores are the same, or too far apart. Choose another score.
thresholds-changed = These settings are not the ones that were tested: { $name }.
thresholds-hand-wish = Thresholds set by hand are tested as they are, even if a group is worse off.

# $score: from which on a column says something else; $above, $below: what it says
thresholds-in-use = From { $score } on, { $column } is { $above }; below it is { $below }.
thresholds-in-use-good = From { $score } on, { $column } is the favourable result.
thresholds-in-use-bad = From { $score } on, { $column } is not the favourable result.
thresholds-in-use-old = Earlier results are then out of date.

# $side: by hand, as first published or best; $points: how much is missing to the best
thresholds-best = These are the best thresholds at this weight.
thresholds-best-kept = These are the best thresholds at this weight that leave no group worse off.
thresholds-held-tested = To hold the limit on new people, other thresholds than these may be tested.
thresholds-near = These thresholds are as good as the best at this weight.
thresholds-short = These thresholds are { $points } short of the best: accuracy minus weighted gaps.
# $group: who; $cut: the score; $share: of its tuning cases
thresholds-from = { CAP($group) }: yes from { $cut } on, which is { $share } of them.
thresholds-to = { CAP($group) }: yes up to { $cut }, which is { $share } of them.
thresholds-nobody = { CAP($group) }: yes for nobody.
thresholds-everybody = { CAP($group) }: yes for everybody.
thresholds-was = { $was } with one for all
thresholds-other-groups = The other { $n } groups
thresholds-more-groups = { $n } more groups stand in the table.

# How it was made
thresholds-made = Each group has a threshold of its own on one score: { $score }.
thresholds-found = They were found on the tuning cases: accuracy minus the gaps in errors, at weight { $weight }, is largest there.
thresholds-found-held = They were found on the tuning cases, to keep the gaps in errors within your limit for new people.
thresholds-found-pso = They were found on the tuning cases by a particle swarm, a search by chance.
thresholds-chosen = A person chose them.
# $missing: points of what is made largest
thresholds-missing = On the tuning cases they are { $missing } points short of the best.
thresholds-chart-roc = Where the thresholds put each group, on tuning cases: crosses without the remedy, circles with it
thresholds-chart-roc-row = { CAP($group) }: threshold { $before } without the remedy, { $after } with it.
thresholds-chart-roc-positive = Positive means: { $meaning }.
thresholds-chart-weights = Accuracy and gaps in errors at other weights, on tuning cases
thresholds-chart-weights-row = At { $weight }: accuracy { $accuracy }, gaps { $gap } points.
thresholds-term = Threshold
thresholds-term-means = The score from which on the answer is yes; where a lower score is better, up to which.

# What makes a score doubtful
thresholds-unknown-groups = People of no known group are not tuned on and keep the old threshold.
thresholds-turned = Here a lower score is better, so the answer is yes up to a threshold.
thresholds-against = People with better scores have the favourable result less often. Check which way the score points.
thresholds-without-score = Cases without a score are not tuned on, and get a no.
thresholds-no-cut = No threshold in use is named. “Before” is the one that is right most often on the tuning cases.
