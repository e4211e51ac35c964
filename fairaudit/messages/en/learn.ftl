# What models learn from; $panel, $button: what the page calls them
learn-first = First choose which columns models may use, and press “{ $button }”.
learn-choose-first = Choose at least one column to learn from.
learn-not-in-use = Your changes are not in use yet: press “{ $button }” under “{ $panel }”.
# $whose: who is protected; $where: a filter in words
learn-other-question = The question has changed: models are still judged by the gap of { $whose }, among { $among ->
    [some] cases where { $where }
   *[all] all cases
}. Press “{ $button }” under “{ $panel }”.
learn-outdates = With other settings, what was made before is out of date.
learn-later = Take out what came after the decision.
# $columns: names, with reasons
learn-not-proposed = Not proposed: { $columns }.
learn-shows-group = { CAP($columns) } shows who is protected. In many places a model may not see that.
# $n, $all, $test: of cases
learn-known = Of the { $all } training cases, it learns from the { $n } whose group is known.
learn-sizes = It learns from { $n } cases and is tested on { $test } others.
learn-drawn = Of { $n } rows, those that are drawn leave the database for this session. Only remedies use them.
# $n: of remedies
learn-kept = { $n_count ->
    [one] One remedy is kept and not made yet
   *[other] { $n } remedies are kept and not made yet
} with these data and settings.
learn-begun-before = Begun with other settings: its result will be out of date.
learn-no-score = Not where a score must be a probability.
learn-no-settings = No other setting was tried.
learn-out-of-date = Out of date: settings have changed since. Make it again.

# A limit that rules, trees and models are searched within; $groups, $columns: their names
limits-margin = The margin is larger than your limit: lower it.
limits-none-allowed = With no gap allowed, often only one answer for everybody is left.
# $confidence: with which a limit is to hold on people whom nothing was learned from
limits-confidence = Hold the limit on new people, with { $confidence } confidence
# $outcome: what is called positive
limits-outcome = The outcome: { $outcome }.
# $rate: of people or of predictions; $positive: which result the audit calls so
limits-alike-rate = { $rate ->
    [selected] share predicted to have it
    [ratio] share, by the 80 % rule
    [missed] { $positive ->
        [favorable] wrongly refused
       *[unfavorable] wrongly missed
    }
    [flagged] { $positive ->
        [favorable] wrongly granted
       *[unfavorable] wrongly flagged
    }
    [both] { $positive ->
        [favorable] wrongly refused and granted
       *[unfavorable] wrongly missed and flagged
    }
    [wrong] wrong predictions
    [mean] average predicted amounts
   *[nothing] nothing
}
limits-alike-gap = Gap, { $rate }
limits-groups = Compared: { names-first }.
limits-left-out = Left out, as they show the group: { $columns }.
learn-positive-saved = The models of this saved audit call { $what } positive.
