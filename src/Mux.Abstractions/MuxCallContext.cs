using System.ComponentModel;
using System.Security.Claims;

namespace Mux;

/// <summary>
/// The call that a handler serves: who calls, with which metadata, until when, and the metadata of the answer. For handlers whose contract has no
/// <see cref="MuxCallOptions"/> parameter, so that the interface of the client stays clean.
/// </summary>
/// <remarks>
/// <para>A server provides contexts if <c>MuxServerOptions.EnableCallContext</c> is set. In a host, <c>AddMuxServer().AddCallContext()</c> sets it, and
/// registers this class for the constructors of scoped services and <see cref="IMuxCallContextAccessor"/> for singletons.</para>
/// <para>The context belongs to one call. The threads of its handler may use it concurrently. Code that outlives the call copies what it needs before the
/// handler returns.</para>
/// <para>To test a handler, create a context, and pass it to the constructor of the service or <see cref="Enter"/> it.</para>
/// </remarks>
public sealed class MuxCallContext
{
    private static readonly AsyncLocal<Holder?> s_current = new();

    private readonly TimeSpan? _timeLeft;
    private readonly TimeProvider _time;
    private readonly long _created;

    /// <summary>Creates a context.</summary>
    /// <param name="timeLeft">Time until the deadline of the call; null if it has none.</param>
    /// <param name="timeProvider">Measures the time from now on; null for the system's time.</param>
    public MuxCallContext(TimeSpan? timeLeft = null, TimeProvider? timeProvider = null)
    {
        _timeLeft = timeLeft;
        _time = timeProvider ?? TimeProvider.System;
        if (timeLeft is not null) _created = _time.GetTimestamp();
    }

    /// <summary>
    /// Gets the context of the call that the running code serves: in its handler, in code that the handler calls or awaits, and in the constructor of a scoped
    /// service.
    /// </summary>
    /// <value>Null outside a call, and in a server without <c>EnableCallContext</c>, which then logs once that this was read (<c>CallContextMissed</c>). Code
    /// that a handler has started and does not await, such as a loop that the first call starts, gets null as soon as the call has ended: the handler has
    /// returned, its streams have ended and the call is answered.</value>
    public static MuxCallContext? Current
    {
        get
        {
            var holder = s_current.Value;
            if (holder is null) Missed?.Invoke();
            return holder?.Context;
        }
    }

    /// <summary>
    /// For the servers and channels of Mux alone, which log <c>CallContextMissed</c> the first time: raised when code that
    /// runs in no context reads <see cref="Current"/>, on its thread. A handler of the event must not throw.
    /// </summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static event Action? Missed;

    /// <summary>Gets the wire name of the method: service, slash and method, such as <c>shop.Orders/Place</c>.</summary>
    public string Method { get; init; } = string.Empty;

    /// <summary>Gets the address from which the call came, as in the log of the server.</summary>
    public string Peer { get; init; } = string.Empty;

    /// <summary>Gets the connection from which the call came, seen from its other side: by it the handler calls back.</summary>
    /// <value>Null in a context that a test has created without one. Of a call that came through a gateway: the gateway's connection.</value>
    public MuxPeer? Caller { get; init; }

    /// <summary>
    /// Gets the identity of the caller, as authenticated on its connection when the call started. All calls of the connection share the object: do not change
    /// it.
    /// </summary>
    /// <value>Null if the server does not authenticate clients, or if the caller presented no credential.</value>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>Gets the metadata that came with the request; empty if there was none.</summary>
    public MuxMetadata Metadata { get; init; } = [];

    /// <summary>
    /// Gets the metadata that is sent with the reply or failure. Entries may be added until the handler has returned and its response stream has ended; later
    /// ones are not sent. A call without an answer, of a one-way method, sends none.
    /// </summary>
    public MuxMetadata ResponseMetadata { get; init; } = [];

    /// <summary>Gets the priority of the call on its connection.</summary>
    public MuxCallPriority Priority { get; init; }

    /// <summary>Gets a value indicating whether the caller says that running the handler twice has the same effect as running it once.</summary>
    public bool Idempotent { get; init; }

    /// <summary>
    /// Gets the token that is cancelled when the caller cancels the call, its deadline passes or its connection ends. It is the token of the handler's
    /// parameter, if there is one. Valid until the handler has returned; other calls never cancel it.
    /// </summary>
    public CancellationToken CancellationToken { get; init; }

    /// <summary>Gets the time left until the deadline of the call, at the moment of reading.</summary>
    /// <value>0 or more; 0 if the deadline has passed. Null if the call has no deadline.</value>
    public TimeSpan? TimeLeft => _timeLeft is not { } left ? null
        : left > _time.GetElapsedTime(_created) ? left - _time.GetElapsedTime(_created) : TimeSpan.Zero;

    /// <summary>
    /// Makes this context the current one, in the calling method and in the code that it calls or awaits, until the returned scope is disposed. The server does
    /// this for each handler; tests can do the same.
    /// </summary>
    /// <returns>A scope that restores the previous context when it is disposed. Dispose it in the method that called <see cref="Enter"/>.</returns>
    public MuxCallContextScope Enter()
    {
        var before = s_current.Value;
        var entered = new Holder { Context = this };
        s_current.Value = entered;
        return new MuxCallContextScope(entered, before);
    }

    internal static void Restore(Holder? before) => s_current.Value = before;

    /// <summary>
    /// What flows: one object per scope, which all code that was started in the scope shares. Emptying it ends the context wherever it has flowed to, so that
    /// code which outlives the call neither acts as its caller nor keeps the context alive.
    /// </summary>
    internal sealed class Holder
    {
        private volatile MuxCallContext? _context;

        public MuxCallContext? Context
        {
            get => _context;
            set => _context = value;
        }
    }
}
