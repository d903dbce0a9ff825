package dev.paddock.executor.process.supervise;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.launch.Launcher;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Starts a small shell process that ends an executor's commands if the JVM dies first (C12). It reads from a pipe whose
 * write end only the JVM holds: the kernel closes the pipe when the JVM exits, in any way. The process runs in its own
 * session and ignores the signals that a terminal or a service manager sends to all processes.
 *
 * <p>It finds the commands by their marker's prefix, and by their sessions, which it reads from a file that both
 * processes have open: updating the file wakes no process.
 */
final class Reaper implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(Reaper.class);
    private static final int TABLE = 3;

    /** The argument before the marker's variable and the prefix of its value. */
    static final String NAME = "paddock-reaper";

    /**
     * Waits for the end of the pipe, then ends the sessions; each later pass searches for more. The reaper runs as long
     * as a command's process does; a following session waits for its exit. {@code read} and {@code kill} are shell
     * builtins.
     */
    private static final String BEGIN = """
            trap '' HUP INT QUIT TERM PIPE TSTP
            IFS= read -r word || word=died
            [ "$word" = bye ] && exit 0
            sessions=' '
            if [ "$3" = table ]; then
              while read -r leader; do [ -n "$leader" ] && sessions="$sessions$leader "; done <&3
            fi
            exec 3<&-
            for leader in $sessions; do kill -KILL -- "-$leader" 2>/dev/null; done
            quiet=0
            passes=0
            while [ "$quiet" -lt 2 ]; do
              passes=$((passes + 1))
            """;

    /** Ends the processes that a pass has found, until two passes find none. */
    private static final String END = """
              if [ -z "$members" ]; then
                quiet=$((quiet + 1))
              else
                quiet=0
                kill -KILL $members 2>/dev/null
              fi
              [ "$passes" -lt 200 ] || sleep 1
              [ "$quiet" -lt 2 ] && sleep 0.05
            done
            """;

    /**
     * Finds the processes that have the prefix in their environment or belong to one of the sessions, and their
     * descendants by the parent chain. A process whose first thread has exited reads as a zombie without an
     * environment, but runs as long as another thread does: the 18th word after the name is the number of threads.
     */
    private static final String BY_PROC = """
              members=' '
              for file in $(grep -ls "$1=$2" /proc/[0-9]*/environ); do
                file=${file#/proc/}
                members="$members${file%/environ} "
              done
              before=
              while [ "$members" != "$before" ]; do
                before=$members
                for file in /proc/[0-9]*/stat; do
                  IFS= read -r line 2>/dev/null <"$file" || continue
                  pid=${line%% *}
                  set -f
                  set -- "$1" "$2" ${line##*) }
                  set +f
                  case "$members" in *" $pid "*) continue ;; esac
                  case "$3" in
                    Z|X)
                      [ "${20}" -gt 1 ] || continue
                      if grep -qs "$1=$2" /proc/"$pid"/task/[0-9]*/environ; then
                        members="$members$pid "
                        continue
                      fi
                      ;;
                  esac
                  case "$sessions" in *" $5 "*|*" $6 "*) members="$members$pid " ; continue ;; esac
                  case "$members" in *" $4 "*) members="$members$pid " ;; esac
                done
              done
              members=${members# }
            """;

    /**
     * Finds them without {@code /proc}, by {@code ps}, which shows environments where the system permits it; on Linux a
     * line for each thread, since the first one may have exited. It knows each leader's process group, not sessions.
     * Skips the processes of the search, which also have the marker.
     */
    private static final String BY_PS = """
              members=$(ps $4 -o pid=,ppid=,pgid=,stat=,command= 2>/dev/null |
                awk -v mark="$1=$2" -v sessions="$sessions" -v self="$$" '
                  {
                    parent[$1] = $2
                    if ($4 !~ /^Z/) alive[$1] = 1
                    if (index(sessions, " " $3 " ") || index($0, mark)) member[$1] = 1
                  }
                  END {
                    own[self] = 1
                    do {
                      grown = 0
                      for (pid in parent) {
                        if (!(pid in own) && (parent[pid] in own)) { own[pid] = 1; grown = 1 }
                        if (!(pid in member) && (parent[pid] in member)) { member[pid] = 1; grown = 1 }
                      }
                    } while (grown)
                    for (pid in member) if ((pid in alive) && !(pid in own)) printf "%s ", pid
                  }')
            """;

    private final ChildProcess process;
    private final SessionTable sessions;

    private Reaper(ChildProcess process, SessionTable sessions) {
        this.process = process;
        this.sessions = sessions;
    }

    static Reaper start(Launcher launcher, String markerPrefix) {
        SessionTable sessions = SessionTable.create(launcher);
        boolean hasProc =
                launcher.posix().map(posix -> posix.platform().hasLinuxCalls()).orElseGet(LibC::isLinux);
        LaunchSpec.Builder spec = LaunchSpec.builder(
                        HostEnvironment.SHELL,
                        "-c",
                        BEGIN + (hasProc ? BY_PROC : BY_PS) + END,
                        NAME,
                        CommandExecutor.MARKER,
                        markerPrefix,
                        sessions.descriptor().isPresent() ? "table" : "none",
                        LibC.isMac() ? "-axEww" : "axeHww")
                .env("PATH", HostEnvironment.SYSTEM_PATH)
                .stdin(SpawnOptions.Stdin.PIPE)
                .stderr(SpawnOptions.Stderr.MERGED);
        sessions.descriptor().ifPresent(table -> spec.descriptor(TABLE, new ChildDescriptor.Ours(table)));
        ChildProcess process = launch(launcher, spec.build(), sessions);
        process.whenEnded((status, fault) -> {
            process.endStreams();
            process.release();
        });
        return new Reaper(process, sessions);
    }

    private static ChildProcess launch(Launcher launcher, LaunchSpec spec, SessionTable sessions) {
        try {
            return launcher.launch(spec, LaunchThread.direct());
        } catch (RuntimeException fault) {
            sessions.close();
            throw fault;
        }
    }

    void watch(ChildProcess child) {
        if (child.leadsSession()) {
            sessions.add(child.pid());
        }
    }

    void forget(ChildProcess child) {
        sessions.remove(child.pid());
    }

    /** Closes the pipe when no command is left: the reaper exits without a search. */
    @Override
    public void close() {
        try (OutputStream word = process.stdin()) {
            word.write("bye\n".getBytes(US_ASCII));
        } catch (IOException exited) {
            LOG.log(Level.WARNING, "The reaper has exited before its executor's disposal", exited);
        }
        if (!BoundedWait.upTo(2_000, process.ended())) {
            process.signal(dev.paddock.executor.Signal.KILL);
            BoundedWait.upTo(1_000, process.ended());
        }
        sessions.close();
    }
}
