# Searches and inspections: was one group searched on weaker grounds than another.
# $lower, $higher: the two groups compared, as plurals, the first with the lower threshold or fewer finds
# $verb: said of several people who were searched: "were searched"; $share, $rest: what both have
# $group, $reference: the same two as they stand in the tables; $groups: two or many

question-name-inspections = Searches and inspections
searches-headline-weaker = { CAP($lower) } { $verb } on weaker grounds than { $higher }
searches-headline-weaker-perhaps = { CAP($lower) } { $verb } on weaker grounds than { $higher }, perhaps only slightly
searches-headline-same = { $groups ->
    [two] { CAP($group) } { $verb } on about the same grounds as { $reference }
   *[many] People of all groups { $verb } on about the same grounds
}
searches-headline-grounds-open = There are too few cases to tell whether grounds differed
searches-headline-finds = Of { $lower } who { $verb }, fewer had a find than of { $higher }
searches-headline-finds-perhaps = Of { $lower } who { $verb }, fewer had a find than of { $higher }, perhaps only slightly
searches-headline-finds-same = { $groups ->
    [two] Finds were about as frequent for { $group } as for { $reference }
   *[many] Finds were about equally frequent in all groups
}
searches-headline-finds-open = There are too few cases to tell whether finds differed
searches-headline-both = The gap in finds goes both ways { $similar }
searches-headline-only = Of { $lower_inside } who { $verb }, fewer had a find { $similar }
searches-headline-nothing = There is nothing to compare between the groups

searches-lead-grounds = A find had to seem { $share } likely for { $lower }, but { $rest } for { $higher }.
searches-lead-hidden = What was found, in { $share } and { $rest } of cases, hides this.
searches-lead-finds = Something was found in { $share } of { $lower } who { $verb }, and in { $rest } of { $higher }.
searches-lead-suggests = That suggests weaker grounds, as far as finds alone can tell.
searches-lead-disagree = How many { $verb } differs clearly.
searches-lead-gone = { CAP($similar) } there is no gap above the tolerance.
# $side: less or more, of the group; $size: of the gap there
searches-lead-only = { CAP($similar) } finds were { $side ->
    [less] less
   *[more] more
} frequent for { $group } than for { $reference }, by about { $size } { $size_count ->
    [one] point
   *[other] points
}.
searches-lead-turned = { CAP($similar) } it is the other way around.
# $low, $high: ends of what fits; $both: whether no difference fits
searches-sure-open-grounds = { $both ->
    [yes] The data fit a threshold from { $low } points lower to { $high } points higher.
   *[no] The data fit a threshold { $low } to { $high } points { $direction ->
        [less] lower
       *[more] higher
    }, and also none.
}
searches-sure-open-finds = { $both ->
    [yes] The data fit anything from { $low } points less often to { $high } points more often.
   *[no] The data fit { $low } to { $high } points { $direction ->
        [less] less
       *[more] more
    } often, and also no gap.
}

searches-caution-model = This is the estimate of a model. It shows no motive.
searches-caution-finds = Finds alone do not show the grounds.
searches-caution-unfit = The model of grounds does not fit these data, so only finds are compared.
searches-caution-rough = The model of grounds did not settle, so only finds are compared.
searches-caution-many = Readings allow for all { $n } comparisons.
searches-not-shown-few = It divides people by more than other tables count, so few finds could be worked out.
searches-not-shown-leave = See them on their page, and leave this question out of a report that is published.

# The picture
searches-chart-thresholds = How likely a find had to seem, with { $level } range
searches-chart-finds = Share with a find, of those who { $verb }, with { $level } range
searches-chart-weaker = ← weaker grounds were enough
searches-chart-looked = looked at
searches-chart-found = found
searches-chart-against = against { $reference }
searches-chart-reference = what others are compared with
# $level: of the group; $looked: share looked at, empty where unknown; $found: share found
searches-chart-row = { CAP($group) }: { $level } ({ $low } to { $high }), found { $found }, { $reading }.

searches-chart-places = How likely a find had to seem, in each place
searches-chart-places-note = Large points: all places together, with { $level } range. Small points: one for each place, larger with more cases.
searches-places-row = { CAP($group) }: { $level } ({ $low } to { $high }).
searches-chart-fit = Rates by the model against those observed
searches-chart-fit-text = Rates by the model against those observed, by group and place.
searches-chart-fit-note = One point for each group and place, larger with more cases. On the line, both are the same.
searches-chart-light = Share among stops, by the half hour
searches-chart-light-text = Shares among stops by the half hour, in light and in darkness.
searches-chart-light-note = One point for each half hour, larger with more stops of the group.

