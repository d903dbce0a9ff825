package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.SystemConnection;
import dev.paddock.executor.remote.shell.ExecSerializer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Reaches a running container of a pod through the API server. */
public final class PodConnection implements SystemConnection {
    private final Cluster cluster;
    private final PodName pod;
    private final String run;
    private final Optional<PodLease> lease;
    private final ExecSerializer execs = new ExecSerializer();

    /** Creates a connection to the container's current run, without contacting it. */
    public PodConnection(Cluster cluster, PodName pod) {
        this(cluster, pod, "", Optional.empty());
    }

    /**
     * Creates a connection to one run of the container, lost once the container restarts.
     *
     * @param run as {@link PodState#run} identifies it
     * @param lease detects a silent pod; empty without detection
     */
    public PodConnection(Cluster cluster, PodName pod, String run, Optional<PodLease> lease) {
        this.cluster = cluster;
        this.pod = pod;
        this.run = run;
        this.lease = lease;
    }

    /** Returns why this run of the container has ended. */
    private Optional<String> end(Pod seen) {
        return PodState.end(seen, pod.container())
                .or(() -> run.isEmpty() || PodState.run(seen, pod.container()).equals(run)
                        ? Optional.empty()
                        : Optional.of("was restarted"));
    }

    @Override
    public String backend() {
        return Cluster.BACKEND;
    }

    @Override
    public ShellChannel open(List<String> argv) {
        return start(argv, false);
    }

    @Override
    public ShellChannel openAtTerminal(List<String> argv) {
        return start(argv, true);
    }

    private ShellChannel start(List<String> argv, boolean terminal) {
        try {
            return execs.start(() -> PodStream.exec(cluster, pod, argv, terminal));
        } catch (IOException late) {
            throw new SandboxLostException(Cluster.BACKEND, pod + ": " + late.getMessage(), late);
        }
    }

    @Override
    public boolean closesHalf() {
        return false;
    }

    /** The kubelet accepts sizes on a separate stream. */
    @Override
    public boolean resizesLater() {
        return true;
    }

    @Override
    public ExecSerializer execs() {
        return execs;
    }

    /** Watches the pod: a process's connection can stay open after the pod has ended. */
    @Override
    public Closeable watch(Consumer<String> onLoss) {
        Watch watch = new Watch(onLoss);
        lease.ifPresent(open -> open.onSilence(reason -> watch.report(pod + ": " + reason)));
        return cluster.call("watch pods in the namespace '" + pod.namespace() + "'", any -> {
            io.fabric8.kubernetes.client.Watch open =
                    cluster.resource(pod.namespace(), pod.pod()).watch(watch);
            return () -> {
                watch.closed.set(true);
                lease.ifPresent(answering -> answering.onSilence(reason -> {}));
                open.close();
            };
        });
    }

    @Override
    public Optional<SandboxLostException> lost() {
        Optional<Pod> seen = cluster.pod(pod.namespace(), pod.pod());
        return seen.map(this::end)
                .orElse(Optional.of("does not exist"))
                .map(why -> new SandboxLostException(Cluster.BACKEND, pod + " " + why));
    }

    private final class Watch implements Watcher<Pod> {
        private final Consumer<String> onLoss;
        private final AtomicBoolean closed = new AtomicBoolean();

        Watch(Consumer<String> onLoss) {
            this.onLoss = onLoss;
        }

        @Override
        public void eventReceived(Action action, Pod seen) {
            if (action == Action.DELETED) {
                report(pod + " was deleted");
            } else {
                end(seen).ifPresent(why -> report(pod + " " + why));
            }
        }

        @Override
        public void onClose(WatcherException fault) {
            report("the connection to the API server ended: " + Cluster.cause(fault));
        }

        private void report(String reason) {
            if (closed.compareAndSet(false, true)) {
                DaemonThreads.virtual("paddock-kubernetes-loss").start(() -> onLoss.accept(reason));
            }
        }
    }
}
