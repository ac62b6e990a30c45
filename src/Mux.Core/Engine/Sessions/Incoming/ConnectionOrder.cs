using Mux.Protocol;

namespace Mux.Engine;

/// <summary>What a connection knows of the order of its requests. Created by its first request that needs it; most connections have none.</summary>
/// <remarks>Scopes are added by the turn. All other members are for any thread.</remarks>
internal sealed class ConnectionOrder(Session session, RequestSlots slots)
{
    private static ulong s_count;

    private ArrivalOrder[] _scopes = []; // copied on write: a service with ordered methods is one

    /// <summary>The key of calls that the whole connection makes one after the other.</summary>
    public ulong Number { get; } = Interlocked.Increment(ref s_count);

    /// <summary>True if requests of a scope have arrived whose keys are not known yet. Others may not overtake them.</summary>
    public bool Awaits(ulong scope) => Find(scope) is { IsEmpty: false };

    /// <summary>A request has come that is decoded later. In the turn.</summary>
    public void Expect(ulong scope, CallId id)
    {
        var order = Find(scope);
        if (order is null)
        {
            order = new ArrivalOrder(session, slots, scope);
            Volatile.Write(ref _scopes, [.. _scopes, order]);
        }

        order.Expect(id);
    }

    /// <summary>The key of a request is known: it enters the table when those before it have, or are over.</summary>
    public void Add(ulong scope, CallId id, OrderedCall call, KeyTable keys) => Find(scope)!.Add(id, call, keys);

    /// <summary>A request has no key, or could not be decoded: nothing waits for it any longer.</summary>
    public void Skip(ulong scope, CallId id) => Find(scope)?.Skip(id);

    private ArrivalOrder? Find(ulong scope)
    {
        foreach (var order in Volatile.Read(ref _scopes))
        {
            if (order.Scope == scope) return order;
        }

        return null;
    }
}
