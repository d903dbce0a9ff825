# shellcheck shell=bash
# Provides the Docker tests with an engine and with the images of build/test-images.sh. Sourced by
# ./verify, which defines say, may_install and apt_install.
#
# A running engine is used and never stopped, if it has the bridge network that some tests need.
# Otherwise docker_prepare starts an engine, which docker_release ends. Its data directory is
# separate from that of the machine's engine.

docker_engine_dir=
docker_engine_pid=
docker_engine_bridge=
docker_host_before=
docker_cgroups_before=

# docker_install: installs the programs, or prints which is missing and fails.
docker_install() {
    if ! docker_has_programs && ! { may_install && apt_install docker.io; }; then
        say "no docker command, or no engine that it reaches and no dockerd to start: the Docker tests are skipped (Debian: apt-get install docker.io)"
        return 1
    fi
    if ! command -v debootstrap >/dev/null && ! { may_install && apt_install debootstrap; }; then
        say "no debootstrap command to create the images: the Docker tests are skipped"
        return 1
    fi
}

# docker_has_programs: succeeds if there is a docker command, and an engine: one that the command reaches, or
# dockerd. Some machines have the command alone.
docker_has_programs() {
    command -v docker >/dev/null && { command -v dockerd >/dev/null || docker version >/dev/null 2>&1; }
}

# docker_prepare: sets DOCKER_HOST and creates the images, or prints the reason and fails.
docker_prepare() {
    docker_find || docker_start || docker version >/dev/null 2>&1 || {
        say "cannot reach or start a Docker engine: the Docker tests are skipped"
        return 1
    }
    build/test-images.sh build || {
        say "cannot create the images: the Docker tests are skipped"
        return 1
    }
}

# docker_find: succeeds if the docker command reaches an engine that has a bridge network.
docker_find() {
    docker version >/dev/null 2>&1 || return 1
    docker network inspect bridge >/dev/null 2>&1 && return
    say "the running Docker engine has no bridge network"
    return 1
}

docker_start() {
    { [ "$(id -u)" = 0 ] && command -v dockerd >/dev/null; } || return 1
    docker_engine_dir=$(mktemp -d "${TMPDIR:-/tmp}/paddock-engine.XXXXXX")
    chmod 711 "$docker_engine_dir" # tests run as another user, who reaches the socket by its group
    say "starting a Docker engine in $docker_engine_dir"
    docker_host_before=${DOCKER_HOST-}
    docker_cgroups_before=$(docker_cgroups)
    docker_make_bridge
    # Without a bridge of its own dockerd removes the machine's docker0: it then runs in a network
    # namespace of its own.
    local apart=
    [ -n "$docker_engine_bridge" ] || apart="unshare --net"
    # dockerd leaves the machine's packet filter unchanged, so containers reach this machine and
    # nothing beyond. The engine's short-lived programs take most of the build's processor time:
    # GOGC makes them collect garbage less often. An engine that has to kill its containerd writes that
    # one's stacks to TMPDIR.
    # shellcheck disable=SC2086 # two words, or none
    GOGC=800 TMPDIR=$docker_engine_dir $apart dockerd --data-root "$docker_engine_dir/data" --exec-root "$docker_engine_dir/exec" \
        --pidfile "$docker_engine_dir/pid" -H "unix://$docker_engine_dir/docker.sock" \
        --bridge="${docker_engine_bridge:-none}" --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
        >"$docker_engine_dir/log" 2>&1 &
    docker_engine_pid=$!
    if docker_await; then
        export DOCKER_HOST=unix://$docker_engine_dir/docker.sock
        return 0
    fi
    docker_stop
    tail -n 5 "$docker_engine_dir/log" >&2
    docker_remove_data
    return 1
}

# docker_make_bridge: creates a bridge for the tests with an open network, which are skipped without
# it.
docker_make_bridge() {
    local name=paddock$$ # 15 characters at most
    command -v ip >/dev/null && ip link add "$name" type bridge 2>/dev/null || return 0
    docker_engine_bridge=$name
    if ! ip addr add "10.213.$((RANDOM % 256)).1/24" dev "$name" || ! ip link set "$name" up; then
        docker_remove_bridge
    fi
}

docker_remove_bridge() {
    [ -n "$docker_engine_bridge" ] || return 0
    ip link del "$docker_engine_bridge" || :
    docker_engine_bridge=
}

docker_await() {
    local tries
    for tries in $(seq 300); do
        docker -H "unix://$docker_engine_dir/docker.sock" version >/dev/null 2>&1 && return 0
        kill -0 "$docker_engine_pid" 2>/dev/null || return 1
        sleep 0.1
    done
    say "the engine did not answer $tries requests"
    return 1
}

docker_stop() {
    [ -n "$docker_engine_pid" ] || return 0
    kill "$docker_engine_pid" 2>/dev/null || :
    wait "$docker_engine_pid" 2>/dev/null || :
    docker_engine_pid=
    docker_remove_bridge
    if [ -n "$docker_host_before" ]; then export DOCKER_HOST=$docker_host_before; else unset DOCKER_HOST; fi
    # dockerd creates a cgroup in each hierarchy and does not remove it.
    comm -13 <(echo "$docker_cgroups_before") <(docker_cgroups) | while read -r group; do
        rmdir "$group" 2>/dev/null || :
    done
}

docker_cgroups() {
    find /sys/fs/cgroup -maxdepth 2 -type d -name docker 2>/dev/null | sort || :
}

docker_remove_data() {
    [ -n "$docker_engine_dir" ] || return 0
    # The engine bind-mounts its data directory onto itself, and does not always unmount it.
    umount "$docker_engine_dir/data" 2>/dev/null || :
    rm -rf "$docker_engine_dir"
    docker_engine_dir=
}

# docker_release: removes the images that docker_prepare created, and ends the engine that it
# started.
docker_release() {
    build/test-images.sh remove || :
    docker_stop
    docker_remove_data
}
