# Whether a report is as it was written, and whether its plan and data give it again.

verdict-unchanged = Unchanged
verdict-changed = Changed
verdict-made-again = Made again
verdict-differs = Differs

verify-unchanged = No file of this report was changed
verify-changed = This report is not as it was written
verify-made-again = The audit was made again and gives the same report
verify-made-again-numbers = The audit was made again and gives the same numbers
verify-other-data = These are not the data of this report
verify-other-numbers = The audit was made again and gives other numbers
verify-other-files = The audit gives the same numbers, but not the same files

# $n: files; $day: on which they were written
verify-written = All { $n } files are as they were written on { $day }.
# $state: of files, compared with their list; $names: theirs
verify-which = { $state ->
    [missing] Missing
    [added] Not part of it
   *[changed] Changed
}: { $names }.
# $list: the file that lists all others
verify-list = The list of files, { $list }, belongs to another report.
# $names: of files
verify-not-again = Other files were made now in place of { $names }.
# $n: values
verify-n-other = { $n_count ->
    [one] One value differs.
   *[other] { $n } values differ.
}
verify-last-digits = { $n_count ->
    [one] One number differs in its last digits, as on another processor.
   *[other] { $n } numbers differ in their last digits, as on another processor.
}
verify-data-same = The data are those that it was made from.
verify-data-not-known = Whether the data are the same cannot be known: beside hidden counts there is no fingerprint.
verify-without-data = Whoever changes a file can change the list of files, too. Make the audit again to be certain.
# $names: of software
verify-versions = Some files were not compared: other versions are here of { $names }.
verify-fonts = Other fonts on this machine can change how a PDF is drawn.
# $path: where a value stands; $reported: in the report; $again: made again
verify-difference = { $path }: { $reported } in the report, { $again } now

# The page
verify-page-lead = Bring the files of a report. With its data, the audit is made again.
verify-page-files = All files of the report (zip)
verify-page-data = Its data, if you have them
verify-page-again = Make the audit again
verify-page-more = More: each file, and the values that differ
verify-page-files-table = Files
verify-page-values = Values that differ
verify-column-file = file
verify-column-state = as listed
verify-column-again = made again
verify-column-value = value
verify-column-reported = in the report
verify-column-now = now
# $state: of a file
verify-state = { $state ->
    [changed] changed
    [missing] missing
    [added] not part of it
    [same] the same
    [other] not the same
    [none] not compared
   *[unchanged] unchanged
}
