# shellcheck shell=bash
# Provides the Kubernetes tests with a cluster. Sourced by ./verify, which defines say.
#
# A cluster that PADDOCK_TEST_KUBECONFIG names is used and never stopped; its node must be this machine,
# and have the images of build/test-images.sh. Otherwise, in continuous integration alone (CI is set), a
# one-node cluster is started from ../shared/kubernetes, if it is there, and kubernetes_release ends it and
# puts everything back that it changed. PADDOCK_TEST_CLUSTER names its directory to the tests that stop and
# kill its servers, which are left out with a cluster that is named. Its processes are stopped until a test
# lets them run (ClusterUse in test-fixtures): they take a tenth of a processor without any work.

kubernetes_kit=../shared/kubernetes
kubernetes_dir=
kubernetes_forwarding=

# kubernetes_prepare: sets PADDOCK_TEST_KUBECONFIG, or prints the reason and fails.
kubernetes_prepare() {
    if [ -n "${PADDOCK_TEST_KUBECONFIG-}" ]; then
        say "the Kubernetes tests use the cluster of $PADDOCK_TEST_KUBECONFIG"
        return 0
    fi
    if [ -z "${CI-}" ]; then
        say "LEFT OUT: the Kubernetes tests, since PADDOCK_TEST_KUBECONFIG names no cluster"
        return 1
    fi
    if [ ! -x "$kubernetes_kit/up" ] || [ "$(id -u)" != 0 ]; then
        say "MISSING: a cluster for the Kubernetes tests, which fail: there is no $kubernetes_kit/up, or this is not root"
        return 1
    fi
    kubernetes_start
}

# kubernetes_install: installs what kubernetes_start calls, where it will be called. verify defines
# ensure_program.
kubernetes_install() {
    [ -n "${CI-}" ] && [ -z "${PADDOCK_TEST_KUBECONFIG-}" ] && [ -x "$kubernetes_kit/up" ] || return 0
    local program what="the Kubernetes tests"
    for program in zstd openssl curl; do
        ensure_program $program $program "$what" || :
    done
}

kubernetes_start() {
    kubernetes_dir=$(mktemp -d "${TMPDIR:-/tmp}/paddock-cluster.XXXXXX")
    kubernetes_forwarding=$(cat /proc/sys/net/ipv4/ip_forward)
    say "starting a Kubernetes cluster in $kubernetes_dir"
    local config image
    # A busy machine takes minutes for what else takes 15 seconds. GOGC: the servers collect garbage less often.
    config=$(GOGC=400 KUBEKIT_WAIT=300 "$kubernetes_kit/up" "$kubernetes_dir" 2>"$kubernetes_dir/up.log" | tail -n 1) || {
        say "the cluster did not start"
        tail -n 5 "$kubernetes_dir/up.log" >&2
        kubernetes_release
        return 1
    }
    for image in busybox debian; do
        "$kubernetes_kit/image" "$kubernetes_dir" --docker "paddock-test/$image:latest" >/dev/null 2>&1 || {
            say "the cluster did not take the image paddock-test/$image"
            kubernetes_release
            return 1
        }
    done
    export PADDOCK_TEST_KUBECONFIG=$config
    # Tests may break the servers of this cluster, and of no other.
    export PADDOCK_TEST_CLUSTER=$kubernetes_dir
    kubernetes_signal STOP
}

# kubernetes_signal SIGNAL: sends a signal to the processes of the cluster that kubernetes_start started.
kubernetes_signal() {
    local pid started
    while read -r _ pid started; do
        [ "$(awk '{ print $22 }' "/proc/$pid/stat" 2>/dev/null)" != "$started" ] || kill -s "$1" "$pid" || :
    done <"$kubernetes_dir/pids"
}

# kubernetes_release: ends the cluster that kubernetes_prepare started.
kubernetes_release() {
    [ -n "$kubernetes_dir" ] || return 0
    [ ! -e "$kubernetes_dir/pids" ] || kubernetes_signal CONT
    "$kubernetes_kit/down" "$kubernetes_dir" >/dev/null 2>&1 || say "the cluster in $kubernetes_dir was not ended"
    # The network of its pods makes this machine forward packets.
    [ "$(cat /proc/sys/net/ipv4/ip_forward)" = "$kubernetes_forwarding" ] ||
        echo "$kubernetes_forwarding" >/proc/sys/net/ipv4/ip_forward
    rm -rf "$kubernetes_dir"
    kubernetes_dir=
    unset PADDOCK_TEST_KUBECONFIG PADDOCK_TEST_CLUSTER
}
