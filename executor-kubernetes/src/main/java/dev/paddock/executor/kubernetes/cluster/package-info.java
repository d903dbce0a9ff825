/** The cluster: its client, processes in its pods, a pod's specification and its watch. */
@NullMarked
package dev.paddock.executor.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
