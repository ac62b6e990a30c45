using System.Security.Claims;

namespace Mux;

/// <summary>
/// The other side of one connection: a server sees its client so, and a client its server. It makes calls back over that connection, whichever side dialed.
/// A handler gets its caller as <see cref="MuxCallContext.Caller"/> or <see cref="MuxCallOptions.Caller"/>.
/// </summary>
/// <remarks>
/// <para>It stands for the connection, not for the process behind it: a client that connects again is another peer. Forget it when <see cref="Closed"/> is
/// cancelled, because it keeps the memory of its connection. Two references to one connection are the same object.</para>
/// <para>All members are safe for concurrent use. To test a handler, derive a class that returns what the handler should see.</para>
/// </remarks>
public abstract class MuxPeer
{
    /// <summary>Gets a name for the connection that no other has, in this process or another one. It is not a secret.</summary>
    public abstract string Id { get; }

    /// <summary>Gets the address of the peer, as in the log.</summary>
    public abstract string Address { get; }

    /// <summary>
    /// Gets the identity of the peer. At a server: as the client authenticated last. At a client: that of the server's certificate, which was verified when
    /// the connection was made. All calls of the connection share the object: do not change it.
    /// </summary>
    /// <value>Null if the peer is not authenticated: it is anonymous, or the connection is not encrypted.</value>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>
    /// Gets a value indicating whether the peer is on this machine: connected over loopback, a Unix domain socket, a named pipe, or in memory. A proxy on this
    /// machine that forwards connections of others is such a peer.
    /// </summary>
    public virtual bool IsLocal => false;

    /// <summary>
    /// Gets a token that is cancelled when the connection has ended, for whatever reason. Its callbacks run on a thread of the .NET pool, before the objects of
    /// <see cref="State{TState}()"/> are disposed.
    /// </summary>
    public abstract CancellationToken Closed { get; }

    /// <summary>
    /// Gets a proxy whose calls go to this peer, over this connection. The peer serves the contract: a client by <c>AddService</c> of its options or of its
    /// builder. The same object is returned each time.
    /// </summary>
    /// <remarks>
    /// <para>If as many calls are open as the peer allows (<c>MuxChannelOptions.MaxCallsPerConnection</c>, 64 by default), or the peer does not read what is
    /// sent, a call waits, behind the calls of the peer's groups that were made before: until its deadline, or without one, until the peer has taken none
    /// for 5 s. At most 1 MiB of calls wait for one peer; one more fails with <see cref="MuxStatus.ResourceExhausted"/>, not executed. If the connection has
    /// ended or the peer drains it, a call fails with <see cref="MuxStatus.Unavailable"/>; <see cref="MuxException.Execution"/> says whether it may have
    /// run. No call is sent again.</para>
    /// <para>A call that a handler makes ends no later than the call that it serves. Otherwise it has the time limit of its options or contract.</para>
    /// <para>While this side drains, calls are made as long as a call of the peer is open; later ones fail with <see cref="MuxStatus.Unavailable"/>, not
    /// executed.</para>
    /// </remarks>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public TService Get<TService>()
        where TService : class => GetProxy<TService>();

    /// <summary>Gets the object of a type that belongs to this connection, as <see cref="State{TState}(Func{TState})"/> does.</summary>
    /// <typeparam name="TState">The type of the object.</typeparam>
    /// <exception cref="MuxException">The connection has ended: <see cref="MuxStatus.Unavailable"/>.</exception>
    public TState State<TState>()
        where TState : class, new() => State(static () => new TState());

    /// <summary>
    /// Gets the object of a type that belongs to this connection. There is one for each connection and type: it is created when it is first asked for, and
    /// disposed when the connection has ended, if it is <see cref="IAsyncDisposable"/> or <see cref="IDisposable"/>. The last created is disposed first.
    /// </summary>
    /// <remarks>Handlers whose connection has ended may still run, and use an object that is disposed.</remarks>
    /// <typeparam name="TState">The type of the object.</typeparam>
    /// <param name="create">Creates the object. Runs once, while others that ask for this type wait. If it throws, so does this method, and the next one that
    /// asks tries again. It must not ask for any state.</param>
    /// <exception cref="MuxException">The connection has ended: <see cref="MuxStatus.Unavailable"/>.</exception>
    public abstract TState State<TState>(Func<TState> create)
        where TState : class;

    /// <summary>Gets the <see cref="Id"/> and the <see cref="Address"/>.</summary>
    public override string ToString() => $"{Id} ({Address})";

    /// <summary>Gets the proxy that <see cref="Get"/> returns.</summary>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    protected abstract TService GetProxy<TService>()
        where TService : class;
}
