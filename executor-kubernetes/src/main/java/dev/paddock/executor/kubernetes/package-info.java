/** Commands in a Kubernetes pod, behind {@link dev.paddock.executor.kubernetes.KubernetesExecutor}. */
@Api(status = Api.Status.EXPERIMENTAL, audience = "API: for programs that use Paddock")
@NullMarked
package dev.paddock.executor.kubernetes;

import dev.paddock.executor.annotation.Api;
import org.jspecify.annotations.NullMarked;
