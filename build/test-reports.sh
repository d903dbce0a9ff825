# shellcheck shell=bash
# Reads the reports that the tests left: how many there were, which were slow, which failed. Sourced by
# ./verify, which defines say and sets full.

# The time that a test may take, in seconds. Those of build/slow-tests.txt may take longer.
short_budget=3
full_budget=30

# reports [ARGUMENT...]: finds the reports; the arguments are for find.
reports() {
    find . -path '*/target/surefire-reports/TEST-*.xml' ! -path './*/target/*/target/*' "$@"
}

# remove_reports: removes the reports of an earlier run.
remove_reports() {
    reports -delete
}

# count_tests: prints how many tests ran and failed.
count_tests() {
    reports -exec grep -hm1 '<testsuite ' {} + |
        awk '{
            tests += value("tests"); bad += value("failures") + value("errors"); skipped += value("skipped")
        }
        function value(name) { return match($0, " " name "=\"[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH) : 0 }
        END { printf "%d tests, %d failed, %d skipped", tests, bad, skipped }'
}

# print_slowest: prints the ten test classes that took longest; several run at a time.
print_slowest() {
    local classes # awk reads all lines: head would end sort by SIGPIPE, and with pipefail this script
    classes=$(reports -exec grep -hm1 '<testsuite ' {} + |
        sed -n 's/.* name="\([^"]*\)" time="\([0-9.,]*\)".*/\2 \1/p' | tr -d , | sort -rn |
        awk 'NR <= 10 { sub(/.*[.]/, "", $2); line = line (NR > 1 ? ", " : "") $2 " " int($1) " s" } END { print line }')
    say "slowest: $classes"
}

# test_times: prints the seconds and the name of each test, as Class#method.
test_times() {
    reports -exec grep -h '<testcase ' {} + |
        sed -n 's/.* name="\([A-Za-z0-9_]*\)[^"]*" classname="\([^"]*\)" time="\([0-9.,]*\)".*/\3 \2#\1/p' | tr -d , |
        sed 's/ .*[.]\([^.]*#\)/ \1/'
}

# print_over_budget: prints the tests that took longer than they may.
print_over_budget() {
    local budget=$short_budget
    [ -z "$full" ] || budget=$full_budget
    awk -v budget="$budget" '
        /^#/ || NF == 0 { next }
        $1 ~ /#/ { allowed[$1] = 1; next }
        $1 > budget && !($2 in allowed) && !(substr($2, 1, index($2, "#")) "*" in allowed) {
            if ($1 > slowest[$2]) slowest[$2] = $1
        }
        END { for (test in slowest) printf "%.0f s %s\n", slowest[test], test }' build/slow-tests.txt <(test_times) |
        sort -rn | while IFS= read -r line; do say "over the $budget s that a test may take: $line"; done
}

# failed_reports: prints the reports with a failure.
failed_reports() {
    { reports -exec grep -lE '<(failure|error)[ >]' {} + || :; } | sort
}

# print_failures: prints the first failed tests with what they printed, and the commands that repeat them.
print_failures() {
    local report module locale
    failed_reports | while read -r report; do
        module=${report#./}
        module=${module%%/target/*}
        locale=
        [[ $report != *LC_ALL=C.xml ]] || locale="LC_ALL=C "
        print_failures_of "$report" "${locale}./verify $module --test"
    done | awk '/^FAILED: / { failed++ } failed <= 20 { print } END { if (failed > 20) print "\nand " failed - 20 " more failed" }'
}

# print_failures_of REPORT COMMAND: prints the last 40 lines of each failed test's report.
print_failures_of() {
    awk -v command="$2" '
        function attribute(name) {
            return match($0, " " name "=\"[^\"]*") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : ""
        }
        function decoded(text) {
            gsub(/<!\[CDATA\[|\]\]>|<\/?(system-out|system-err|failure|error)[^>]*>/, "", text)
            gsub(/&#10;/, "\n", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text)
            gsub(/&quot;/, "\"", text); gsub(/&apos;/, "\047", text); gsub(/&amp;/, "\\&", text)
            return text
        }
        /<testcase / {
            method = attribute("name"); class = attribute("classname"); count = 0; failed = 0
            short = method; sub(/[^A-Za-z0-9_].*/, "", short)
        }
        { lines[count++] = $0 }
        /<(failure|error)[ >]/ { failed = 1 }
        /<\/testcase>/ && failed {
            print "\nFAILED: " class "." decoded(method)
            for (line = 1; line < count - 1; line++) if (line <= 25 || line >= count - 16) print "    " decoded(lines[line])
            print "to repeat it: " command " \047" class "#" short "\047"
            failed = 0
        }' "$1"
}

# test_classes MODULE: prints the full names of the module's test classes.
test_classes() {
    [ -d "$1/src/test/java" ] || return 0
    (cd "$1/src/test/java" && find . -name '*Test.java') | sed 's|^\./||; s|\.java$||; s|/|.|g' | sort
}

# check_all_ran MODULE...: fails unless each test class has a report: that of a JVM that was killed has none. Classes
# with the tag "full" are expected in a full run alone.
check_all_ran() {
    local module class source missing=
    for module; do
        for class in $(test_classes "$module"); do
            source=$module/src/test/java/${class//.//}.java
            ! grep -q '^\(public \)\?abstract class' "$source" || continue
            [ -n "$full" ] || has_short_tests "$source" || continue
            compgen -G "$module/target/surefire-reports/TEST-$class*.xml" >/dev/null || missing="$missing $module:$class"
        done
    done
    [ -z "$missing" ] || say "without a report:$missing"
    [ -z "$missing" ]
}

# has_short_tests SOURCE: fails if the class, or each of its tests, has the tag "full".
has_short_tests() {
    awk '/^@Tag\("full"\)/ { whole = 1 }
         /@Tag\("full"\)/ { tagged++ }
         /@(Test|ParameterizedTest|RepeatedTest|TestFactory)([^A-Za-z]|$)/ { tests++ }
         END { exit whole || (tests && tagged == tests) }' "$1"
}

# print_left_out: prints what a full run would have included.
print_left_out() {
    say "left out, and included by ./verify --full: the contract under LC_ALL=C, more random sessions, Error Prone,"
    say "  the documentation jars, and the tests with the tag \"full\" in" \
        "$(grep -rlF '@Tag("full")' --include='*.java' ./*/src/test | wc -l) classes"
}
