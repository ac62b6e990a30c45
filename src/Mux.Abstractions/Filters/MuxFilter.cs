namespace Mux.Filters;

/// <summary>
/// Runs around calls: those that its server or channel serves, around their handlers, and those that it makes by proxies. A server makes calls to its
/// clients, and a channel serves those that it has services for. One type for both sides of calls and for all shapes of methods: with one reply, one-way, and
/// with streams in one or both directions.
/// </summary>
/// <remarks>
/// <para>A filter runs what follows by <see cref="MuxNext.RunAsync"/>, or ends the call itself: with a reply, a failure or an exception. Its exceptions
/// concern its call alone. An exception of the handler, or of a filter further inside, comes out of <see cref="MuxNext.RunAsync"/>.</para>
/// <para>Filters are added to <c>Filters</c> of the options of a server or channel, or with <c>AddFilter</c> in a host. Those of the server or channel are
/// outermost, then those of the service, then those of the method; of each, the first one added is outermost. Refused calls reach no filter.</para>
/// <para>One instance serves all calls, concurrently.</para>
/// </remarks>
public abstract class MuxFilter
{
    /// <summary>Gets a value indicating whether the filter reads <see cref="MuxCall.Elapsed"/>. Read once per method, when a server starts or a proxy is
    /// created.</summary>
    /// <value>True by default. If it is false for all filters of a method, its calls save a reading of the clock, some 20 ns.</value>
    public virtual bool ReadsElapsed => true;

    /// <summary>Gets a value indicating whether the filter runs around calls of a side. Read once per method, when a server starts or a proxy is created; at
    /// each call for a filter that a host creates for each call.</summary>
    /// <param name="side"><see cref="MuxCallSide.Server"/> for calls that are served here, <see cref="MuxCallSide.Client"/> for those that are made
    /// here.</param>
    /// <returns>True by default, for both.</returns>
    public virtual bool RunsOn(MuxCallSide side) => true;

    /// <summary>Runs around one call.</summary>
    /// <param name="call">The call. Not to be used after the returned task has completed: the object then serves other calls.</param>
    /// <param name="next">What follows: the next filter, or the handler; for a call that is made here, its sending. Run it at most once, and await it.</param>
    /// <returns>
    /// A task that completes when the filter has no more to do with the call, which is not answered before. A filter that does not await need not be an
    /// <c>async</c> method: it then costs no allocation.
    /// </returns>
    public abstract ValueTask RunAsync(MuxCall call, MuxNext next);
}