# Under More
searches-more-hours = By hour and place
searches-title = Searches and inspections
searches-line = Searches and inspections: { $verdict }. { $headline }.
searches-question = Was one group searched or inspected on weaker grounds than another?
searches-context = Groups by { $group } · { $cases }
searches-more = More: figures, model, light, settings
searches-more-figures = Exact figures
searches-more-model = Grounds and the model
searches-more-light = Light and darkness
searches-more-settings = Settings
searches-more-computed = How this is computed
searches-infer = Compare the grounds
searches-infer-why = A model infers how likely a find had to seem, from looks and finds in each place.
searches-infer-changed = Settings changed since the grounds were compared.
searches-misleads-average = A hit rate is an average, also over cases where a find was as good as certain.
searches-misleads-apart = Two groups can be searched on the same grounds and have different hit rates, and the other way around.
searches-misleads-grounds = The model asks about the grounds themselves. It needs to know how many were not searched.
searches-assumes-looks = Whoever looks sees how likely a find is, and looks where that is above a threshold.
searches-assumes-places = There is one threshold for each group in each place. How likely finds are differs by both.
searches-assumes-kinds = Where one group is harder to judge, or something else is looked for, its threshold comes out wrong.
searches-not-meant = This does not show what anybody meant, nor whether a single search was right.
searches-not-written = Cases that were never written down are missing from all of this.
searches-not-alike = Where finds of different kinds are looked for, hit rates compare unlike things.
searches-model-fits = The model fits these counts.
searches-model-rough = The model's computations did not settle from several starts. Fewer and larger places may help.
searches-model-unfit = The model does not fit these counts. Fewer and larger places may help; hit rates do not need it.
# $looks, $finds: root of the mean square, in points; $share, $rest: of groups in places
searches-model-off = Its rates of looking are { $looks } points off on average, its hit rates { $finds } points.
searches-model-within = Of all groups in places, { $share } have as many looks, and { $rest } as many finds, as it expects.
searches-model-placebo = With groups shuffled { $shuffles } times, { $n } of { $total } differences looked clear.
searches-model-placebo-none = There was none to find; the largest was { $largest } points.
searches-places = The threshold of { $group } is lower in { $n } of { $total } places, clearly so in { $lower }; clearly higher in { $higher }.
searches-veil-headline-more = { CAP($group) } were stopped more where they could be seen
searches-veil-more = { searches-veil-headline-more }.
searches-veil-headline-less = { CAP($group) } were stopped less where they could be seen
searches-veil-less = { searches-veil-headline-less }.
searches-veil-headline-alike = { CAP($group) } were stopped about as much in light as in darkness
searches-veil-alike = { searches-veil-headline-alike }.
searches-veil-headline-open = Whether { $group } were stopped more in light may be chance
searches-veil-open = { searches-veil-headline-open }.
searches-veil-shares = Of them and { $others }, they were { $light } of those stopped in light and { $dark } in darkness.
searches-veil-ratio = At the same hour, the odds in light are { $ratio } times as high, with a range from { $low } to { $high }.
searches-veil-rows = { $n } stops in light and { $dark } in darkness are compared; each of { $rows } rows counts as a stop.
searches-veil-acted = { $n } stops in light and { $dark } in darkness are compared, of { $rows } rows that were looked at.
searches-veil-darkness = In darkness it is harder to see who somebody is, and at one hour the same people are about.
searches-veil-breaks = Street lamps, a known car, another season or other patrols break that.
searches-veil-not-why = A difference does not say why, and none does not say that all were stopped alike.
searches-veil-about = At hours that are sometimes light and sometimes dark, is a group stopped more in light?

# The form
searches-say-acted = Say who was looked at: the column, and the value.
searches-say-only-acted = If the table holds only such cases, say first where something was found.
searches-say-found = Say where something was found: the column, and the value.
searches-say-groups = Say which groups are compared.
searches-say-both-alike = Choose two columns of counts, or values in both.
searches-also-protected = Also protected: { $columns }.
searches-keeps = Adds { $condition } to the filter.
searches-role-now = Now: { $condition }.
searches-role-empty = { $column } has no values to choose from.
searches-role-identifier = Each row has a number of its own, which counts no cases.
searches-role-counts = Each number is taken as a count of cases.
searches-infer-say-all = Say under Settings which column counts all cases.
searches-infer-say-places = Choose the column of places, such as precincts or offices.
searches-veil-say-stops = Say which rows are stops.
searches-veil-say-time = Choose the columns of date and time.
searches-veil-say-place = Say where it was, and by which clock.
searches-veil-say-light = Choose the column and value of light, and the time of day.
searches-veil-no-dates = There is no column of dates, so light cannot be known.
# $text: what was typed; $example: a number that is right
searches-typed-wrong = { $label } must be a number from { $low } to { $high }, got { $text }. Write it as { $example }.
