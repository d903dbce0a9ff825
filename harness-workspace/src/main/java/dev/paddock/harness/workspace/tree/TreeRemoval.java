package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.process.file.Fault;
import dev.paddock.executor.process.file.Kernel;

/** Removes a directory tree from open directory to open directory, without following links. */
public final class TreeRemoval {
    private TreeRemoval() {}

    /**
     * Removes an entry with all that is in it. Others may remove it at the same time.
     *
     * @param parent the open directory that it is in
     */
    public static void remove(Kernel kernel, int parent, String name) throws Fault {
        try {
            removeExisting(kernel, parent, name);
        } catch (Fault fault) {
            if (!fault.is(Fault.ENOENT)) {
                throw fault;
            }
        }
    }

    private static void removeExisting(Kernel kernel, int parent, String name) throws Fault {
        if (!kernel.status(parent, name).isDirectory()) {
            kernel.remove(parent, name, false);
            return;
        }
        int directory = enter(kernel, parent, name);
        try {
            kernel.setMode(directory, 0700);
            for (String child : kernel.names(directory)) {
                remove(kernel, directory, child);
            }
        } finally {
            kernel.close(directory);
        }
        kernel.remove(parent, name, true);
    }

    private static int enter(Kernel kernel, int parent, String name) throws Fault {
        try {
            return kernel.openDirectory(parent, name);
        } catch (Fault fault) {
            if (!fault.is(Fault.EACCES)) {
                throw fault;
            }
            kernel.setMode(parent, name, 0700);
            return kernel.openDirectory(parent, name);
        }
    }
}
