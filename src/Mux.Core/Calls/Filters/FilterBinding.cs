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

/// <summary>A filter that was added.</summary>
/// <param name="Filter">The filter.</param>
/// <param name="Scope">What it covers.</param>
/// <param name="Methods">Full names of the methods that it covers; null for all.</param>
internal sealed record FilterEntry(MuxFilter Filter, FilterScope Scope, IReadOnlySet<string>? Methods)
{
    /// <summary>True if the filter runs around calls of the method.</summary>
    public bool Covers(MethodDescriptor method) => Methods is null || Methods.Contains(method.FullName);
}

/// <summary>What a filter covers; the larger scope is outside.</summary>
internal enum FilterScope
{
    /// <summary>All methods of the server or channel.</summary>
    All = 0,

    /// <summary>All methods of a contract.</summary>
    Service = 1,

    /// <summary>One method.</summary>
    Method = 2,
}

/// <summary>The filters around one method of a server or channel, on one side of its calls, the outermost first. Bound once: a method without filters has no
/// plan. Immutable.</summary>
/// <param name="filters">The filters, 1 to <see cref="MaxFilters"/>.</param>
/// <param name="services">Services for the filters; null outside a host.</param>
/// <param name="clock">Measures calls.</param>
internal sealed class FilterPlan(MuxFilter[] filters, IServiceProvider? services, Clock clock)
{
    /// <summary>Most filters around one method: their number is a byte of <see cref="FilterRun"/>. Far more than stacks of exceptions can be read
    /// with.</summary>
    public const int MaxFilters = 128;

    public MuxFilter[] Filters => filters;

    public IServiceProvider? Services => services;

    public Clock Clock => clock;

    /// <summary>True if calls are measured.</summary>
    public bool ReadsElapsed { get; } = Array.Exists(filters, static filter => filter.ReadsElapsed);
}
