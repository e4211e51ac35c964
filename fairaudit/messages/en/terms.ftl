# Words of tables and annexes, and what each means.
# $limit: the tolerance; $level: of a range, "95 %"; $inner: of the range of two one-sided tests, "90 %"

term-favourable = Favourable result
term-favourable-means = The decision that is good for the person, as the audit names it.
term-gap = Gap
term-gap-means = The share of the protected group minus that of everyone else, in percentage points.
term-ratio = Impact ratio
term-ratio-means = The share of the protected group divided by that of everyone else.
term-tolerance = Tolerance
term-tolerance-means = The largest gap that still counts as equal treatment, here { $limit }.
term-tolerance-amount = Tolerance
term-tolerance-amount-means = The largest difference that still counts as equal treatment. Where the audit names none, it is { $limit } of the standard deviation.
term-range = Likely range
term-range-means = In the long run, { $level } of such ranges hold the true value. Wilson's interval for a share, Newcombe's for a gap.
term-range-amount = Likely range
term-range-amount-means = In the long run, { $level } of such ranges hold the true value. Student's t for a mean, Welch's for a difference.
term-verdict = Verdicts
term-verdict-means = Clear gap: the whole range is beyond the tolerance. No gap above your limit: the { $inner } range is within it. Gap, perhaps small: the range leaves out zero.
term-p = p-value
term-p-means = How often chance alone makes a gap this large. Pooled z test, or Fisher's exact test where cases are few; adjusted by Holm's method.
term-p-amount = p-value
term-p-amount-means = How often chance alone makes a difference this large. Welch's t test; adjusted by Holm's method.
term-strata = Strata
term-strata-means = Cases that are alike in the named columns. Their common odds ratio is that of Mantel and Haenszel, its test the CMH test.
term-strata-amount = Strata
term-strata-amount-means = Cases that are alike in the named columns. The common difference is sum(w d) / sum(w), with w = n1 n0 / (n1 + n0).
term-mean = Mean
term-mean-means = The amounts of a group added up, divided by its rows with an amount.
term-quartiles = Median, quartiles
term-quartiles-means = Half of a group's amounts are at or below its median, a quarter at or below its lower quartile.
term-difference = Difference
term-difference-means = The mean of the protected group minus that of everyone else.
term-standardised = Standardised difference
term-standardised-means = The difference divided by the standard deviation within both groups.
term-didi = DIDI
term-didi-means = Disparate impact: how far the groups' means are from the mean of all, added up.
term-dtdi = DTDI
term-dtdi-means = Disparate treatment: the same among similar people. Chance is found by dealing their amounts out anew.

term-counts = TP, FP, TN, FN
term-counts-means = True and false positives, true and false negatives.
term-rates = False positive rate, false negative rate
term-rates-means = FP / (FP + TN), and FN / (FN + TP).
term-discoveries = Wrong, of people flagged; wrong, of people not flagged
term-discoveries-means = FP / (FP + TP), the false discovery rate, and FN / (FN + TN), the false omission rate.
term-auc = AUC
term-auc-means = How often the score ranks a positive case before a negative one. 0.5 is chance, 1 is perfect.
term-calibration = Calibration
term-calibration-means = Whether the same score means the same share of positives in each group.

term-split = Training, tuning and test cases
term-split-means = Drawn at random: 60% to learn from, 20% to choose settings on, 20% to judge on.
term-accuracy = Accuracy, balanced accuracy
term-accuracy-means = How often the model agrees with the decision; the same on average over both decisions.
term-indices = DIDI, DTDI
term-indices-means = How far the groups' shares are from that of all, added up; the same among similar people. 0 is none.
term-similar = Similar people
term-similar-means = The nearest cases in all features that do not reveal the group. Numbers count in units of their spread.
term-change = Range of a change
term-change-means = The changes that fit the same test cases, judged before and after. One that includes 0 may be chance.
term-error = Mean absolute error
term-error-means = How far predictions are from the amounts on average.
term-r2 = R²
term-r2-means = How much of the spread is predicted: 1 is all, 0 no more than the mean of all.
term-bias = Mean error
term-bias-means = The mean of predicted minus actual. Below 0 the group is underestimated.
