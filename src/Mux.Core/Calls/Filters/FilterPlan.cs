using Mux.Filters;
using Mux.Runtime;

namespace Mux.Calls;

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
