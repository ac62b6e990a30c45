using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Made by a constructor that takes one member; the others are read in a second pass.</summary>
[ProtoContract]
internal sealed record Ledger([property: ProtoMember(1)] int Id)
{
    [ProtoMember(2)]
    public List<Wide>? Rows { get; init; }
}
