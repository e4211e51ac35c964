# How large a gap must be to be seen with the rows there are.
# $n, $others_n: rows of both groups; $quantity: share, amount, or a number of standard deviations
detectable-size = { $quantity ->
    [share] { $size } { $size_count ->
        [one] point
       *[other] points
    }
    [amount] { $size }
   *[deviation] { $size } standard deviations
}
detectable-found = With { $n } and { $others_n } rows, a gap of { detectable-size } is found in { $power } of such checks.
detectable-nothing = With { $n } and { $others_n } rows, no gap can be seen.
detectable-needed = A gap as large as the tolerance takes about { $needed } and { $others_needed } rows.
detectable-enough = A gap as large as the tolerance is found at least as often.
detectable-weighted = Rows that weigh unequally take more than that.
detectable-clustered = Rows that depend on each other by { $column } take more than that.
detectable-before = With { $n } and { $others_n } rows, a gap of { detectable-size } or more will most likely show.
detectable-verdict = { $enough ->
    [yes] Enough rows for your limit
   *[no] Too few rows for your limit
}
detectable-headline = Gaps from { detectable-size } on can be seen with these rows
detectable-headline-nothing = No gap can be seen with these rows
detectable-title = What these rows let one see
detectable-axis = Smallest gap that can be seen
detectable-rows = Rows of both groups together
