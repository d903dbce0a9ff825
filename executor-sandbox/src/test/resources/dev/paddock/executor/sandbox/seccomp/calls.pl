# Makes system calls and says what became of each: under a filter if one is named, without one for comparison.
# Usage: calls.pl FILTER PRCTL SECCOMP [PROGRAM]: the filter's file or an empty word, the numbers of two calls.
# Input: lines "label number argument…"; an argument B is the address of an empty buffer, FILE the path of a file,
# OPEN its descriptor, NEW a path at which nothing is yet, DIRECTORY the directory of both. Output: lines "label errno".
# With a program named, it is run instead, under the filter.
use strict;
use warnings;

my $filter = shift @ARGV;
my ($prctl, $seccomp) = (shift @ARGV, shift @ARGV);
my @program = @ARGV;
my $buffer = "\0" x 4096;
if (length $filter) {
    open(my $file, '<:raw', $filter) or die "$filter: $!";
    my $program = do { local $/; <$file> };
    my $fprog = pack('S x6 P', length($program) / 8, $program);
    syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
    syscall($seccomp, 1, 0, $fprog) == 0 or die "seccomp: $!";
}
if (@program) {
    exec { $program[0] } @program or die "$program[0]: $!";
}
my $directory = $0 =~ s{/[^/]*$}{}r;
open(my $held, '>', "$directory/file-$$") or die "$directory: $!";
my $made = 0;
my %word = (
    B => sub { $buffer },
    FILE => sub { "$directory/file-$$" },
    OPEN => sub { fileno $held },
    NEW => sub { "$directory/new-$$-" . $made++ },
    DIRECTORY => sub { $directory },
);
while (my $line = <STDIN>) {
    my ($label, $number, @arguments) = split ' ', $line;
    $! = 0;
    my $result = syscall($number + 0, map { $word{$_} ? $word{$_}->() : $_ + 0 } @arguments);
    print "$label ", $result == -1 ? $! + 0 : 0, "\n";
}
