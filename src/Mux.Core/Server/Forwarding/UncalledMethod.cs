using Mux.Contracts;
using Mux.Engine;

namespace Mux.Server;

/// <summary>
/// A method that a connection has named when no call of it was admitted yet. Its first call that the peer may make takes a place in the table. Owned by the
/// connection; parked calls run on another thread.
/// </summary>
internal sealed class UncalledMethod(RouteTable table, ForwardingRoute route, string name, MethodShape shape) : InboundMethod
{
    /// <summary>This object, and the head of its name.</summary>
    private const int ObjectBytes = 80;

    private ForwardedMethod? _admitted; // two threads may set it, to the same

    /// <summary>The method that stands for the route: its access rule is that of all methods, and calls that are refused are counted as its own.</summary>
    public override MethodDescriptor Descriptor => route.Representative;

    public override int HeldBytes => ObjectBytes + name.Length * sizeof(char);

    public override bool ShowsOptions => true;

    public override bool RunsInTurn => true;

    public override bool ReadsKeys => true;

    public override MethodShape Streams => shape & MethodShape.Duplex;

    public override ulong OrderScopeOf(in InboundCall call) => ForwardedTurn.ScopeOf(call);

    public override string SideOf(Session session) => ForwardedMethod.Side;

    public override IInboundItems? OpenItems(in InboundCall call) => new ForwardedItems();

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var method = Admit(call.Session);
        method.Invoke(call with { Method = method }, body);
    }

    /// <summary>Gets the method that runs a call of the peer that is admitted.</summary>
    public InboundMethod Admit(Session caller)
    {
        if (_admitted is { } known) return known;
        var method = table.Admit(route, name, shape, caller);
        _admitted = method as ForwardedMethod;
        return method;
    }
}
