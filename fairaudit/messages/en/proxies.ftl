# How well columns stand in for the protected group.
# $column: the one that tells most; $n: how many do; $all: of how many; $revealed: beyond chance
# $protected, $others, $verb, $quantity, $direction, $what, $size: as in a check

proxies-title = Columns that stand in for the group
proxies-chart = How much each column tells of the group, beyond chance
proxies-alt = How much each column tells of the group, beyond chance: { $rows }.
verdict-proxies-some = { $n_count ->
    [one] One column stands in
   *[other] { $n } columns stand in
}
verdict-proxies-none = No column stands in
proxies-headline-some = { $column } best tells { $protected } and { $others } apart
proxies-headline-none = No column tells { $protected } and { $others } apart
proxies-headline-few = There are too few cases to say which columns tell { $protected } and { $others } apart
proxies-headline-nothing = There is no column that could tell { $protected } and { $others } apart
proxies-lead-revealed = { $column } tells { $revealed } of what can be known of the group beyond chance.
proxies-lead-many = { $n } of { $all } columns tell more than chance.
proxies-lead-all = All { $all } columns tell more than chance.
proxies-lead-none = None of { $all } columns tells more than chance.
proxies-lead-gap = Among people alike in { $column }, { $protected } { $verb } about { check-size } { check-less-or-more } than { $others }.
proxies-lead-gap-none = Among people alike in { $column }, hardly any gap is left.
proxies-few-alike = Hardly anybody of one group is alike in { $column } to anybody of the other.
# $columns: those that stand in, of one kind
proxies-places = { $kind ->
    [zip_codes] Zip codes stand in for the group: { $columns }.
   *[places] Names of places stand in for the group: { $columns }.
}
proxies-may-count = A column that stands in for the group may still rightly count.
proxies-how = One half of the cases shows which values point to the group, the other half how often they are right.
proxies-how-share = What is revealed is how much more often values point to the group among its members than among others.
proxies-how-many = Whether a column stands in allows for all columns together, by Holm's method.
proxies-how-gap = Numbers with many values are compared in fifths.
proxies-how-features = Only cases that models learn from were looked at.
# $head: women minus men; $level: such as 95 %
proxies-head-gap = { $head }, alike in it
proxies-head-range = likely range of that gap ({ $level })
proxies-holds = { $kind ->
    [zip_codes] zip codes
    [places] names of places
   *[codes] codes
}

# The pages
proxies-looking = Looking for columns that stand in for the group …
proxies-old = The rows that models learn from are others now: fit the remedy again to see this.
proxies-too-few = There are too few cases to learn from to say which columns stand in for the group.
