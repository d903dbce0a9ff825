# Prints which addresses a program of this pod reaches: "reached ADDRESS PORT" for each, and "done"; or "untested WHY".
#
# Its arguments are pairs of address and port; by default those that an open network reaches in most clusters: the
# gateway, the name server, the API server. A refused connection has reached its address, too.

export LC_ALL=C
if command -v nc >/dev/null; then
    connect() { nc -w 2 "$1" "$2" </dev/null 2>&1; }
elif command -v bash >/dev/null && command -v timeout >/dev/null; then
    connect() { timeout 2 bash -c ': 2>&1 <"/dev/tcp/$1/$2"' bash "$1" "$2" 2>&1; }
else
    echo "untested the image has neither nc nor bash with timeout, by which the network is tried from inside"
    exit
fi

gateway() {
    while read -r device to by rest; do
        [ "$to" != 00000000 ] || [ "$by" = 00000000 ] || {
            b=$by
            printf '%d.%d.%d.%d' "0x${b#??????}" "0x$(four "$b" 3)" "0x$(four "$b" 2)" "0x$(four "$b" 1)"
            return
        }
    done </proc/net/route
}
# four TEXT N: the Nth pair of digits of eight.
four() { t=$1; i=1; while [ $i -lt "$2" ]; do t=${t#??}; i=$((i + 1)); done; echo "${t%"${t#??}"}"; }
server() {
    while read -r word address rest; do
        [ "$word" != nameserver ] || { echo "$address"; return; }
    done </etc/resolv.conf
}

if [ $# = 0 ]; then
    address=$(gateway)
    [ -z "$address" ] || set -- "$@" "$address" 9
    address=$(server 2>/dev/null)
    [ -z "$address" ] || set -- "$@" "$address" 53
    [ -z "$KUBERNETES_SERVICE_HOST" ] || set -- "$@" "$KUBERNETES_SERVICE_HOST" "$KUBERNETES_SERVICE_PORT"
fi
try() {
    said=$(connect "$1" "$2")
    code=$?
    case $code,$said in
        0,* | *refused* | *reset*) echo "reached $1 $2" ;;
    esac
}
# All at once: an address that does not answer takes two seconds.
while [ $# -gt 1 ]; do
    try "$1" "$2" &
    shift 2
done
wait
echo done
