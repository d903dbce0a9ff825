package dev.paddock.executor.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States whom a package is for and how far they can rely on it. Every exported package has this annotation. A type without it
 * has its package's status; a type whose status differs has its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Api {

    /**
     * Returns how far others can rely on the package or type.
     *
     * @return the status
     */
    Status status();

    /**
     * Returns whom the package is for.
     *
     * @return a sentence that begins with "API:", "SPI:" or "Internal:"; may be empty on a type, which is for whom its package is
     */
    String audience() default "";

    /** How far others can rely on a package or type. */
    enum Status {
        /** Incompatible changes come with a new major version alone; before 1.0.0, with a new minor version. */
        STABLE,
        /** May change or go with every release. */
        EXPERIMENTAL,
        /** For Paddock's own modules. May change at any time. */
        INTERNAL
    }
}
