package dev.paddock.executor.seatbelt;

import static dev.paddock.executor.seatbelt.Action.changeMode;
import static dev.paddock.executor.seatbelt.Action.connect;
import static dev.paddock.executor.seatbelt.Action.connectTo;
import static dev.paddock.executor.seatbelt.Action.link;
import static dev.paddock.executor.seatbelt.Action.listen;
import static dev.paddock.executor.seatbelt.Action.look;
import static dev.paddock.executor.seatbelt.Action.make;
import static dev.paddock.executor.seatbelt.Action.read;
import static dev.paddock.executor.seatbelt.Action.remove;
import static dev.paddock.executor.seatbelt.Action.rename;
import static dev.paddock.executor.seatbelt.Action.run;
import static dev.paddock.executor.seatbelt.Action.service;
import static dev.paddock.executor.seatbelt.Action.signal;
import static dev.paddock.executor.seatbelt.Action.sysctl;
import static dev.paddock.executor.seatbelt.Action.write;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** An action that the profiles of {@link Profiles} must allow or deny, with a description. */
record Case(String shows, boolean allowed, List<Request> asked) {
    private static final String W = Profiles.WORKTREE;
    private static final String H = Profiles.HOME;

    private static Case may(String shows, List<Request> asked) {
        return new Case(shows, true, asked);
    }

    private static Case mayNot(String shows, List<Request> asked) {
        return new Case(shows, false, asked);
    }

    boolean holds(ProfileEvaluator profile) {
        return profile.allows(asked) == allowed;
    }

    /** Returns the cases that hold under every policy. */
    static Stream<Case> ofAll() {
        return Stream.of(
                may("the shell starts", run("/bin/sh")),
                may("the loader looks at the root", read("/")),
                may("the loader registers itself", List.of(Request.path("file-ioctl", "/dev/dtracehelper"))),
                may("git of the command line tools", run("/Library/Developer/CommandLineTools/usr/bin/git")),
                may("Homebrew's programs", run("/opt/homebrew/Cellar/jq/1.7/bin/jq")),
                mayNot("Homebrew's databases", read("/opt/homebrew/var/postgres/base/1")),
                mayNot("Homebrew is not written to", make("/opt/homebrew/bin/git")),
                may("time zones", read("/private/var/db/timezone/zoneinfo/UTC")),
                may("who users are", read("/private/etc/passwd")),
                mayNot("passwords", read("/private/etc/master.passwd")),
                mayNot("the system is not written to", make("/private/etc/hosts")),
                mayNot("the user's keys", read("/Users/ada/.ssh/id_ed25519")),
                mayNot(
                        "the same by the data volume's own name",
                        read("/System/Volumes/Data/Users/ada/.ssh/id_ed25519")),
                mayNot("what is in the user's home", read("/Users/ada")),
                may("the way to the worktree", look("/Users/ada")),
                may("the way to programs", look("/Library/Developer")),
                mayNot("what is beside the way", look("/Users/ada/Documents")),
                mayNot("another project", read("/Users/ada/project-2/file")),
                mayNot("writing beside the worktree", make("/Users/ada/new")),
                mayNot("the host's temporary files", make("/private/tmp/x")),
                mayNot("the user's temporary files", read("/private/var/folders/zz/0/T/x")),
                mayNot("what the executor keeps to itself", read(H.replace("/home", "/state/guard"))),
                may("the home", make(H + "/.cache/x")),
                mayNot("the home stays", rename(H, H + "/../other")),
                may("nothing is written to it", write("/dev/null")),
                may("randomness", read("/dev/urandom")),
                mayNot("the terminal", read("/dev/tty")),
                may("its own descriptors", write("/dev/fd/1")),
                mayNot("ssh's agent", connectTo("/private/tmp/com.apple.launchd.x/Listeners")),
                mayNot("docker", connectTo("/private/var/run/docker.sock")),
                mayNot("a socket in the worktree", connectTo(W + "/socket")),
                may("the machine", sysctl("hw.ncpu")),
                may("the processor", sysctl("hw.optional.arm.FEAT_CRC32")),
                mayNot("all processes", sysctl("kern.proc.all")),
                mayNot("a process's arguments", sysctl("kern.procargs2")),
                mayNot(
                        "the kernel is not set",
                        List.of(new Request("sysctl-write", Request.Kind.SYSCTL, "kern.hostname"))),
                may("users' names", service("com.apple.system.opendirectoryd.libinfo")),
                mayNot("the key chain", service("com.apple.SecurityServer")),
                mayNot("the clipboard", service("com.apple.pasteboard.1")),
                mayNot("programs that others start", service("com.apple.coreservices.launchservicesd")),
                may("its own processes", signal("same-sandbox")),
                mayNot("others' processes", signal("others")),
                may(
                        "looking at its own processes",
                        List.of(new Request("process-info-pidinfo", Request.Kind.TARGET, "same-sandbox"))),
                mayNot(
                        "looking at others'",
                        List.of(new Request("process-info-pidinfo", Request.Kind.TARGET, "others"))),
                may("descendants", List.of(Request.of("process-fork"))),
                may("watching the time zone", shared("ipc-posix-shm-read-data", "apple.shm.notification_center")),
                mayNot("others' shared memory", shared("ipc-posix-shm-read-data", "secret")),
                may("Python's locks", shared("ipc-posix-sem", "/mp-0abc")),
                mayNot("others' locks", shared("ipc-posix-sem", "/other")),
                mayNot("set-user-id programs", List.of(Request.path("forbidden-exec-sugid", "/usr/bin/su"))),
                mayNot("drivers", List.of(Request.of("iokit-open"))),
                mayNot("other programs' windows", List.of(Request.of("appleevent-send"))),
                mayNot("file systems", List.of(Request.path("file-mount", W))));
    }

