using Mux.Contracts;
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
