package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** On a Debian, the container has the programs of the host, so that they run on every backend. */
@ProvenBy(Layer.FURTHER_WORKTREE)
class ManagedWorktreeTest extends WorktreeContract {

    /** Returns the directories of programs and of their settings; the engine's init is in /usr/sbin. */
    private static List<Path> programs() throws IOException {
        List<Path> found = new ArrayList<>();
        addTo(found, Path.of("/usr"), "{bin,lib,lib64,libexec,share}");
        addTo(found, Path.of("/etc"), "{alternatives,maven,gradle,java*}");
        return found;
    }

    private static void addTo(List<Path> found, Path parent, String names) throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, names)) {
            directories.forEach(found::add);
        }
    }

    @Override
    protected CommandExecutor create(SandboxPolicy policy, Path quarantine) throws Exception {
        TestEngine.withImage(TestEngine.DEBIAN);
        SandboxPolicy.Builder granted = policy.toBuilder();
        for (Path place : hasTheHostsPrograms() ? programs() : List.<Path>of()) {
            granted.mount(new Mount(place, place.toString(), Mount.Access.READ_ONLY));
        }
        return DockerExecutor.builder()
                .image(TestEngine.DEBIAN)
                .pullPolicy(PullPolicy.NEVER)
                .policy(granted.build())
                .quarantine(quarantine)
                .warmSlots(0) // each container runs few commands
                .build();
    }

    /** Returns whether the directories of programs are laid out as in the image. */
    @Override
    protected boolean hasTheHostsPrograms() {
        return Files.isSymbolicLink(Path.of("/bin")) && Files.isDirectory(Path.of("/etc/alternatives"));
    }
}
