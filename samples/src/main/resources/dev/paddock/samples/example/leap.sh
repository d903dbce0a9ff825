#!/bin/sh
# leap.sh YEAR: succeeds if the year is a leap year.
year=$1
[ $((year % 4)) -eq 0 ]
