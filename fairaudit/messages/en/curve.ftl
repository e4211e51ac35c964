# The smallest gap for accuracy lost, of trees and rule sets
# $bound: what no gap is below; $model: tree or rules; $gap: of shares, or of errors
curve-headline = { $model ->
    [rules] No such list
   *[tree] No such tree
} brings { curve-what } under { $bound } { $bound_count ->
    [one] point
   *[other] points
} at this accuracy
curve-what = { $gap ->
    [errors] the gap in errors
   *[shares] the gap
}
# $lost: accuracy that may be lost; $best: the accuracy of the best model; $counts: an error once, or for each wrong rule
curve-lead = It may lose at most { $lost } { $lost_count ->
    [one] point
   *[other] points
} of accuracy on the training cases, { $counts ->
    [each] errors counted once for each wrong rule
   *[once] where the best { $model ->
        [rules] list
       *[tree] tree
    } is right for { $best }
}.
curve-open = How small the gap can be at this accuracy is not known.
curve-title = The smallest gap for accuracy lost, on the training cases
curve-alt-title = The smallest gap for accuracy lost, in points.
curve-alt = At most { $lost } lost: { $gap } found, none below { $bound }.
curve-found = smallest gap found
curve-bound = proven: none below
curve-points = { $size } points
curve-axis-lost = Accuracy lost, points
curve-axis-gap = Gap, points
curve-way = What you set
curve-way-limit = The largest gap
curve-way-loss = The accuracy to give up
curve-objective = largest gap between groups on the training cases
curve-search = gap on the training cases
