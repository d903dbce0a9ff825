package dev.paddock.executor.sandbox.local;

import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;

/**
 * The options that a {@link SandboxBuilder} has collected. Only Paddock's own executors read them.
 *
 * @param policy the policy, which names the worktree
 * @param quarantine the directory that receives files which commands add at protected paths
 * @param shell the commands' shell, an absolute command-side path
 * @param warmSlots the number of warm slots
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL)
public record SandboxOptions(SandboxPolicy policy, Path quarantine, String shell, int warmSlots) {}
