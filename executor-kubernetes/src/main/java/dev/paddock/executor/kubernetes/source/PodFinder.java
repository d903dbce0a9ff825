package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.remote.shell.ProcStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Finds the pod of an executor that did not specify it. */
interface PodFinder {
    /**
     * Returns the running pod, and asks the cluster for it if necessary.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if it does not run
     * @throws dev.paddock.executor.UnsupportedPolicyException if it does not enforce the policy
     */
    Pod find(AbortSignal signal);

    /** Returns the namespace, for messages. */
    String namespace();

    /** Returns the name of the container; empty for the pod's first one. */
    String container();

    /** Returns the found pod's container. */
    default PodName name(Pod pod) {
        return new PodName(namespace(), pod.getMetadata().getName(), container());
    }

    /**
     * Returns what the found pod guarantees.
     *
     * @param inside the status of a process in it
     */
    Set<Guarantee> guarantees(Pod pod, Supplier<ProcStatus> inside);

    /** Returns the memory limit of the found pod, in bytes. */
    OptionalLong memoryLimit(Pod pod);

    /** Returns whether the pod ends with the executor, so that nothing in it needs to be removed. */
    boolean endsWithExecutor();

    /**
     * Returns whether a worktree's directory in the pod may have files of an earlier executor, which are removed before
     * synchronization: the host has all that were fetched, and may have removed some since.
     */
    boolean mayHaveStaleFiles();

    /**
     * Releases the pod.
     *
     * @return whether the pod has ended, and every process in it
     */
    boolean release();

    /** Describes the pod in messages. */
    String what();

    /** Returns how to end it manually. */
    String remedy();
}
