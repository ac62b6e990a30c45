using System.ComponentModel;
using System.Security.Claims;
using Mux.Contracts;

namespace Mux.Filters;

/// <summary>
/// A call as filters see it: what it is, who makes it, its request, and after <see cref="MuxNext.RunAsync"/> how it ended. All filters of a call share the
/// object, which serves another call afterwards: do not keep it.
/// </summary>
/// <remarks>The filters of a call run one inside the other. Code that runs at the same time, such as a wrapped stream, may read what it needs before.</remarks>
public abstract partial class MuxCall
{
    /// <summary>For the runtime: creates a call.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected MuxCall()
    {
    }

    /// <summary>Gets the side on which the filter runs.</summary>
    public abstract MuxCallSide Side { get; }

    /// <summary>Gets the method: its <see cref="MethodDescriptor.FullName"/>, such as <c>shop.Orders/Place</c>, its <see cref="MethodDescriptor.Shape"/>
    /// and the options of its contract.</summary>
    public abstract MethodDescriptor Method { get; }

    /// <summary>Gets the address of the other side: of the connection by which the call came, or of the client that a server calls. For a call of a channel the
    /// <c>Address</c> of its options, or the name of the channel if its servers come from <c>Endpoints</c>.</summary>
    public abstract string Peer { get; }

    /// <summary>Gets the identity of the caller, as authenticated on its connection when the call started. All calls of the connection share the object: do
    /// not change it.</summary>
    /// <value>Null for a call that is made here, if the server does not authenticate clients, or if the caller presented no credential.</value>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>Gets the metadata of the request: with the side Server those that came with it, with Client those that are sent. To the latter a filter may add
    /// entries before it runs what follows; the options of the caller are not changed.</summary>
    public abstract MuxMetadata Metadata { get; }

    /// <summary>Gets the metadata of the reply or failure: with the side Server those that are sent with it, to which filters may add entries, also after the
    /// handler; with Client those that came, once the call has ended.</summary>
    /// <remarks>A filter with the side Client that wants them reads this property before it runs what follows, too: otherwise they are received only if the
    /// options of the caller ask for them.</remarks>
    public abstract MuxMetadata ResponseMetadata { get; }

    /// <summary>Gets or sets the options of the call. With the side Client a filter may replace them before it runs what follows, for example to set a
    /// timeout.</summary>
    /// <value>With the side Server the options that came with the call, which are read-only. With Client those that the caller passed or has applied; null if
    /// there are none.</value>
    /// <exception cref="InvalidOperationException">Set with the side Server, or when the call has started.</exception>
    public abstract MuxCallOptions? Options { get; set; }

    /// <summary>Gets the time that the call has. With the side Server the time left until its deadline, at the moment of reading. With Client the time limit
    /// with which it would be sent at that moment: its timeout, or what the handler that makes the call has left, if that is less and is inherited. Time that
    /// filters take does not count against the timeout, and the value does not become less when the call was sent: see <see cref="Elapsed"/>.</summary>
    /// <value>0 or more. Null if the call has no deadline.</value>
    public abstract TimeSpan? TimeLeft { get; }

    /// <summary>Gets the token that is cancelled when the call is over for its caller: with the side Server by a cancellation, the deadline or the end of
    /// the connection, with Client by the token that the caller passed. Valid until the filter has returned.</summary>
    public abstract CancellationToken CancellationToken { get; }

    /// <summary>Gets the services of the call: those of the scope of a service that was added with <c>AddScopedService</c>, otherwise those of the
    /// host.</summary>
    /// <value>Null outside a host.</value>
    public abstract IServiceProvider? Services { get; }

    /// <summary>Gets what the filters of the call pass to each other. Created when it is first read.</summary>
    public abstract IDictionary<object, object?> Items { get; }

    /// <summary>Gets a value indicating whether the call has an outcome: a reply, the end of its response stream, a failure or an exception.</summary>
    public abstract bool HasOutcome { get; }

    /// <summary>Gets the status that the outcome of the call has, as the other side or the caller sees it.</summary>
    /// <value>Null before there is an outcome.</value>
    public abstract MuxStatus? Status { get; }

    /// <summary>Gets the exception with which the call ended so far: of the handler, of a filter further inside, or of a failed call of a channel.</summary>
    /// <value>Null if there is none: also for a failure that was set, or that a handler returned as a <see cref="MuxResult{T}"/>.</value>
    public abstract Exception? Exception { get; }

    /// <summary>Gets the failure that was set, or that the method returned as a <see cref="MuxResult{T}"/>; null if there is none.</summary>
    public abstract MuxFailure? Failure { get; }

    /// <summary>Gets the time since the first filter of the call started, at the moment of reading.</summary>
    /// <exception cref="InvalidOperationException">All filters of the method say that they do not read it: see
    /// <see cref="MuxFilter.ReadsElapsed"/>.</exception>
    public abstract TimeSpan Elapsed { get; }

    /// <summary>Gets the number of items of its stream that this side has sent so far; 0 for a method without one.</summary>
    public abstract long ItemsSent { get; }

    /// <summary>Gets the number of items of the stream of the other side that were read so far; 0 for a method without one.</summary>
    public abstract long ItemsReceived { get; }

    /// <summary>Ends the call with a failure: instead of what follows, or in place of the outcome that it has.</summary>
    /// <remarks>On a server, a failure that is set before the handler has started is sent as not executed: a client with <c>Resilience</c> may send the call
    /// again. A failure of an ended response stream cannot take back the items that were sent.</remarks>
    /// <param name="failure">The failure.</param>
    /// <exception cref="ArgumentNullException"><paramref name="failure"/> is null.</exception>
    public abstract void Fail(MuxFailure failure);

    /// <summary>Ends the call with a failure.</summary>
    /// <inheritdoc cref="Fail(MuxFailure)"/>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The message for the caller, up to 4,096 bytes of UTF-8; longer messages are cut.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    public void Fail(MuxStatus status, string message) => Fail(new MuxFailure(status, message));

    /// <summary>For the runtime: runs what follows a filter.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected internal abstract ValueTask ContinueAsync(long ticket);
}
