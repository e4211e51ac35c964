# Retraining on changed decisions.

remedy-name-relabel = Retrain on changed decisions
remedy-phrase-relabel = retraining on changed decisions
remedy-short-relabel = A model learns from past decisions that were changed until its own gap is closed.
retrain-question = What if a model learned from decisions without the gap? Some past decisions are changed, and a new model learns from them.
retrain-not-for = Not where the gap is justified, or where the decision is what truly happened.
retrain-nothing = Nothing has been tried yet.
retrain-unseen = The models do not see who is protected, so a new one can hardly follow decisions that are changed once.
# What can be reached, before anything is tried; $limit: in points, $with, $without: shares of decisions that are matched
retrain-reach = Within your { $limit } points, a simple model of these columns matches { $with } of past decisions, instead of { $without }.
retrain-reach-free = Within your { $limit } points, a simple model of these columns matches about as many past decisions.
retrain-reach-there = A simple model of these columns keeps within your { $limit } points already.
retrain-reach-none = These columns hardly tell who is protected. Within your { $limit } points, a simple model answers everybody alike.
retrain-pairs = Which two models are used can matter as much as what is changed.
# $n: pairs of models that were tried
retrain-pairs-tried = { $n } of { $all } pairs have been tried.
retrain-pairs-note = Shares and gaps are of the favourable result on test cases.
retrain-old-points = Single cases are drawn for the present settings only.
retrain-masked-points = Small counts are hidden, so single cases are not drawn.
retrain-no-points = A picture of the cases needs two columns of numbers to learn from.
# $n: drawn at most
retrain-points-note = Cases that the second model learned from, { $n } at most. They are in no report.

# How it was made; $risk, $final: kinds of models
retrain-made = A first model, { $risk }, learned from one half of the cases and scored the other half.
retrain-made-anew = Its decisions took the place of those there.
# $n: changed decisions, of how many
retrain-changed = { $n } of { $all } decisions about the protected group were changed there to { $way ->
    [lowered] no
   *[raised] yes
}.
retrain-changed-some = Some decisions about the protected group were changed there.
retrain-none-changed = No decision was changed there.
retrain-unchanged = The shares there were alike already, so no decision was changed.
# $n: changed decisions, of how many
retrain-changed-both = { $n } of { $all } decisions were changed there, about both groups.
# $gap: that of the new model on tuning cases, in points
retrain-searched = On tuning cases its own gap is then { $gap } points.
retrain-searched-once = Its own gap on tuning cases is { $gap } points, so no more was changed.
retrain-no-more = However far decisions were changed, a gap of { $gap } points is left on tuning cases.
retrain-search-few = Too few tuning cases of a group to search, so shares were made alike once.
retrain-extents-note = On tuning cases. 0%: shares are alike. 100%: one group has all favourable decisions.
retrain-chart-extents = Gap of the new model by how far decisions are changed, on tuning cases
retrain-chart-extent = With { $extent } of the change the new model has a gap of { $gap } points and an accuracy of { $accuracy }.
retrain-places-note = On test cases. Decisions are changed inside the filter alone.
# $who: whom models learn from, where there is a filter
retrain-learns = { $who ->
    [everyone] Like the published method, it learns from everyone, and changes decisions inside the filter alone
   *[population] The published method learns from everyone; this one only from the people of the filter
}.
retrain-no-search = No search was made.
retrain-final = A second model, { $final }, learned from that half.
retrain-counted = Counted are { $n } of { $all } cases of that half: those of both groups.
retrain-caution = The groups are alike in the changed decisions. For new people the model need not keep to that.
retrain-caution-further = More was changed than the gap in past decisions. For new people the gap may be another.
retrain-term = Retraining, changed decisions
retrain-term-means = Decisions are changed before a model learns from them, so that both groups have the favourable result more alike. Known as relabelling.

# What makes it doubtful
# $n: the fewest that say something
retrain-few = Fewer than { $n } cases of a group could be changed, so its share is uncertain.
retrain-tied = Many cases have the same score, so decisions could not be made fully alike.
retrain-lowered = The protected group had the favourable result more often. Some of it was taken away.
retrain-other-model = The model without the remedy is of another kind, which may be part of the change.
retrain-linear = A logistic regression can hardly follow changed decisions; a neural network can.

# $x, $y: columns of numbers; $n: of changed decisions
retrain-chart = Cases by { $x } and { $y }, with their decision. { $n } were changed.
