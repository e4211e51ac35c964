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

verify-signature-invalid = A signature of this report does not fit

# $n: files; $day: on which they were written
verify-written = All { $n } files are as they were written on { $day }.
# $state: of files, compared with their list; $names: theirs
verify-which = { $state ->
    [missing] Missing
    [added] Not part of it
   *[changed] Changed
}: { $names }.
# $list: the file that lists all others; $parts: what it names otherwise
verify-list = The list of files, { $list }, does not fit the report. It names otherwise: { $parts }.
# $part: of what a list of files names
verify-list-part = { $part ->
    [question] what is asked
    [seed] seed
    [fingerprint] fingerprint of the data
    [data] name of the data
    [versions] software
   *[plan] saved audit
}
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
# $variable: a setting
verify-data-salted = The fingerprint of the data is salted: set the office's salt, { $variable }, to know whether they are the same.
verify-not-signed = Nobody has signed it.
# $names: of files with a signature
verify-invalid = Signatures that do not fit: { $names }.
# $by: who signed; $day: on which; $stamped: whether a time server says so
verify-trusted = { $stamped ->
    [yes] Signed by { $by } on { $day }, as a time server says; you trust the key.
   *[no] Signed by { $by } on { $day }; you trust the key.
}
verify-not-trusted = { $stamped ->
    [yes] Signed in the name of { $by } on { $day }, as a time server says.
   *[no] Signed in the name of { $by } on { $day }.
}
verify-no-day = an unknown day
verify-bring-certificate = Anybody can sign in any name. Bring the certificate of the office to know whose key it is.
verify-expired = The certificate that you trust was not valid when this was signed, as far as anybody can tell.
verify-not-for-signing = The certificate that you trust is not meant for signing documents.
# $install: a command
verify-not-checked = Its signatures were not checked. To check them, run { $install }.
verify-without-data = Whoever changes a file can change the list of files, too. Make the audit again to be certain.
# $names: of software
verify-versions = Some files were not compared: other versions are here of { $names }.
verify-digits = The files were not compared, as numbers differ in their last digits.
verify-read = The data were read in another way, so what the report says of reading them was not checked.
# $variable: a setting
verify-other-salt = The fingerprint is salted: with another salt in { $variable } than the office's, the right data seem to be others.
verify-fonts = Other fonts on this machine can change how a PDF is drawn.
# $path: where a value stands; $reported: in the report; $again: made again
verify-difference = { $path }: { $reported } in the report, { $again } now

# The page
verify-page-lead = Bring the files of a report. With its data, the audit is made again.
verify-page-files = All files of the report (zip)
verify-page-data = Its data, if you have them
verify-page-certificate = Certificate of the office that signed it (.pem)
verify-page-again = Make the audit again
verify-page-more = More: each file, signatures, and the values that differ
verify-files-table = Files
verify-signatures-table = Signatures
verify-values-table = Values that differ
verify-column-file = file
verify-column-state = as listed
verify-column-again = made again
verify-column-signature = signature
verify-column-by = by
verify-column-at = when
verify-column-clock = by which clock
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
    [trusted] fits, key trusted
    [not_trusted] fits, key not trusted
    [expired] fits, certificate not valid
    [not_for_signing] fits, certificate not for signing
    [invalid] does not fit
    [not_checked] not checked
    [time_server] of a time server
    [own_clock] of who signed
   *[unchanged] unchanged
}

# The command sign
# $file: that holds a signature
sign-saved = wrote { $file }
# $key: a file
sign-passphrase = Passphrase of { $key }:{" "}

# The run for archives, ro-crate-metadata.json
# $data: what the data are called
crate-report = The report of an audit of { $data }: whether like cases are treated alike.
crate-license = No licence is stated. Ask who published this report what others may do with it.
crate-run = Audit of { $data }
crate-steps = The saved audit was run on the data. The report, its tables and its numbers were written.
# $known: by which digest the data are known
crate-data = { $known ->
    [none] The data of the audit. They are not part of this report.
    [salted] The data of the audit. They are not part of this report. The identifier is a salted digest of their content.
   *[content] The data of the audit. They are not part of this report. The identifier is the digest of their content.
}
# $file: one of the files of a report; $name: its name
crate-file = { $file ->
    [report_pdf] The report
    [annexes_pdf] The annexes of the report
    [tables_zip] All tables as CSV, with a dictionary of their columns
    [result_json] All findings, for machines
    [result_schema_json] What stands where in result.json
    [plan_toml] The saved audit
    [manifest_json] The list of all files, with their digests
    [form] A form that a rule asks for: { $name }
   *[other] A file that the audit names: { $name }
}
