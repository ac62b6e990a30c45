using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>A group wherever it stands.</summary>
[ProtoContract(IsGroup = true)]
public sealed class GroupedNumber
{
    [ProtoMember(1, DataFormat = DataFormat.FixedSize)]
    public long? Number { get; set; }
}