    private static List<Request> shared(String operation, String name) {
        return List.of(new Request(operation, Request.Kind.SHARED_NAME, name));
    }

    /** Returns the cases of a worktree that is a repository, with another in {@code vendor/lib}. */
    static Stream<Case> ofTheWorktree() {
        Stream<Case> ordinary = Stream.of(
                may("reading", read(W + "/src/Main.java")),
                may("writing", make(W + "/src/Main.java")),
                may("running what was built", run(W + "/build/test")),
                may("removing", remove(W + "/build")),
                may("renaming", rename(W + "/a", W + "/b")),
                may("changing modes", changeMode(W + "/run.sh")),
                may("git's index", rename(W + "/.git/index.lock", W + "/.git/index")),
                may("git's objects", make(W + "/.git/objects/aa/bb")),
                may("a new repository", make(W + "/new/.git/config")),
                may("what is called much like it", make(W + "/.envrc.sample")),
                mayNot("the worktree stays", rename(W, W + "-old")),
                mayNot("a second name for a file outside", link("/Users/ada/.ssh/id_ed25519", W + "/key")),
                mayNot("a second name outside", link(W + "/a", "/Users/ada/b")),
                may("a second name for a file inside", link(W + "/a", W + "/b")));
        Stream<Case> kept =
                Profiles.REFUSED.stream().map(name -> W + "/" + name).flatMap(Case::kept);
        return Stream.concat(Stream.concat(ordinary, kept), ofAncestors());
    }

    /** Returns the cases of a protected path, which no action may change. */
    private static Stream<Case> kept(String path) {
        return Stream.of(
                may("reading " + path, read(path)),
                mayNot("writing " + path, write(path)),
                mayNot("making " + path, make(path)),
                mayNot("making something in " + path, make(path + "/x")),
                mayNot("removing " + path, remove(path)),
                mayNot("changing the mode of " + path, changeMode(path)),
                mayNot("moving away " + path, rename(path, W + "/moved")),
                mayNot("moving something to " + path, rename(W + "/new", path)),
                mayNot("a second name for " + path, link(path, W + "/alias")),
                mayNot("another name become " + path, link(W + "/a", path)),
                mayNot("making it in capitals: " + path, make(capitals(path))),
                mayNot("something below it in capitals: " + path, make(capitals(path) + "/x")));
    }

    private static String capitals(String path) {
        int name = path.lastIndexOf('/') + 1;
        return path.substring(0, name) + path.substring(name).toUpperCase(Locale.ROOT);
    }

    /** Returns the cases of a protected path's ancestors. */
    private static Stream<Case> ofAncestors() {
        return Stream.of("/.git", "/vendor", "/vendor/lib", "/vendor/lib/.git")
                .map(name -> W + name)
                .flatMap(path -> Stream.of(
                        mayNot("moving away " + path, rename(path, W + "/moved")),
                        mayNot("removing " + path, remove(path)),
                        may("something else in " + path, make(path + "/x"))));
    }

    static Stream<Case> ofNoNetwork() {
        return Stream.of(
                mayNot("connecting", connect("192.0.2.1:80")),
                mayNot("listening", listen()),
                mayNot("names", connectTo(MacSystem.NAME_LOOKUP)),
                mayNot("whom to trust", service("com.apple.trustd.agent")),
                mayNot("a routing socket", List.of(new Request("system-socket", Request.Kind.SOCKET, "AF_SYSTEM 2"))));
    }

    static Stream<Case> ofAllowedHosts() {
        String proxy = "localhost:" + Profiles.PROXY_PORT;
        Stream<Case> own = Stream.of(
                may("the proxy", connect(proxy)),
                may("the proxy by its address", connect("127.0.0.1:" + Profiles.PROXY_PORT)),
                mayNot("another port of this machine", connect("localhost:80")),
                mayNot("a port whose number begins with it", connect(proxy + "0")),
                mayNot("the port elsewhere", connect("192.0.2.1:" + Profiles.PROXY_PORT)),
                mayNot("routes", sysctl("net.routetable.0.0.3.0")));
        return Stream.concat(own, ofNoNetwork());
    }

    static Stream<Case> ofAnOpenNetwork() {
        return Stream.of(
                may("connecting", connect("192.0.2.1:80")),
                may("listening", listen()),
                may("names", connectTo(MacSystem.NAME_LOOKUP)),
                may("whom to trust", service("com.apple.trustd.agent")),
                may("routes", sysctl("net.routetable.0.0.3.0")),
                may("the system's socket", List.of(new Request("system-socket", Request.Kind.SOCKET, "AF_SYSTEM 2"))),
                mayNot("another", List.of(new Request("system-socket", Request.Kind.SOCKET, "AF_ROUTE 0"))));
    }
}
