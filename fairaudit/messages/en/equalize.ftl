# One score for all groups.

remedy-name-equalize = One score for all groups
remedy-phrase-equalize = one score for all groups
remedy-short-equalize = One score and one threshold, so that errors are alike.
equalize-question = Can one score with one threshold treat the groups alike, without asking who is in which? It learns to be right and alike in all groups.
equalize-not-for = Not where the score must be a probability: it no longer is.
equalize-nothing = Nothing has been tried yet.
equalize-weight-all = At 1 only accuracy counts: a plain model.
equalize-weight-none = At 0 only alike scores count: a model that knows nothing is as good as any.
equalize-weight = A smaller weight gives smaller gaps and more errors.
equalize-no-weights = No other weight was tried.

# How it was made; $weight: of accuracy
equalize-made = A logistic model was fitted to be right and to spread its scores alike in all groups.
equalize-made-weight = Accuracy counted { $weight }, alike scores the other { $rest }.
equalize-caution = Such a score is no longer a probability.
equalize-nothing-found = The search found nothing better than its start. Try a larger weight of accuracy.
equalize-collapsed = The scores hardly differ between people, so gaps say little. Try a larger weight of accuracy.
equalize-term = One score for all groups
equalize-term-means = A score that is spread alike in all groups, with one threshold. Known as equalized distributions.

# The pictures
equalize-chart-spread = How the scores are spread in each group, without and with the remedy
equalize-chart-spread-row = { CAP($model) }, { $outcome }, { $group }: most from { $low } to { $high }.
equalize-chart-unknown = People of no known group are not drawn.
equalize-chart-weights = Accuracy and gaps in errors at other weights, on tuning cases
equalize-chart-weights-row = At { $weight }: accuracy { $accuracy }, gaps { $true } and { $false } points.

# A model without a remedy; $model: its kind; $threshold: from which score on it says yes
plain-made = A model without any remedy was fitted: { $model }.
plain-made-cut = It says yes from a score of { $threshold } on, for everybody.
