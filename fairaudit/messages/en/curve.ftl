# The smallest gap for accuracy lost, of trees and rule sets
# $bound: what no gap is below; $model: tree or rules; $gap: of shares, or of errors; $pool: of the rules considered alone
curve-headline = { $model ->
    [rules] { $pool ->
        [yes] No list of the rules considered
       *[no] No such list of rules
    }
   *[tree] { $gap ->
        [errors] No such tree
       *[shares] No tree of this size
    }
} brings { curve-what } under { $bound } { $bound_count ->
    [one] point
   *[other] points
} at this accuracy
curve-what = { $gap ->
    [errors] the gap in errors
   *[shares] the gap
}
# $lost: accuracy that may be lost; $best: the accuracy of the best model
curve-lead = It may lose at most { $lost } { $lost_count ->
    [one] point
   *[other] points
} of accuracy on the training cases, where the best { $model ->
    [rules] list
   *[tree] tree
} is right for { $best }.
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
