package dev.paddock.executor.seatbelt;

import java.util.List;

/**
 * The parts of macOS that programs need. Real paths, as the kernel compares them: {@code /etc}, {@code /tmp} and {@code /var}
 * are links into {@code /private}.
 */
final class MacSystem {

    /** Trees to read and to run programs from. */
    static final List<String> PROGRAMS = List.of(
            "/bin",
            "/sbin",
            "/usr/bin",
            "/usr/sbin",
            "/usr/lib",
            "/usr/libexec",
            "/usr/share",
            "/usr/local",
            "/opt/homebrew",
            "/opt/local",
            "/nix/store",
            // Not all of /System: below its Volumes stand the users' files once more.
            "/System/Library",
            "/System/Cryptexes",
            "/System/Volumes/Preboot/Cryptexes",
            "/System/iOSSupport",
            "/Library/Apple",
            "/Library/Developer/CommandLineTools",
            "/Library/Frameworks",
            "/Library/Java",
            "/Applications/Xcode.app/Contents");

    /** Below those, what services that were installed keep for themselves: databases, logs, sockets. */
    static final List<String> CLOSED = List.of("/usr/local/var", "/opt/homebrew/var", "/opt/local/var");

    /** Trees to read. */
    static final List<String> READABLE = List.of(
            "/private/etc/ssl",
            "/private/etc/paths.d",
            "/private/etc/manpaths.d",
            "/private/var/db/dyld",
            "/private/var/db/timezone",
            "/private/var/select");

    /**
     * Files to read. Of {@code /etc} what is looked up there, and not the rest; the root itself, its names that is, for the
     * loader wants it.
     */
    static final List<String> FILES = List.of(
            "/",
            "/Library/Preferences/.GlobalPreferences.plist",
            "/Library/Preferences/com.apple.dt.Xcode.plist",
            "/private/etc/bashrc",
            "/private/etc/gitconfig",
            "/private/etc/group",
            "/private/etc/hosts",
            "/private/etc/localtime",
            "/private/etc/manpaths",
            "/private/etc/networks",
            "/private/etc/passwd",
            "/private/etc/paths",
            "/private/etc/profile",
            "/private/etc/protocols",
            "/private/etc/resolv.conf",
            "/private/etc/services",
            "/private/etc/shells",
            "/private/etc/zprofile",
            "/private/etc/zshenv",
            "/private/etc/zshrc",
            "/private/var/db/xcode_select_link",
            "/private/var/run/resolv.conf");

    /** Links that paths lead through. */
    static final List<String> LINKS = List.of("/etc", "/tmp", "/var", "/dev/stdin", "/dev/stdout", "/dev/stderr");

    /** Devices to read and write. */
    static final List<String> SINKS = List.of("/dev/null", "/dev/zero");

    /** Devices to read. */
    static final List<String> SOURCES = List.of("/dev/random", "/dev/urandom", "/dev/autofs_nowait");

    /** Where the loader registers itself; harmless, and missed by some programs. */
    static final String LOADERS = "/dev/dtracehelper";

    /** A process's own descriptors. */
    static final String DESCRIPTORS = "/dev/fd";

    /** Services that every program may ask: who a user is, and whether the time zone has changed. */
    static final List<String> SERVICES =
            List.of("com.apple.system.notification_center", "com.apple.system.opendirectoryd.libinfo");

    /** Services that the network needs: its configuration, names, and whom to trust. */
    static final List<String> NETWORK_SERVICES = List.of(
            "com.apple.SystemConfiguration.DNSConfiguration",
            "com.apple.SystemConfiguration.configd",
            "com.apple.dnssd.service",
            "com.apple.networkd",
            "com.apple.trustd.agent");

    /** The only unix socket, with the network open: names are looked up there. */
    static final String NAME_LOOKUP = "/private/var/run/mDNSResponder";

    /** Of shared memory, what time zones are watched by. */
    static final String SHARED_NOTICES = "apple.shm.notification_center";

    /**
     * The kernel's answers on the machine and the system: nothing of {@code kern.proc}, which lists other processes.
     */
    static final List<String> SYSCTLS = List.of(
            "hw.activecpu",
            "hw.byteorder",
            "hw.cacheconfig",
            "hw.cachelinesize",
            "hw.cachelinesize_compat",
            "hw.cpufamily",
            "hw.cpufrequency",
            "hw.cpufrequency_compat",
            "hw.cpusubtype",
            "hw.cputype",
            "hw.l1dcachesize",
            "hw.l1icachesize",
            "hw.l2cachesize",
            "hw.l3cachesize",
            "hw.logicalcpu",
            "hw.logicalcpu_max",
            "hw.machine",
            "hw.memsize",
            "hw.model",
            "hw.ncpu",
            "hw.nperflevels",
            "hw.packages",
            "hw.pagesize",
            "hw.pagesize_compat",
            "hw.physicalcpu",
            "hw.physicalcpu_max",
            "hw.tbfrequency",
            "hw.tbfrequency_compat",
            "hw.vectorunit",
            "kern.argmax",
            "kern.boottime",
            "kern.hostname",
            "kern.maxfilesperproc",
            "kern.maxproc",
            "kern.ngroups",
            "kern.osproductversion",
            "kern.osrelease",
            "kern.ostype",
            "kern.osvariant_status",
            "kern.osversion",
            "kern.secure_kernel",
            "kern.usrstack64",
            "kern.version",
            "machdep.cpu.brand_string",
            "sysctl.proc_cputype",
            "sysctl.proc_translated",
            "vm.loadavg");

    /** Families of the kernel's answers: what the processor can do. */
    static final List<String> SYSCTL_FAMILIES = List.of("hw.optional.", "hw.perflevel");

    /** The family that the network needs. */
    static final String NETWORK_SYSCTLS = "net.routetable.";

    /** Where commands look for programs. */
    static final String SEARCH_PATH =
            "/opt/homebrew/bin:/opt/homebrew/sbin:/usr/local/bin:/usr/local/sbin:/usr/bin:/bin:/usr/sbin:/sbin";

    private MacSystem() {}
}
