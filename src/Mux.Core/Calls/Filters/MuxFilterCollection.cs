using System.Collections;
using Mux.Calls;
using Mux.Runtime;

namespace Mux.Filters;

/// <summary>The filters of a server or channel, in the order in which they were added. Not safe for concurrent use.</summary>
/// <remarks>
/// They run around calls in both directions: those that the side serves and those that it makes, which <see cref="MuxCall.Side"/> tells apart. Around a call
/// run first those of the server or channel, then those of the service, then those of the method; of each, the first one added is outermost. A
/// server reads them when it starts, a channel when it is created. At most 128 can be added.
/// </remarks>
public sealed class MuxFilterCollection : IReadOnlyCollection<MuxFilter>
{
    private readonly List<FilterEntry> _entries = [];

    /// <summary>Gets the number of filters that were added.</summary>
    public int Count => _entries.Count;

    /// <summary>Gets or sets the services that filters find in <see cref="MuxCall.Services"/> of calls that have no scope of their own.</summary>
    /// <value>Null by default. A host sets its own.</value>
    public IServiceProvider? Services { get; set; }

    /// <summary>Adds a filter around all calls of the server or channel.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    public void Add(MuxFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        Add(new FilterEntry(filter, FilterScope.All, null));
    }

    /// <summary>Adds a filter around all calls of a contract, or of one method of it.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <param name="filter">The filter.</param>
    /// <param name="method">Name of the method, as <c>nameof(IOrders.PlaceAsync)</c>; null for all methods. The suffix <c>Async</c> may be left out; a name
    /// that the contract sets with <see cref="MuxMethodAttribute"/> is that name.</param>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ArgumentException">The contract has no such method; the message names those that it has.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public void Add<TContract>(MuxFilter filter, string? method = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(filter);
        var names = MethodNames.Of<TContract>(method);
        Add(new FilterEntry(filter, method is null ? FilterScope.Service : FilterScope.Method, names));
    }

    /// <summary>Returns an enumerator over the filters, in the order in which they were added.</summary>
    public IEnumerator<MuxFilter> GetEnumerator() => _entries.Select(static entry => entry.Filter).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Binds the present filters.</summary>
    internal FilterBinding Bind(Clock clock) => new([.. _entries], Services, clock);

    /// <exception cref="InvalidOperationException">There are too many.</exception>
    private void Add(FilterEntry entry)
    {
        if (_entries.Count == FilterPlan.MaxFilters)
            throw new InvalidOperationException($"{FilterPlan.MaxFilters} filters were added already: expected at most {FilterPlan.MaxFilters}.");
        _entries.Add(entry);
    }
}
