# The remedies of an audit side by side.
# $protected, $others, $verb, $what, $quantity, $direction, $limit: as in a check
# $n: of remedies; $k: of them within the limit; $remedy: as a noun phrase, "training to your limits"

# What remedies are called, by themselves and within a sentence.
remedy-name-past = Past decisions
remedy-name-happened = What happened
remedy-name-none = Model without the remedy
# $model: its kind, where several are compared
remedy-name-none-of = model without the remedy, { $model }
# $confidence: with which its limit is to hold on people whom nothing was learned from
remedy-name-for-new-people = { $name }, { $confidence } sure for new people
remedy-name-own = { CAP($name) }
# $n: its number in tables and files, where several of its kind were tried
remedy-numbered = { $n }. { $name }
remedy-phrase-numbered = remedy { $n }, { $name },

compare-number-word = { $k_count ->
    [1] One
    [2] Two
    [3] Three
    [4] Four
    [5] Five
    [6] Six
    [7] Seven
    [8] Eight
    [9] Nine
   *[other] { $k }
}
compare-number-of = { $n_count ->
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
   *[other] { $n }
}

# $allowed: whether the person set the limit, or it is proposed
compare-limit = { $quantity ->
    [share] { check-limit }
   *[amount] { $allowed ->
        [proposed] the proposed
       *[set] your
    } { check-limit }
}
# $part: all remedies, those that are shown, or those that somebody could take; $limits: their own, or that on the gap
compare-the-remedy = { $part ->
    [usable] The only usable remedy
    [shown] The only remedy shown
   *[all] The remedy
}
compare-remedies = { $part ->
    [usable] usable remedies
    [shown] remedies shown
   *[all] remedies
}
compare-meets = { $limits ->
    [own] meets its limits
   *[gap] leaves a gap under { compare-limit }
}
compare-meet = { $limits ->
    [own] meet their limits
   *[gap] leave a gap under { compare-limit }
}
compare-some-meet = { compare-number-word } of { compare-number-of } { compare-remedies } { $k_count ->
    [one] { compare-meets }
   *[other] { compare-meet }
}
# $sure: of those, for certain
compare-number-sure = { $sure_count ->
    [1] one
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
   *[other] { $sure }
}
compare-headline-met = { $n_count ->
    [1] { compare-the-remedy } { compare-meets }
   *[other] { compare-some-meet }
}
compare-headline-met-some = { compare-some-meet }, { compare-number-sure } for certain
compare-headline-in-test = { $n_count ->
    [1] { compare-the-remedy } { compare-meets }, but not for certain
   *[other] { compare-some-meet }, none for certain
}
compare-headline-not-met = { $n_count ->
    [1] { compare-the-remedy } { $limits ->
        [own] does not meet its limits
       *[gap] leaves a gap above { compare-limit }
    }
    [2] Neither of the two { compare-remedies } { compare-meets }
   *[other] None of { compare-number-of } { compare-remedies } { compare-meets }
}
compare-each = { $n_count ->
    [1] { compare-the-remedy }
   *[other] Each of { compare-number-of } { compare-remedies }
}
compare-headline-one-answer = { compare-each } gives everybody the same answer
compare-headline-nearly-one-answer = { compare-each } gives nearly everybody the same answer
compare-headline-simple-rule = { compare-each } does worse than a simple rule
compare-headline-none-usable = { compare-each } gives one answer or does worse than a simple rule
compare-headline-no-remedy = No remedy is tried here, only models without one
compare-headline-not-shown = This comparison would show numbers that are too small to publish

# $size: the gap it leaves; $past: the gap of past decisions
# $of: whether another one, which nobody should take, leaves a smaller gap
compare-leaves = { CAP($remedy) } leaves the smallest { $of ->
    [usable] usable gap
    [met] gap within its limit
   *[all] gap
}
# $turned: on the other side than the gap of past decisions
compare-turned = { $turned ->
    [yes] { " " }the other way round
   *[no] { "" }
}
compare-lead-smallest = { compare-leaves }: { check-size }{ compare-turned }, against { $past } in { remedy-past }.
compare-lead-smallest-alone = { compare-leaves }: { check-size }.
compare-lead-gains-nothing = { compare-leaves }: { check-size }{ compare-turned }, { $about ->
    [outcome] larger
   *[decision] no smaller
} than { $past } in { remedy-past }.
# $given, $before: shares or means of all people
compare-lead-given = { $quantity ->
    [share] With it { $given } { $would }, against { $before } in the past.
   *[amount] With it the average is { $given }, against { $before } in the data.
}
compare-lead-unchanged = For each test case it says the same as the model without it.
# $made: what it is compared with: rules or a tree that are searched for in the same way, or the model as it is
compare-without = { $made ->
    [rules] the model without the remedy, also rules
    [trees] the model without the remedy, also a tree
   *[model] the model without the remedy
}
# $right, $without: of test cases
compare-lead-matches = It matches { $right } of past decisions; { compare-without }, { $without }.
compare-lead-accuracy = It is right for { $right } of test cases; { compare-without }, { $without }.
compare-lead-error = It is off by { $right } on average; { compare-without }, { $without }.

