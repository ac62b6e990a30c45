using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A group wherever it stands, and written as itself even if more is derived from it.</summary>
[ProtoContract(IsGroup = true, IgnoreUnknownSubTypes = true)]
public class Grouped
{
    [ProtoMember(1)]
    public int Id { get; set; }
}
