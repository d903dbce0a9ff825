#!/bin/sh
# Tells for a few years whether leap.sh is right.
failed=0

check() {
    if sh leap.sh "$1"; then found=leap; else found=common; fi
    if [ "$found" = "$2" ]; then
        echo "ok      $1 is a $2 year"
    else
        echo "FAILED  $1 is a $2 year, not a $found year"
        failed=$((failed + 1))
    fi
}

check 2023 common
check 2024 leap
check 2000 leap
check 1900 common
check 2100 common

echo "$failed failed"
[ "$failed" -eq 0 ]
