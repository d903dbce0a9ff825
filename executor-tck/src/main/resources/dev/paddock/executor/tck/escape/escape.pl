# What a shell cannot express, for the suite of escapes. Prints one line: "done", what was read, or "refused: <errno>".
use strict;
use warnings;
use Config;
use Socket;
use Errno ();

my ($what, @arguments) = @ARGV;
$| = 1;

sub refused { print "refused: ", $! + 0, "\n"; exit 0 }
sub done { print "done\n"; exit 0 }

sub abstract { return pack('S', AF_UNIX) . "\0" . $_[0] }

# Passes or receives a byte and one descriptor, by the call sendmsg or recvmsg of a 64-bit Linux.
sub message {
    my ($call, $socket, $descriptor) = @_;
    my %number = $Config{archname} =~ /^x86_64/ ? (sendmsg => 46, recvmsg => 47) : (sendmsg => 211, recvmsg => 212);
    my $byte = 'x';
    my $control = pack('Q l l l x4', 20, SOL_SOCKET, SCM_RIGHTS, $descriptor);
    my $vector = pack('P Q', $byte, 1);
    my $header = pack('Q L x4 P Q P Q l x4', 0, 0, $vector, 1, $control, length($control), 0);
    syscall($number{$call}, fileno($socket), $header, 0) == 1 or refused;
    return unpack('x16 l', $control);
}

my %action = (
    # tcp HOST PORT
    tcp => sub {
        my ($host, $port) = @_;
        socket(my $socket, PF_INET, SOCK_STREAM, 0) or refused;
        connect($socket, pack_sockaddr_in($port, inet_aton($host))) or refused;
        done;
    },
    tcp6 => sub {
        my ($host, $port) = @_;
        socket(my $socket, PF_INET6, SOCK_STREAM, 0) or refused;
        connect($socket, pack_sockaddr_in6($port, Socket::inet_pton(AF_INET6, $host))) or refused;
        done;
    },
    udp => sub {
        my ($host, $port) = @_;
        socket(my $socket, PF_INET, SOCK_DGRAM, 0) or refused;
        defined send($socket, 'from inside', 0, pack_sockaddr_in($port, inet_aton($host))) or refused;
        done;
    },
    unix => sub {
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or refused;
        connect($socket, pack_sockaddr_un($_[0])) or refused;
        done;
    },
    abstract => sub {
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or refused;
        connect($socket, abstract($_[0])) or refused;
        done;
    },
    # Answers each connection to an abstract name with a line, until its input ends.
    listen => sub {
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or refused;
        bind($socket, abstract($_[0])) or refused;
        listen($socket, 5) or refused;
        print "up\n";
        my $wanted = '';
        vec($wanted, fileno(STDIN), 1) = 1;
        vec($wanted, fileno($socket), 1) = 1;
        while (select(my $ready = $wanted, undef, undef, undef) > 0) {
            # A client that connected before the input ended is reported first.
            if (vec($ready, fileno($socket), 1)) {
                accept(my $client, $socket) or refused;
                print "connected\n";
            } else {
                last;
            }
        }
        done;
    },
    # pass SOCKET FILE: passes a descriptor of a file, open for appending
    pass => sub {
        my ($path, $file) = @_;
        open(my $passed, '>>', $file) or refused;
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or refused;
        connect($socket, pack_sockaddr_un($path)) or refused;
        message('sendmsg', $socket, fileno($passed));
        done;
    },
    # hold SOCKET TEXT: receives a descriptor, and writes a line to it when its own input ends
    hold => sub {
        my ($path, $text) = @_;
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or refused;
        bind($socket, pack_sockaddr_un($path)) or refused;
        listen($socket, 1) or refused;
        print "up\n";
        accept(my $passing, $socket) or refused;
        open(my $held, '>>&=', message('recvmsg', $passing, -1)) or refused;
        print "held\n";
        1 while <STDIN>;
        defined syswrite($held, "$text\n") or refused;
        done;
    },
    # socket FAMILY TYPE PROTOCOL
    socket => sub { socket(my $socket, $_[0], $_[1], $_[2]) or refused; done },
    socketpair => sub { socketpair(my $one, my $other, PF_UNIX, $_[0], 0) or refused; done },
    # A pair of datagram sockets is connected anew, to any path.
    retarget => sub {
        socketpair(my $one, my $other, PF_UNIX, SOCK_DGRAM, 0) or refused;
        connect($one, pack('S', AF_UNSPEC) . "\0" x 14);
        connect($one, pack_sockaddr_un($_[0])) or refused;
        defined send($one, 'from inside', 0) or refused;
        done;
    },
    # ioctl REQUEST on standard input
    ioctl => sub { my $byte = 'x'; defined ioctl(STDIN, $_[0], $byte) or refused; done },
    # mapping NUMBER, which is that of unshare: a user namespace in which this process maps itself to root
    mapping => sub {
        my ($unshare) = @_;
        my $user = $<;
        syscall($unshare + 0, 0x10000000) == 0 or refused;
        open(my $map, '>', '/proc/self/uid_map') or refused;
        defined syswrite($map, "0 $user 1\n") or refused;
        done;
    },
    # syscall NUMBER ARGUMENT…
    syscall => sub {
        my ($number, @rest) = map { $_ + 0 } @_;
        my $result = syscall($number, @rest);
        $result == -1 and refused;
        done;
    },
);

my $chosen = $action{ $what // '' } or die "what? tcp, udp, unix, abstract, listen, pass, hold, socket, socketpair, ioctl, mapping, syscall\n";
$chosen->(@arguments);
