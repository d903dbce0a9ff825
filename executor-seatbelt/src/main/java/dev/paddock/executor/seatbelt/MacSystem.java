package dev.paddock.executor.seatbelt;

import java.util.List;

/**
 * Lists the parts of macOS that programs need. Real paths, as the kernel compares them:
 * {@code /etc}, {@code /tmp} and {@code /var} are links into {@code /private}.
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
            // Not all of /System: /System/Volumes exposes the users' files a second time.
            "/System/Library",
            "/System/Cryptexes",
            "/System/Volumes/Preboot/Cryptexes",
            "/System/iOSSupport",
            "/Library/Apple",
            "/Library/Developer/CommandLineTools",
            "/Library/Frameworks",
            "/Library/Java",
            "/Applications/Xcode.app/Contents");

    /**
     * Private directories of installed services below those trees: databases, logs,
     * sockets.
     */
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
     * Files to read. Of {@code /etc} only the files that programs look up; of the root only its
     * directory entries, which the loader needs.
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

    /** Links that paths resolve through. */
    static final List<String> LINKS = List.of("/etc", "/tmp", "/var", "/dev/stdin", "/dev/stdout", "/dev/stderr");

    /** Devices to read and write. */
    static final List<String> SINKS = List.of("/dev/null", "/dev/zero");

    /** Devices to read. */
    static final List<String> SOURCES = List.of("/dev/random", "/dev/urandom", "/dev/autofs_nowait");

    /**
     * The device at which the loader registers itself; harmless, and some programs fail without it.
     */
    static final String LOADERS = "/dev/dtracehelper";

    /** The directory of a process's own descriptors. */
    static final String DESCRIPTORS = "/dev/fd";

    /** Services that every program may query: the user database, and changes of the time zone. */
    static final List<String> SERVICES =
            List.of("com.apple.system.notification_center", "com.apple.system.opendirectoryd.libinfo");

    /**
     * Services that the network needs: its configuration, name resolution, and certificate trust.
     */
    static final List<String> NETWORK_SERVICES = List.of(
            "com.apple.SystemConfiguration.DNSConfiguration",
            "com.apple.SystemConfiguration.configd",
            "com.apple.dnssd.service",
            "com.apple.networkd",
            "com.apple.trustd.agent");

    /** The only unix socket that is allowed with the network open: it resolves names. */
    static final String NAME_LOOKUP = "/private/var/run/mDNSResponder";

    /**
     * The only shared memory that is allowed: programs use it to detect changes of the time zone.
     */
    static final String SHARED_NOTICES = "apple.shm.notification_center";

    /**
     * The sysctls about the machine and the system: none of {@code kern.proc}, which lists other
     * processes.
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

    /** Prefixes of sysctls: the processor's features. */
    static final List<String> SYSCTL_FAMILIES = List.of("hw.optional.", "hw.perflevel");

    /** The prefix of the sysctls that the network needs. */
    static final String NETWORK_SYSCTLS = "net.routetable.";

    /** The commands' {@code PATH}. */
    static final String SEARCH_PATH =
            "/opt/homebrew/bin:/opt/homebrew/sbin:/usr/local/bin:/usr/local/sbin:/usr/bin:/bin:/usr/sbin:/sbin";

    private MacSystem() {}
}
