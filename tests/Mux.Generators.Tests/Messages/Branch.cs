using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Maps in maps, as deep as one likes.</summary>
[ProtoContract]
internal sealed class Branch
{
    [ProtoMember(1)]
    public Dictionary<int, Branch>? Children { get; set; }

    [ProtoMember(2), NullWrappedCollection]
    public List<Branch>? Twigs { get; set; }
}
