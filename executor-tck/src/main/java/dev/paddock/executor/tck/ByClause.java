package dev.paddock.executor.tck;

import java.util.Comparator;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.Order;

/**
 * Orders tests by cost, that is, by their {@link Order} if they have one, then by clause, then by name.
 * Extends JUnit's own orderer, since JUnit reports an {@code Order} as ineffective under any other.
 */
final class ByClause extends MethodOrderer.OrderAnnotation {

    @Override
    public void orderMethods(MethodOrdererContext context) {
        context.getMethodDescriptors()
                .sort(Comparator.comparingInt(ByClause::cost)
                        .thenComparingInt(ByClause::clause)
                        .thenComparing(test -> test.getMethod().getName()));
    }

    private static int cost(MethodDescriptor test) {
        return test.findAnnotation(Order.class).map(Order::value).orElse(0);
    }

    private static int clause(MethodDescriptor test) {
        return Clause.ofMethod(test.getMethod().getName()).map(Clause::ordinal).orElse(Integer.MAX_VALUE);
    }
}