compare-caution-group = { CAP($remedy) } decides by group, which may be unlawful.
# $tried: how many remedies there are
compare-caution-turns = { CAP($similar) } the gap points the other way with { $n } of { $tried_count ->
    [1] { $tried } remedy
   *[other] { $tried } remedies
}.
compare-caution-hidden = { $n_count ->
    [1] One more is not shown: its numbers
   *[other] { $n } more are not shown: their numbers
} are too small to publish.
# $why: what keeps it from being usable; $rule: a simple rule that does better
compare-caution-beside = { CAP($remedy) } is not usable: { $why ->
    [simple] { $rule } does better
   *[answer] nearly everybody gets one answer
}.
compare-caution-beside-more = { $n } more are not usable: a simple rule does better, or nearly everybody gets one answer.

# The picture; $level: "95%"
compare-chart-share = Gap in the share of { $protected } and { $others } who { $verb }, with { $level } range
compare-chart-amount = Gap in average { $what } between { $protected } and { $others }, with { $level } range
compare-chart-band = { $quantity ->
    [share] within { $allowed ->
        [proposed] { "" }
       *[set] your{ " " }
    }{ check-limit }
   *[amount] within { compare-limit }
}
compare-chart-worse = ← { $protected } { $verb } { check-less-or-more }
compare-chart-better = { $protected } { $verb } { check-less-or-more } →
compare-chart-equal = equal
compare-column-given = { $quantity ->
    [share] { $verb } in all
   *[amount] average of all
}
compare-column-predicted = predicted in all
compare-column-matches = matches past decisions
compare-column-accuracy = accuracy
compare-column-error = off by, on average
# $what: a column; $figure: what a row has in it
compare-column-figure = { CAP($what) }: { $figure }
# $reading: whether it is met
compare-row-own = own limit { $reading }
compare-row-group = decides by group: may be unlawful
# $name: what decides; $size: its gap
compare-chart-row = { CAP($name) }: { check-size } { check-less-or-more }.
compare-chart-row-reading = { CAP($name) }: { check-size } { check-less-or-more }, { $reading }.
# $mark: what it is marked as
compare-chart-row-marked = { CAP($name) }, { $mark }: { check-size } { check-less-or-more }, { $reading }.

# The page
compare-context = { $n_count ->
    [one] Tested on the same person
   *[other] All tested on the same { $n } people
} · { $groups } · { $cases }
compare-question = Which remedy meets your limit, and what does it cost?
compare-more = More: exact figures, accuracy against gap, settings
compare-more-figures = Exact figures
compare-more-trade = Accuracy against gap
compare-more-report = What goes into the report
compare-more-kept = More: the remedies of this audit, what they learn from
compare-more-settings = Settings
compare-more-computed = How this is computed
compare-computed-limit = A limit is met for certain where every gap that fits the test cases is within it. It is met in the test where the measured gap is.
compare-computed-certified = For new people, it is met for certain where the test meets it and cases set aside show it.
compare-computed-own = A remedy that states limits goes by these, any other by the size of gap that you allow.
compare-computed-picked = All remedies are judged on the same test cases. The one picked because it looks best will do somewhat less well with new people.
compare-computed-beaten = A filled point is a model that no other beats in both figures. One answer for everybody is never filled: it is no proposal.
compare-trade-none = No model has both figures. Choose others, or groups with more cases.
# $n: remedies that are kept and not made
compare-make = { $n_count ->
    [one] Make the remedy
   *[other] Make { $n } remedies
}
compare-none-made = Nothing is made yet from these rows. Try a remedy first.
compare-being-made = It is being made, and comes into the comparison then.
compare-not-made = Not made yet with these data, so it is not compared.
compare-out-of-date = Out of date, so it is not compared: settings have changed.
compare-in-use-missing = The prediction in use is not listed: some test cases have none.
compare-in-use = The prediction in use may have been made from these very rows, which flatters it.
# $name: of a simple rule; $share: whom it gives the favourable result
compare-simple-at = { $name } ({ $threshold }: { $share } yes)
