using System.Collections.Concurrent;
using Mux.Contracts;
using Mux.Filters;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Binds the filters of a server or channel to its methods, when they are made. Safe for concurrent use.</summary>
/// <param name="entries">The filters, in the order in which they were added.</param>
/// <param name="services">Services for the filters; null outside a host.</param>
/// <param name="clock">Measures calls.</param>
internal sealed class FilterBinding(FilterEntry[] entries, IServiceProvider? services, Clock clock)
{
    private readonly ConcurrentDictionary<(int Method, MuxCallSide Side), FilterPlan?> _plans = []; // proxies are made per peer: each would have its own

    /// <summary>No filters.</summary>
    public static FilterBinding None { get; } = new([], null, Clock.Shared);

    /// <summary>True if there are no filters at all.</summary>
    public bool IsEmpty => entries.Length == 0;

    /// <summary>Gets the filters around calls of a method, on one side of them; null if it has none.</summary>
    public FilterPlan? Of(MethodDescriptor method, MuxCallSide side)
    {
        if (IsEmpty) return null;
        return _plans.TryGetValue((method.Index, side), out var known) ? known : _plans.GetOrAdd((method.Index, side), Plan(method, side));
    }

    private FilterPlan? Plan(MethodDescriptor method, MuxCallSide side)
    {
        var own = entries.Where(entry => entry.Covers(method) && entry.Filter.RunsOn(side))
            .OrderBy(static entry => entry.Scope).Select(static entry => entry.Filter).ToArray();
        return own.Length == 0 ? null : new FilterPlan(own, services, clock);
    }
}
