using System.Security.Claims;

namespace Mux;

/// <summary>
/// Options of one call, or of all calls in a scope. A contract method accepts them as a parameter before its token (<c>MuxCallOptions? options = null</c>); for
/// methods without that parameter, use <see cref="Apply"/>. In a handler, the parameter holds the options of the received call. Immutable; one object can serve
/// any number of concurrent calls.
/// </summary>
/// <remarks>
/// To test a handler, pass the options that it should see: <c>new MuxCallOptions { Peer = "test", Metadata = new() { ["tenant"] = "7" } }</c>.
/// </remarks>
public sealed class MuxCallOptions
{
    private static readonly AsyncLocal<MuxCallOptions?> s_current = new();
    private static volatile bool s_isUsed; // false until options are first applied, so that calls skip the AsyncLocal

    /// <summary>
    /// Gets the options that <see cref="Apply"/> has set for the current code; calls without their own options use them. Null if there are none.
    /// </summary>
    public static MuxCallOptions? Current => s_isUsed ? s_current.Value : null;

    /// <summary>Gets the time limit of the call, from its start to its end. In a handler: the time that was left when the handler started.</summary>
    /// <value>Null by default, which means the timeout of the method, else of the service, else of the channel, which does not limit streams.
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> means no time limit, whatever contract and channel say; a call that a handler makes still ends
    /// by the deadline of the handler's own call, unless <see cref="InheritsDeadline"/> is false. With any other value of 0 or less, the call fails at once
    /// with <see cref="MuxStatus.DeadlineExceeded"/>, not executed, and nothing is sent. A handler gets 0 if the deadline passes just before it starts.
    /// </value>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Gets the metadata that is sent with the request. Null by default: none is sent.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>
    /// Gets the metadata that is sent with the reply or failure. A handler may add entries until it has returned and its response stream has ended. A caller
    /// that wants the entries sets this property to an empty <see cref="MuxMetadata"/> and reads it after the call has completed. Several concurrent calls may
    /// share one object: it collects the entries of all of them.
    /// </summary>
    /// <remarks>
    /// Entries that a handler has added before its response stream yields the first item arrive ahead of that item: the caller may read them as soon as it has
    /// received the item. The end of the stream adds the others, and replaces the entries of keys that the handler has changed.
    /// A peer without this part of the protocol (setting 20) gets or sends all entries with the end.
    /// </remarks>
    public MuxMetadata? ResponseMetadata { get; init; }

    /// <summary>Gets the priority of the call on its connection.</summary>
    /// <value>Null by default, which means the method's priority.</value>
    public MuxCallPriority? Priority { get; init; }

    /// <summary>
    /// Gets the affinity key of the call, such as the id of a customer or a document: on a channel with several endpoints, calls with the same key go to the
    /// same endpoint, from every client process, so that its caches are of use. Only a gateway receives a hash of the key, and chooses by it in the same way.
    /// </summary>
    /// <remarks>
    /// A key is a preference, not a lock. Its calls go to another endpoint while theirs is not connected, is ejected, is leaving, or has over 1.25 times its
    /// share of the open calls of this channel and at least 8. When an endpoint is added or removed, the keys of that endpoint move, and about 1 % of the
    /// others.
    /// </remarks>
    /// <value>Null by default: the key that the contract declares with <see cref="MuxKeyAttribute"/>; without one, the endpoint is chosen by load. An empty
    /// text means no key, also if the contract declares one.</value>
    public string? Key { get; init; }

    /// <summary>
    /// Gets a value indicating whether running the handler twice has the same effect as running it once. Mux passes it to the handler. A channel with
    /// <c>Resilience</c> sends only such calls again after a server may have executed them.
    /// </summary>
    /// <value>Null by default, which means the method's value.</value>
    public bool? Idempotent { get; init; }

    /// <summary>
    /// Gets a value indicating whether the channel may send this call again, or a second time, as its <c>Resilience</c> says. Calls of which nothing was sent
    /// may move to another server in any case.
    /// </summary>
    /// <value>True by default.</value>
    public bool Retries { get; init; } = true;

    /// <summary>
    /// Gets a value indicating whether the call waits, up to its deadline, until a server can be reached. Otherwise it fails when the connection that it waits
    /// for cannot be opened. A call without a deadline may wait without end; its token ends it.
    /// </summary>
    /// <value>False by default.</value>
    public bool WaitForReady { get; init; }

    /// <summary>
    /// Gets a value indicating whether a one-way call completes when the peer has answered it, not when its request is queued: when its handler has ended, or
    /// with the failure that the call of another method would have, such as the refusal at a limit. Has no effect on other methods.
    /// </summary>
    /// <value>False by default: of a one-way call that fails after its caller has continued, only the event <c>OneWayCallFailed</c> and the metric
    /// <c>mux.client.one_way_failures</c> tell.</value>
    public bool Acknowledged { get; init; }

    /// <summary>
    /// Gets a value indicating whether this call must also end by the deadline of the call that is being handled, if a handler makes this call. Has an effect
    /// only if <c>InheritDeadlines</c> of the channel is true.
    /// </summary>
    /// <value>True by default.</value>
    public bool InheritsDeadline { get; init; } = true;

    /// <summary>In a handler: gets the address from which the call came. Ignored for outgoing calls.</summary>
    public string? Peer { get; init; }

    /// <summary>In a handler: gets the connection from which the call came, seen from its other side. Ignored for outgoing calls.</summary>
    /// <value>Null in options that a test has created without one. Of a call that came through a gateway: the gateway's connection.</value>
    public MuxPeer? Caller { get; init; }

    /// <summary>
    /// In a handler: gets the identity of the caller, as authenticated on its connection when the call started. Null if the server does not authenticate
    /// clients, or if the caller presented no credential. All calls of the connection share the object: do not change it. Ignored for outgoing calls.
    /// </summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>
    /// In a handler: gets a value indicating whether a gateway has forwarded the call. <see cref="Caller"/> and <see cref="Peer"/> are then those of the
    /// gateway. Ignored for outgoing calls.
    /// </summary>
    public bool IsForwarded { get; init; }

    /// <summary>
    /// Applies these options to calls without their own options, in the calling method and in the code that it awaits, until the returned scope is disposed.
    /// </summary>
    /// <returns>A scope that restores the previous options when it is disposed. Dispose it in the method that called <see cref="Apply"/>.</returns>
    public MuxCallOptionsScope Apply()
    {
        s_isUsed = true;
        var before = s_current.Value;
        s_current.Value = this;
        return new MuxCallOptionsScope(before);
    }

    internal static void Restore(MuxCallOptions? before) => s_current.Value = before;
}
