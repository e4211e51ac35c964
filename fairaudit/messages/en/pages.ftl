# What pages say beside results
page-in-use = Still in use: { $what }.
page-in-use-all = Still in use: every row.
page-no-group = No group is protected yet.
page-cut-stays = The cut stays { $value }.
page-meant = Did you mean: { $value }
page-needs-data = There is no data yet. Bring a table, or open a sample.
page-needs-values = First say on Data what some values mean, in { $columns }.
page-open-values = { $n_count ->
    [one] One question is open on Data.
   *[other] { $n } questions are open on Data, this one first.
}
page-needs-rows = First say on Data what a row stands for.
page-needs-exact = This needs exact counts, and some of this table are rounded or hidden. A check of two groups gives bounds.
page-needs-decision = Say which column holds the decision and which result is favourable.
page-needs-protected = Say who is protected.
page-stopping = Stopping after the present step. The best so far is kept, where there is one.
page-question-stopped = The question was stopped in the database. Your choices are kept. Ask again, or change what is asked.
page-asking = Asking the database … { $seconds } s
form-covers = It covers
form-covers-not = It does not cover

# Notes and axes of charts and tables
chart-largest = Only the { $most } largest of { $n } { $what ->
    [strata] strata
    [places] groups in places
   *[groups] groups
} are drawn; { $held_by ->
    [below] the table below holds
    [file] the CSV file holds
    [files] the CSV files hold
   *[table] the table holds
} them all.
chart-no-gap-line = no gap; shaded: within { $limit }
# $reference: a group
searches-against = Each group against { $reference }.
searches-strata-title = Hit rates by { $columns }
searches-veil-axis = Share of { $group } among stops
figures-all-groups = All groups of { $columns }
worst-map-axis = Gap to everyone else
worst-map-axis-points = Gap to everyone else, points
