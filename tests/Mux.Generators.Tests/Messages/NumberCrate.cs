using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class NumberCrate : Crate<int>
{
    [ProtoMember(1)]
    public required int Limit { get; init; }
}
