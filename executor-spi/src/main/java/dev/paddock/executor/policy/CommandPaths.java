package dev.paddock.executor.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Computes with paths on the command's side: POSIX paths as text, on any host file system. */
final class CommandPaths {
    private CommandPaths() {}

    static String requireNormal(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the command-side path is not absolute: '" + path + "'");
        }
        if (path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "the command-side path contains NUL: '" + path.replace("\0", "\\0") + "'");
        }
        String normal = normalize(path);
        String withoutTrailingSlash =
                path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (!normal.equals(withoutTrailingSlash)) {
            throw new IllegalArgumentException(
                    "the command-side path is not in its plain form: '" + path + "' (write '" + normal + "')");
        }
        return normal;
    }

    static String resolve(String parent, String below) {
        return parent.equals("/") ? "/" + below : parent + "/" + below;
    }

    /** Returns the part of a path below a parent; empty text for the parent itself. */
    static Optional<String> below(String parent, String path) {
        if (!path.startsWith("/")) {
            return Optional.empty();
        }
        String normal = normalize(path);
        if (!isWithin(parent, normal)) {
            return Optional.empty();
        }
        int start = parent.equals("/") ? 1 : parent.length() + 1;
        return Optional.of(normal.substring(Math.min(start, normal.length())));
    }

    /** Returns whether a path is the parent, or lies below it; both are in their plain form. */
    static boolean isWithin(String parent, String path) {
        return path.startsWith(parent)
                && (path.length() == parent.length() || parent.equals("/") || path.charAt(parent.length()) == '/');
    }

    /** Returns whether a relative path has only names: no empty part, no {@code .} and no {@code ..}. */
    static boolean isPlain(String path) {
        return hasOnlyNames(path, 0);
    }

    /** Checks each part without copying it: startup checks hundreds of paths in interpreted code. */
    private static boolean hasOnlyNames(String path, int first) {
        int start = first;
        for (int slash = path.indexOf('/', start); slash >= 0; slash = path.indexOf('/', start)) {
            if (!isName(path, start, slash)) {
                return false;
            }
            start = slash + 1;
        }
        return isName(path, start, path.length());
    }

    private static boolean isName(String path, int start, int end) {
        int length = end - start;
        if (length == 0 || path.charAt(start) != '.') {
            return length > 0;
        }
        return length > 2 || (length == 2 && path.charAt(start + 1) != '.');
    }

    static String normalize(String path) {
        if (path.startsWith("/") && hasOnlyNames(path, 1)) {
            return path;
        }
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }
}
