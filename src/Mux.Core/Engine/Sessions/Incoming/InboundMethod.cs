using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Runs the requests of one method. Implemented above this layer, by the typed handlers. Safe for concurrent use.</summary>
internal abstract class InboundMethod
{
    private int _tallyRow = -1; // kept: a call of a method that was not called for a while would wait for its descriptor to come into the cache

    /// <summary>The descriptor of the method, or null for a method that this side does not have.</summary>
    public abstract MethodDescriptor? Descriptor { get; }

    /// <summary>Where its calls are counted: <see cref="CallTally.RowOf(int)"/>.</summary>
    public int TallyRow => _tallyRow >= 0 ? _tallyRow : _tallyRow = CallTally.RowOf(Descriptor);

    /// <summary>True if calls reach a handler; otherwise each is refused.</summary>
    public virtual bool IsServed => Descriptor is not null;

    /// <summary>
    /// True if its calls need a place of the server's handlers. Calls that are refused need none, nor do those of the engine's own methods, which are answered
    /// at once or have a limit of their own.
    /// </summary>
    public bool NeedsPlace => IsServed && !IsOwn;

    /// <summary>True if the engine serves it. Set when it is made.</summary>
    public bool IsOwn { get; set; }

    /// <summary>True if its handler sees the options and the metadata of a request.</summary>
    public virtual bool ShowsOptions => Descriptor?.TakesOptions == true;

    /// <summary>True if it forwards its requests, so that their keys are of use.</summary>
    public virtual bool ReadsKeys => false;

    /// <summary>Message for the callers of a method that has no handler.</summary>
    public virtual string Absence => "This service or method does not exist here.";

    /// <summary>
    /// The method for the requests of one definition after the first that was charged as misuse. It is the place to save what only the first one is worth.
    /// </summary>
    public virtual InboundMethod Repeated => this;

    /// <summary>Bytes that it holds for the connection that has defined it; 0 if it is shared by all.</summary>
    public virtual int HeldBytes => 0;

    /// <summary>True if a call that comes now runs in the turn.</summary>
    public virtual bool RunsInTurn => false;

    /// <summary>Names those methods whose calls keep one order with its own; 0 if its calls have no order.</summary>
    public virtual ulong OrderScope => 0;

    /// <summary>Names the calls that keep one order with a call, for a method of which only some do.</summary>
    public virtual ulong OrderScopeOf(in InboundCall call) => OrderScope;

    /// <summary>The streams of its calls.</summary>
    public virtual MethodShape Streams => MethodShape.Unary;

    /// <summary>Names what this side is to its callers, in messages about its limits.</summary>
    public virtual string SideOf(Session session) => session.IsAccepting ? "server" : "client";

    /// <summary>Creates the receiver of a call's request stream, before the call is invoked. Never throws.</summary>
    public virtual IInboundItems? OpenItems(in InboundCall call) => null;

    /// <summary>
    /// Runs one request and answers it exactly once through <paramref name="call"/>, now or later. Never throws. The body is valid only during this method.
    /// </summary>
    public abstract void Invoke(in InboundCall call, ReadOnlySpan<byte> body);

    /// <summary>Answers a call for which there is no thread. Its handler was not started. Never throws.</summary>
    public virtual void Refuse(in InboundCall call) => call.FailOverloaded("The server is overloaded.", retryAfterMilliseconds: 0);

    /// <summary>
    /// Tells observers of a call that was refused because this side does not have the method. Never throws. In the turn, which user code may lose: nothing
    /// follows that needs it.
    /// </summary>
    public virtual void OnRefused(in InboundCall call)
    {
        // Only endpoints have observers.
    }

    /// <summary>
    /// Queues <paramref name="item"/>, which will invoke this method for a call outside any turn: on a thread where the handler may block, if it starts there.
    /// Never throws.
    /// </summary>
    /// <param name="call">The call of the item.</param>
    /// <param name="item">Runs once.</param>
    /// <param name="bytes">Length of the body that the item holds.</param>
    /// <returns>False if too much is queued: then the call is answered, and the item does not run.</returns>
    public virtual bool TryQueue(in InboundCall call, IWork item, int bytes)
    {
        call.Session.Options.Work.AddUserCode(item);
        return true;
    }
}

/// <summary>A method that the peer has given an ordinal, and the checks for each of its requests. Sixteen bytes: a peer may define tens of thousands.</summary>
/// <param name="method">Runs its requests.</param>
/// <param name="maxMessage">Length of the longest request or item that is accepted, in bytes.</param>
internal struct DefinedMethod(InboundMethod method, int maxMessage)
{
    private const byte Options = 1, Access = 2, Decoding = 4, Callers = 8;
    private const RequestOptions OfHandlers = RequestOptions.Idempotent | RequestOptions.Key | RequestOptions.Ordered; // which only a handler reads
    private const byte Charged = 0x80; // a free bit of _streams, which requests of a plain method do not read

