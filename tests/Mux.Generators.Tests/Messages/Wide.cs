using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A row of a table with many columns: 336 bytes of memory, and two on the wire if all of them are empty.</summary>
[ProtoContract]
internal sealed class Wide
{
    [ProtoMember(1)]
    public string? A { get; set; }

    [ProtoMember(2)]
    public Columns B { get; set; }

    [ProtoMember(3)]
    public Columns C { get; set; }

    [ProtoMember(4)]
    public Columns D { get; set; }
}
