# What many messages share: verdicts, and groups without a name.

verdict-clear-gap = Clear gap
verdict-no-gap-above-tolerance = No gap above your limit
verdict-gap-size-unclear = Gap, perhaps small
verdict-too-few-to-tell = Too few to tell
verdict-nothing-to-compare = Nothing to compare
verdict-not-shown = Not shown

# A remedy against the model without it, a period against another
verdict-gap-smaller = Gap smaller
verdict-gap-larger = Gap larger
verdict-gap-turned-around = Gap turned around
verdict-gap-changed = Gap changed
verdict-gap-unchanged = Gap unchanged
verdict-gap-may-not-have-changed = Gap may not have changed

# $n: of groups
verdict-groups-stand-out = { $n_count ->
    [one] One group stands out
   *[other] { $n } groups stand out
}
verdict-none-stands-out = None stands out
verdict-none-found = None found

# Of a gap that is watched
verdict-alarm = Alarm
verdict-no-alarm = No alarm

# Of a remedy; limits of remedies
verdict-one-answer = One answer for all
verdict-nearly-one-answer = One answer for nearly all
verdict-worse-than-simple-rule = Worse than a simple rule

# $similar: "at similar incomes"
verdict-gap-overall-none-within = Gap overall, none { $similar }
verdict-turns-around-within = Turns around { $similar }
verdict-gap-only-within = Clear gap { $similar }
verdict-gap-perhaps-small-within = Gap, perhaps small, { $similar }

# The same of a row of a chart or table
reading-clear-gap = { verdict-clear-gap }
reading-no-gap-above-tolerance = { verdict-no-gap-above-tolerance }
reading-gap-size-unclear = { verdict-gap-size-unclear }
reading-too-few-to-tell = { verdict-too-few-to-tell }
reading-nothing-to-compare = { verdict-nothing-to-compare }
reading-not-shown = { verdict-not-shown }

group-alone = { $group }

# A limit on the gap, of one remedy or of several
verdict-limit-met = Limit met for certain
verdict-limit-met-in-test = Limit met in the test, not for certain
verdict-limit-not-met = Limit not met
reading-limit-met = met for certain
reading-limit-met-in-test = met, not for certain
reading-limit-not-met = not met
reading-one-answer = one answer for all
reading-nearly-one-answer = one answer for nearly all
reading-worse-than-simple-rule = a simple rule does better

# $groups: the first of many names; $n: of those that are not named
names-first = { $groups }{ $n_count ->
    [0] { "" }
   *[other] { " " }and { $n } more
}
