using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Streaming;

namespace Mux.Sessions.Incoming;

/// <summary>What runs the requests of one method: above this layer, the typed handler. Safe for concurrent use.</summary>
internal abstract class InboundMethod
{
    /// <summary>Its identity, or null for a method this side does not have.</summary>
    public abstract MethodDescriptor? Descriptor { get; }

    /// <summary>Whether calls reach a handler; else each is refused.</summary>
    public virtual bool IsServed => Descriptor is not null;

    /// <summary>Why calls reach no handler: what their callers are told.</summary>
    public virtual string Absence => "This service or method does not exist here.";

    /// <summary>The streams of its calls.</summary>
    public virtual MethodShape Streams => MethodShape.Unary;

    /// <summary>What takes the request stream of one call, before it is invoked. Never throws.</summary>
    public virtual IInboundItems? OpenItems(in InboundCall call) => null;

    /// <summary>
    /// Runs one request and answers it exactly once through <paramref name="call"/>, now or later. Never throws. The body is valid during the call only.
    /// </summary>
    public abstract void Invoke(in InboundCall call, ReadOnlySpan<byte> body);

    /// <summary>There are no threads for the call, and its handler was not started: answers it. Never throws.</summary>
    public virtual void Refuse(in InboundCall call) => call.FailOverloaded("The server is overloaded.", retryAfterMilliseconds: 0);

    /// <summary>
    /// Has <paramref name="item"/> run, which will invoke this for a call that is in no turn any more: where the handler may block, if it is started there.
    /// Never throws.
    /// </summary>
    /// <param name="call">For which it is.</param>
    /// <param name="item">Runs once.</param>
    /// <param name="bytes">Of the body that it holds.</param>
    /// <returns>False if there is too much to do: then the call is answered, and the item will not run.</returns>
    public virtual bool TryQueue(in InboundCall call, IWork item, int bytes)
    {
        call.Session.Options.Work.AddUserCode(item);
        return true;
    }
}
