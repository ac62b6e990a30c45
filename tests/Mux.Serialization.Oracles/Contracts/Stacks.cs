using System.Collections.Concurrent;
using System.Collections.Immutable;
using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Collections that are enumerated from their top and come back in the same order.</summary>
[ProtoContract]
public sealed class Stacks
{
    [ProtoMember(1)]
    public Stack<int>? Stack { get; set; }

    [ProtoMember(2)]
    public ImmutableStack<string>? ImmutableStack { get; set; }

    [ProtoMember(3)]
    public ConcurrentStack<int>? ConcurrentStack { get; set; }
}