    private byte _streams = (byte)method.Streams;
    private byte _looks = method.ShowsOptions ? Options : (byte)0;

    /// <summary>True if this side has the method.</summary>
    public readonly bool IsServed { get; } = method.IsServed;

    /// <summary>True if it is served and its calls have no streams, like most.</summary>
    public readonly bool IsPlain { get; } = method.IsServed && method.Streams == MethodShape.Unary;

    /// <summary>Runs its requests.</summary>
    public InboundMethod Method { readonly get; private set; } = method;

    public readonly int MaxMessage { get; } = maxMessage;

    /// <summary>True if its handler sees the options of a request.</summary>
    public readonly bool ShowsOptions => (_looks & Options) != 0;

    /// <summary>True if options of a request need the long way: others than those that only a handler reads, or its handler reads them.</summary>
    public readonly bool Reads(RequestOptions options) =>
        ShowsOptions || (options & ~(JudgesCallers ? OfHandlers : OfHandlers | RequestOptions.HopsMask)) != 0;

    /// <summary>True if it has not been checked yet whether the peer may call it.</summary>
    public readonly bool IsGuarded => (_looks & Access) != 0;

    /// <summary>True if each request that a gateway forwards is checked: its caller is another one than the peer.</summary>
    public readonly bool JudgesCallers => (_looks & Callers) != 0;

    /// <summary>True if requests of it could recently not be decoded.</summary>
    public readonly bool IsSuspect => (_looks & Decoding) != 0;

    /// <summary>True if its requests need more checks than decoding.</summary>
    public readonly bool TakesTime => (_looks & ~(Options | Callers)) != 0;

    /// <summary>The streams of its calls.</summary>
    public readonly MethodShape Streams => (MethodShape)(_streams & ~Charged);

    /// <summary>True if a request agrees with it about a request stream.</summary>
    public readonly bool Agrees(RequestOptions options) => SaysStream(options) == ((Streams & MethodShape.RequestStream) != 0);

    /// <summary>True if a request says that a stream follows it.</summary>
    public static bool SaysStream(RequestOptions options) => (options & RequestOptions.Stream) != 0;

    /// <summary>Has the next request checked: the access of the peer may have changed.</summary>
    public void Guard()
    {
        if (Method.Descriptor is not { } descriptor) return; // methods that are not here are refused anyway
        _looks |= Access;
        if (descriptor.Authorization is not { AllowsAnonymous: true }) _looks |= Callers;
    }

    /// <summary>Gets this method for one request whose caller is judged where it runs.</summary>
    public readonly DefinedMethod With(InboundMethod method) => this with { Method = method };

    /// <summary>Has the next requests checked before they are decoded: one could not be decoded.</summary>
    public void Suspect() => _looks |= Decoding;

    /// <summary>Ends the suspicion: for a while all requests could be decoded.</summary>
    public void Unsuspect() => _looks &= unchecked((byte)~Decoding);

    /// <summary>Notes that a request of it is refused for misuse.</summary>
    /// <returns>True if it is the first: later ones repeat the same mistake.</returns>
    public bool TryCharge()
    {
        if ((_streams & Charged) != 0) return false;
        _streams |= Charged;
        Method = Method.Repeated;
        return true;
    }

    /// <summary>Lets the peer call it until its access changes.</summary>
    public void Unguard() => _looks &= unchecked((byte)~Access);
}

/// <summary>Resolves nothing: this side has no services.</summary>
internal sealed class NoMethods : IMethodResolver
{
    private NoMethods()
    {
    }

    public static NoMethods Instance { get; } = new();

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) => UnknownMethod.Instance;
}

/// <summary>Fails every request of a name that no service has.</summary>
/// <param name="text">Message for the caller.</param>
internal sealed class UnknownMethod(string text) : InboundMethod
{
    /// <summary>The shared instance, for names of which nothing is kept.</summary>
    public static UnknownMethod Instance { get; } = new("This service or method does not exist here.");

    public override MethodDescriptor? Descriptor => null;

    public override string Absence => text;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, text);
}

/// <summary>Finds the method that a peer's DEFINE names. Safe for concurrent use.</summary>
internal interface IMethodResolver
{
    /// <summary>Gets the method of this name and shape. If there is none, gets one that fails every request with Unimplemented, not executed.</summary>
    InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape);
}
